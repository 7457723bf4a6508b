import type { Analysis, PathUse, Span } from "../../event/analysis.ts";
import { defined } from "../../value/defined.ts";
import type { Concern } from "../../event/permission.ts";
import { joined } from "../../platform/file/lexical-paths.ts";
import { TRUSTED_REGISTRY } from "../../platform/registries.ts";
import { isCode } from "./protected.ts";

/** Names that change how the shell or the loader runs any program. */
const OF_THE_SHELL: ReadonlySet<string> = new Set((
  "PATH IFS ENV BASH_ENV SHELLOPTS BASHOPTS PS4 PS0 PS1 PROMPT_COMMAND CDPATH GLOBIGNORE HOME XDG_CONFIG_HOME XDG_CONFIG_DIRS GLIBC_TUNABLES " +
  "BASH_ALIASES BASH_CMDS DIRSTACK OLDPWD PWD BASH_LOADABLES_PATH EXECIGNORE HISTFILE INPUTRC BASH_XTRACEFD POSIXLY_CORRECT " +
  "GCONV_PATH LOCPATH NLSPATH TERMCAP SSH_ASKPASS SUDO_ASKPASS SUDO_EDITOR SHELL FCEDIT LESSOPEN LESSCLOSE " +
  "TMPDIR NODE_V8_COVERAGE PYTHONPYCACHEPREFIX COVERAGE_FILE LLVM_PROFILE_FILE GCOV_PREFIX GOCOVERDIR CARGO_TARGET_DIR EDITOR VISUAL PAGER MANPAGER BROWSER PERL5OPT PERL5DB FZF_DEFAULT_COMMAND LUA_INIT " +
  "OPENSSL_CONF OPENSSL_MODULES OPENSSL_ENGINES CURL_HOME WGETRC CVS_RSH HGRCPATH TAR_OPTIONS ZIPOPT UNZIP GREP_OPTIONS RIPGREP_CONFIG_PATH " +
  "UNZIPOPT ZIP XZ_OPT XZ_DEFAULTS PARALLEL SIMPLE_BACKUP_SUFFIX SSLKEYLOGFILE PIP_LOG NODE_REDIRECT_WARNINGS LESS MANOPT " +
  "DEPENDENCIES_OUTPUT SUNPRO_DEPENDENCIES LESSHISTFILE MANROFFOPT ACKRC ACK_OPTIONS GH_CONFIG_DIR GOCACHEPROG DBUS_SESSION_BUS_ADDRESS FFREPORT TF_LOG_PATH LESSGLOBALTAGS TAPE ZDOTDIR FPATH"
).split(" "));
/** The same by a part of the name: programs run what is in `GH_PAGER` and `CVS_RSH`. */
const LIKE_THOSE_OF_THE_SHELL =
  /^(?:BASH_FUNC_|LD_|DYLD_|TERMINFO|MALLOC_|GIT_|RSYNC_|SSL_CERT_|LESSKEY|GROFF_|ACK_PAGER|npm_config_(?:script_shell|shell|git|editor|viewer)$)|_(?:PAGER|EDITOR|SHELL|RSH|SSH|BROWSER|ASKPASS|(?:PASS)?COMMAND)$/;
/** Names that programs take settings or code from. */
const OF_PROGRAMS: ReadonlySet<string> = new Set((
  "MORE VIMINIT EXINIT NODE_OPTIONS NODE_PATH VIRTUAL_ENV RUBYLIB RUBYOPT JAVA_TOOL_OPTIONS _JAVA_OPTIONS JDK_JAVA_OPTIONS CLASSPATH " +
  "GOFLAGS GOPROXY GOENV RUSTFLAGS CC CXX LD AR AS JAVA_HOME CFLAGS CXXFLAGS LDFLAGS CPPFLAGS MAKEFLAGS MAKEFILES " +
  "FZF_DEFAULT_OPTS KUBECONFIG PSQLRC " +
  "GNUMAKEFLAGS COMPILER_PATH GCC_EXEC_PREFIX PYTEST_PLUGINS RUSTDOC RUSTUP_TOOLCHAIN PYTEST_ADDOPTS GREP " +
  "MYSQL_HOME MYSQL_HOST PHPRC KUBECTL_EXTERNAL_DIFF GOROOT DOTNET_STARTUP_HOOKS PHP_INI_SCAN_DIR " +
  "ELIXIR_ERL_OPTIONS VIM VIMRUNTIME NODE_REPL_EXTERNAL_MODULE " +
  "GNUPGHOME COREPACK_NPM_REGISTRY GH_HOST CURL_CA_BUNDLE REQUESTS_CA_BUNDLE NODE_EXTRA_CA_CERTS NODE_TLS_REJECT_UNAUTHORIZED " +
  // Directories of code, and programs.
  "CPATH C_INCLUDE_PATH CPLUS_INCLUDE_PATH OBJC_INCLUDE_PATH LIBRARY_PATH ACLOCAL_PATH CONFIG_SITE CONFIG_SHELL AWKPATH AWKLIBPATH TCLLIBPATH TCL_LIBRARY " +
  "GUILE_LOAD_PATH GUILE_LOAD_COMPILED_PATH EMACSLOADPATH PSModulePath GHC_PACKAGE_PATH GHCRTS CAML_LD_LIBRARY_PATH NODE_ICU_DATA NODE_COMPILE_CACHE JRE_HOME M2_HOME " +
  "GOPATH GOBIN GOCACHE GOMODCACHE GOWORK GOTOOLCHAIN GOTOOLDIR GOSUMDB GONOSUMDB GONOSUMCHECK GOINSECURE GOPRIVATE GOVCS GOAUTH RUSTDOCFLAGS ARFLAGS MANPATH " +
  "ESBUILD_BINARY_PATH PUPPETEER_EXECUTABLE_PATH CHROME_BIN CHROME_PATH SASS_PATH LIBGL_DRIVERS_PATH MPLBACKEND COVERAGE_PROCESS_START SSH_SK_PROVIDER " +
  // Settings, and files that are read or written.
  "SYSTEM_WGETRC LYNX_CFG MAILRC MAILCAPS SCREENRC IRBRC PRYRC BC_ENV_ARGS INDENT_PROFILE BOTO_CONFIG TNS_ADMIN ORACLE_HOME ODBCINI ODBCSYSINI SQLITE_HISTORY PATCH_GET CVSROOT " +
  "HG HGEDITOR HGMERGE MPLCONFIGDIR IPYTHONDIR NLTK_DATA RANDFILE TZDIR RES_OPTIONS HOSTALIASES LOCALDOMAIN GNUTLS_SYSTEM_PRIORITY_FILE SSL_DIR SDKROOT DEVELOPER_DIR " +
  // Servers.
  "SSH_AUTH_SOCK TMUX TMUX_TMPDIR SCREENDIR DISPLAY WAYLAND_DISPLAY XAUTHORITY PULSE_SERVER CUPS_SERVER CONTAINER_HOST BUILDKIT_HOST KUBERNETES_MASTER KUBERNETES_SERVICE_HOST " +
  "CQLSH_HOST GITLAB_HOST GITHUB_API_URL GH_REPO HF_ENDPOINT PUB_HOSTED_URL FLUTTER_STORAGE_BASE_URL"
).split(" "));
/** The same by how they begin. */
const BEGINNINGS: readonly string[] = (
  "YARN_ DENO_ BUN_ PIP_ PYENV_ RBENV_ UV_ ASDF_ MISE_ HELM_ TF_CLI_ HOMEBREW_ RUSTUP_ CCACHE_ GEM_ BUNDLE_ CARGO_ RUSTC BAT_ AWS_ GOOGLE_ R_PROFILE JULIA_ " +
  "XDG_ PERL KRB5 LDAP SASL_ VAULT_ CONSUL_ NOMAD_ CLOUDSDK_ AZURE_ OCI_CLI_ TF_DATA_ TF_PLUGIN_ ANSIBLE_ VAGRANT_ PACKER_ PULUMI_ CONTAINERS_ BUILDX_ DOCKER_ COMPOSE_ " +
  "MIX_ R_LIBS JSR_ HEX_MIRROR PYTHON_BUILD_ SASS_BINARY_ PUPPETEER_ VALGRIND_ PNPM_ NVM_ FNM_ VOLTA_ TS_NODE_ PLAYWRIGHT_ CYPRESS_ ELECTRON_ PIPENV_ POETRY_ PDM_ CONDA_ MAMBA_ VIRTUALENV_ JUPYTER_ COMPOSER_ PHP_ LUA OPAM OCAML STACK_ CABAL_ HEX_ ERL_ " +
  "NIX_ GUIX_ NUGET_ MSBUILD CORECLR_ COR_ COMPlus_ DOTNET_ROOT DOTNET_ADDITIONAL_DEPS DOTNET_SHARED_STORE CGO_ PKG_CONFIG CMAKE_ MESON_ DISTCC_ SCCACHE_ SBT_ ANT_ GRADLE_ MAVEN_ " +
  "NVIM_ TORCH_ HF_HOME REDISCLI_ ETCDCTL_ GTK_ GTK2_ GTK3_ QT_ GIO_ GST_ GSETTINGS_ VK_ OCL_ICD_ FONTCONFIG_ OTEL_EXPORTER_ OPENAI_BASE OPENAI_API_BASE ANTHROPIC_BASE " +
  "PGHOST PGPORT PGSERVICE PGPASSFILE PGOPTIONS PGSYSCONFDIR PGLOCALEDIR PGDATA PGSSL PGGSS PGKRB MYSQL_HISTFILE MYSQL_TCP_PORT MYSQL_UNIX_PORT MYSQL_GROUP_SUFFIX"
).split(" ");
/** The same by how they end. */
const ENDINGS =
  /_(?:REGISTRY|MIRROR|INDEX_URL|DOWNLOAD_HOST|LOAD_PATH|LIBRARY_PATH|PRELOAD)$|SAN_OPTIONS$/;
const FREE = /^(?:CARGO_TERM_\w+|DOCKER_BUILDKIT|COMPOSE_PROJECT_NAME|CGO_ENABLED|PGDATABASE)$/;
const PYTHON =
  /^PYTHON(?:PATH|HOME|STARTUP|INSPECT|BREAKPOINT|WARNINGS|USERBASE|EXECUTABLE|PLATLIBDIR)$/;
const PROXY = /^(?:https?|all|ftp|no)_proxy$/i;
/** A proxy on another machine. */
const SENDS_ELSEWHERE =
  /^(?!$|(?:\w+:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]|$))/;
/** Values that start nothing and lead to no file outside. */
const HARMLESS =
  /^IFS=[ \t\n]*$|^MALLOC_\w+=\d+$|^LESS=-?[a-jlmnp-zA-JL-NP-Z\d]*$|^npm_config_(?:loglevel|color|progress|fund|audit)=\w+$|^GIT_CURL_VERBOSE=\d$|^NODE_OPTIONS=--max[-_]old[-_]space[-_]size=\d+$|^RUSTFLAGS=-[DWA] ?\w+$|^(?:\w+_|MAN)?PAGER=(?:cat)?$|^GIT_TERMINAL_PROMPT=[01]$|^(?:\w+_)?(?:EDITOR|VISUAL|BROWSER)=(?:true|false|:|cat|none|[01]|chrome|chromium|firefox|webkit|safari|edge)?$|^(?:PGHOST(?:ADDR)?|PGPORT|MYSQL_(?:HOST|TCP_PORT))=(?:localhost|127\.0\.0\.1|\d+)$|^DISPLAY=:\d+(?:\.\d+)?$|^\w+SAN_OPTIONS=\w+=\d+(?:[:,]\w+=\d+)*$|^TMPDIR=\/tmp(?:\/\w[\w.-]*)*$|^GIT_TRACE\w*=(?:[012]|true|false)?$/;
/** Names of variables that say where a program keeps what it makes, and values that are a place for that. */
const KEEPS_FILES =
  /^(?:\w*COVER\w*|GCOV_PREFIX|PYTHONPYCACHEPREFIX|CARGO_TARGET_DIR|GO(?:CACHE|PATH|BIN|MODCACHE)|\w+PROFILE_FILE)$/;
const IN_A_PLACE = /^(?:\/tmp\/)?(?!.*\.\.)[\w%.][\w%./-]*$/;
/** A list of commits that `sed` changes, by words that run nothing. */
const ORDERS =
  /^GIT_SEQUENCE_EDITOR=sed -i(?: -[Ee])? (['"])(?:(?:(?:\d+|\$|\/\^?[\w -]*\/)(?:,(?:\d+|\$))?)?(?:d|s\/\^?pick(?: \w+)?\/(?:pick|edit|reword|squash|fixup|drop|[persfd])(?: \w+)?\/)(?:; ?|(?=\1)))+\1$/;
const NOTES =
  /^GIT_(?:AUTHOR|COMMITTER)_(?:NAME|EMAIL|DATE)$|^GIT_OPTIONAL_LOCKS$|^GIT_(?:MERGE_AUTOEDIT|DISCOVERY_ACROSS_FILESYSTEM)$/;

/** Code in the value of a variable that a program reads, or an option in it that runs or writes. */
const RUNS_OR_WRITES = new RegExp(
  String
    .raw`\bdata:|^(?:GNU)?MAKEFLAGS=.*(?:--eval|\$\()|^NODE_OPTIONS=.*--redirect-warnings|^PYTEST_ADDOPTS=.*--basetemp|^(?:ERL_|ELIXIR_)\w+=.*-(?:eval|run)\b|^TF_CLI_ARGS\w*=.*-destroy|-XX:On\w*Error=|^(?:DOCKER|CONTAINER|BUILDKIT)_HOST=(?:tcp|ssh)://(?!(?:localhost|127\.0\.0\.1)[:/])|^npm_config_registry=(?!${TRUSTED_REGISTRY})|^GOPROXY=(?!(?:(?:direct|off|https:\/\/(?:proxy\.golang\.org|goproxy\.(?:cn|io)))(?:[,|]|$))+$)`,
  "i",
);

/** Names of variables that say where packages come from. */
const OF_STORES = /REGISTR|MIRROR|INDEX|SERVER|UPDATE_ROOT|DOWNLOAD|DOMAIN|_SITE$|FIND_LINKS|^JSR_/;
/** Names of variables that say where a tool keeps what it makes. */
const OF_PLACES = /(?:_HOME|_DIR|_CACHE\w*|^GO(?:PATH|BIN))$/;
/** An address of another machine, but those where every package is taken from. */
const ADDRESS = new RegExp(
  `^(?!${TRUSTED_REGISTRY})\\w+://(?!(?:localhost|127\\.0\\.0\\.1|0\\.0\\.0\\.0|\\[::1\\])(?:[:/]|$))`,
  "i",
);

/** Directories of programs that only their installers write, and those of a project. */
const OF_TOOLS =
  /^PATH=(?:(?:\/usr(?:\/local)?(?:\/[\w.-]+)?\/s?bin|\/s?bin|\/opt\/\w+\/s?bin|\/(?:root|(?:home|Users)\/[\w-]+)\/(?:(?:go|flutter|\.(?:cargo|local|bun|deno|volta|yarn|npm-global|poetry|pyenv|nvm\/versions\/node\/v[\d.]+))\/bin|\.(?:pyenv|rbenv|asdf)\/shims|\.dotnet(?:\/tools)?)|(?:\.|\/[\w./-]+)\/(?:node_modules\/\.bin|\.?venv\/bin))(?::(?!$)|$))+$/;

/** Libraries of a project, for its own programs; behind them can be what was there before. */
function areLibraries(value: string, root: string): boolean {
  const dirs = value.replaceAll(`${root}/`, "./").split(":").filter((dir) => dir !== "");
  return !value.includes("..") && dirs.length > 0 &&
    dirs.every((dir) => /^(?:\.?\w[\w./-]*|\.\/[\w./-]*|\/usr\/lib)$/.test(dir));
}

/** What stands behind the directories of the system hides none of their programs. */
const BEHIND = /^PATH=\/usr\/bin(?::\/[\w./-]+)+$/;

/** Whether a variable decides which code runs, or where it reads its settings. */
function isDangerousVariable(
  name: string,
  { value, every, root }: {
    readonly value: string | undefined;
    readonly every: boolean;
    readonly root: string;
  },
): boolean {
  const harmless = value !== undefined &&
    ([HARMLESS, ORDERS].some((each) => each.test(`${name}=${value}`)) ||
      (KEEPS_FILES.test(name) && IN_A_PLACE.test(value)));
  if (harmless || NOTES.test(name)) return false;
  if (every && name === "LD_LIBRARY_PATH" && areLibraries(value ?? "", root)) return false;
  if (every && (OF_TOOLS.test(`${name}=${value}`) || BEHIND.test(`${name}=${value}`))) return false;
  if (OF_THE_SHELL.has(name) || LIKE_THOSE_OF_THE_SHELL.test(name)) return true;
  if (every) {
    return value !== undefined && (RUNS_OR_WRITES.test(`${name}=${value}`) ||
      (PROXY.test(name) && !/^no_/i.test(name) && SENDS_ELSEWHERE.test(value)) ||
      (OF_STORES.test(name) && isOfPrograms(name) && ADDRESS.test(value)));
  }
  return PROXY.test(name) || isOfPrograms(name);
}

/** Whether programs take code or settings from a variable, or from what it names. */
function isOfPrograms(name: string): boolean {
  return OF_PROGRAMS.has(name) ||
    [/^npm_config_/i, ENDINGS, PYTHON].some((like) => like.test(name)) ||
    BEGINNINGS.some((beginning) => name.startsWith(beginning)) && !FREE.test(name);
}

/** The files that the line names so, as uses of paths. */
export function namedByVariables(
  { sets = [], commands }: Pick<Analysis, "sets" | "commands">,
  cwd: string,
): readonly PathUse[] {
  const given = commands.flatMap(({ assignments, span }) =>
    assignments.map((each) => ({ ...each, span }))
  );
  // Elsewhere they lead elsewhere.
  const moves = commands.some(({ argv: [name] }) => /^(?:cd|pushd|popd|env)$/.test(name ?? ""));
  return [...sets, ...given].flatMap(({ name, value: whole, known, span }) => {
    const value = whole ?? known;
    const keeps = KEEPS_FILES.test(name);
    if (value === undefined || (!keeps && !isOfPrograms(name))) return [];
    const files = value.split(/[=:,\s]+/).map((part) => part.replace(/^-\w(?=[./])/, ""))
      .filter((part) =>
        part.startsWith("/")
          ? !keeps && !OF_PLACES.test(name) && !part.startsWith("//") && part !== "/usr/lib"
          : !moves && part !== "" && (keeps || part.split("/").includes(".."))
      );
    const use = { access: "use", by: name, span } as const;
    return files.map((file) => ({
      ...use,
      path: joined(cwd, file),
      raw: file.startsWith("/") ? file : `${cwd}/${file}`,
    }));
  });
}

interface VariableFacts {
  /** Names of variables that come with the command. */
  readonly given: readonly string[];
  /** A rule covers every program, and so what programs read from variables. */
  readonly every: boolean;
  /** The directory whose programs and libraries are those of the line. */
  readonly root: string;
}

/** Find variables that decide which code runs: those of the line, and names that come with it. */
export function variableConcerns(
  { sets = [], commands }: Pick<Analysis, "sets" | "commands">,
  { given, every, root }: VariableFacts,
): readonly Concern[] {
  const concerns: Concern[] = [];
  const check = (name: string, value?: string, span?: Span) => {
    // Some programs write to files that variables name.
    const file = value?.split(/[=:,\s]+/).find(isCode);
    if (file !== undefined) {
      concerns.push({ reason: `the variable "${name}" names "${file}"`, ...defined({ span }) });
      return;
    }
    if (!isDangerousVariable(name, { value, every, root })) return;
    concerns.push({ reason: `the variable "${name}" changes what runs`, ...defined({ span }) });
  };
  for (const { name, value, known, span } of sets) check(name, value ?? known, span);
  for (const { argv, assignments, span } of commands) {
    // `IFS= read` splits the input of that command alone.
    for (const { name, value, known } of assignments) {
      if (name !== "IFS" || argv[0] !== "read") check(name, value ?? known, span);
    }
  }
  for (const name of given) check(name);
  return concerns;
}
