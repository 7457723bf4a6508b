import { ANY, NOT_FOLLOWED, UNQUOTED } from "../../words/placeholders.ts";
import type { DangerRule, Program } from "../program-record.ts";
import { GIT } from "./git.ts";

/** What is installed comes from an address. */
export const INSTALL_URL: DangerRule = {
  name: "install-url",
  reason: "code from an address is installed",
};
/** The same, as Python's installers write addresses. */
export const PYTHON_URL: DangerRule = {
  ...INSTALL_URL,
  words: "(?:^|^-[a-z]|@\\s*)(?:(?:git|hg|svn|bzr)\\+|https?:|ftp:|file:)",
};

export const OPTION_FILE = {
  name: "list-file",
  reason: "options come from a file",
  words: "^@[\\w./~-]",
};
const INTERACTIVE = { name: "interactive", reason: "it runs commands that are typed into it" };
const DROPS = { name: "drop-table", reason: "a table or a database is dropped" };
/** What others get cannot be taken back. */
export const PUBLISHES: DangerRule = {
  name: "publishes",
  reason: "what is published cannot be taken back",
  without: "^(?!.*(?:--no-dry-run|--dry-run[ =]false)).*--dry-run(?: |$|=true)",
};
const DESTROYS = { name: "terraform-destroy", reason: "what is managed is destroyed" };
/** What starts a command in a pane of tmux. */
const TMUX_STARTS = "new-session|new|new-window|neww|split-window|splitw";

/** Options and names for `psql` that print nothing more; a word that is not known can be an option. */
const OF_PSQL = String
  .raw`(?:-[tAqXwS1]+|-[hpUd] ?\S+|--(?:tuples-only|no-align|no-psqlrc|quiet)|--(?:host|port|username|dbname)=\S+|(?![-${NOT_FOLLOWED}])\S+) `;
/** `psql` without what it prints around a result. */
const COUNTS_BY_PSQL = String
  .raw`(?=(?:${OF_PSQL})*(?:-[AqXwS1]*t|--tuples-only))(?:${OF_PSQL})*-[tAqXwS1]*c `;
/** The file of a database. */
const A_FILE = String.raw`(?![-${NOT_FOLLOWED}])\S*[./:${ANY}]\S*`;
/** A question whose answer is one number, and the name of a database. */
const COUNTS_ROWS = String
  .raw`(?:select|SELECT)\x1f(?:count|COUNT)\([^()]*\)\x1f(?:from|FROM)\x1f(?:(?![uU][nN][iI][oO][nN])[^; ])*;?(?: \w[\w-]*)?`;

/** Tools of developers: they run what the workspace says. */
// deno-fmt-ignore
export const TOOLS: readonly Program[] = [
  GIT,
  { names: "make,gmake", sameOptions: "j,jobs k,keep-going B,always-make n,just-print,dry-run,recon i,ignore-errors s,silent,quiet", options: "f,file,makefile: C,directory:", runs: true, scripts: "f", files: "Makefile makefile GNUmakefile *.mk *.c *.cc *.cpp *.h *.hpp *.S src/*.[ch]* include/*.h*", target: "C", dangers: [{ name: "runs-program", reason: "an option runs another program", options: "eval E" },
    { name: "runs-program", reason: "what \"make\" does is not in a file", words: `^(?:-|-\\w*f-|[${UNQUOTED}]|\\.?SHELL(?:FLAGS)?=.*|MAKEFLAGS=.*eval.*|[^=]+(?:(?<=!)=|=[^]*(?:\\$[({](?:shell|file|eval|guile|call)|[;|&\`\\n]))[^]*)$` }] },
  { names: "dune", arity: 2, runs: true, files: "dune" },
  { names: "bazel bazelisk buck2", operands: "none", arity: 2, runs: true, files: "BUILD* WORKSPACE* MODULE.bazel" },
  { names: "go", runs: true, script: "^$", files: "*.go", arity: 2, verbs: "version|list|env|doc|help|mod graph|mod why", readsWith: "json m f deps e test all src c cmd short v versions find changed", dangers: [
    { name: "tool-config", reason: "\"go\" keeps settings, which can name programs that it runs", verbs: "env", options: "w" },
    { name: "runs-program", reason: "an option runs another program", options: "exec toolexec vettool" },
    { name: "install-url", reason: "code from an address is run", verbs: "run", words: "^[\\w.-]+\\.\\w+/.*@" }] },
  { names: "cargo", sameOptions: "r,release p,package v,verbose q,quiet j,jobs F,features", synonyms: "build,b check,c doc,d run,r test,t remove,rm", runs: true, files: "build.rs Cargo.toml src/*.rs", arity: 2, verbs: "tree|metadata|version|search|info|pkgid|help",
    readsWith: "i? e? d p? F? f? q v invert edges duplicates depth prefix format features all-features no-default-features package workspace format-version no-deps " +
    "offline locked frozen limit quiet verbose color target all manifest-path charset filter-platform prune", dangers: [{ ...PUBLISHES, verbs: "publish|yank" }, { ...INSTALL_URL, options: "git" },
    { name: "runs-program", reason: "an option gives settings, which can name programs", options: "config" }] },
  { names: "pip,pip3,pip2", sameOptions: "U,upgrade r,requirement e,editable t,target i,index-url c,constraint q,quiet y,yes", runs: true, files: "setup.py pyproject.toml", arity: 2, verbs: "list|show|freeze|check",
    readsWith: "o u e l f v q outdated uptodate editable local user format not-required files verbose quiet exclude all disable-pip-version-check no-color no-input path",
    dangers: [PYTHON_URL] },
  { names: "terraform,tofu terragrunt pulumi cdk cdktf", runs: true, files: "*.tf", arity: 2, verbs: "version|state list|workspace list|workspace show", readsWith: "json no-color", dangers: [{ ...DESTROYS, words: "^-?-?destroy$" }] },
  { names: "gh", sameOptions: "R,repo s,squash m,merge r,rebase d,delete-branch t,subject t,title b,body F,body-file d,draft B,base H,head H,header a,assignee a,author l,label r,reviewer m,milestone p,project p,prerelease f,fill w,web X,method f,raw-field F,field e,editor c,comment a,approve r,request-changes n,notes n,name d,description h,hostname", synonyms: "codespace,cs extension,extensions,ext */delete,*/rm */list,*/ls */create,*/new", options: "q,jq= template= O,output: D,dir:", writes: "O D", fetches: "", unpacks: "(?:^| )(?:release|run) download(?: |$)", arity: 3, verbs: "pr view|pr list|pr status|pr diff|pr checks|issue view|issue list|issue status|run view|run list|repo view|repo list|release view|" +
    "release list|workflow view|workflow list|gist view|gist list|label list|cache list|search issues|search prs|search repos|search code|search commits|auth status|api", plain: "^(?!\\w+://(?!github\\.com/))",
    readsWith: "R? q? t? s? l? a? A? L? S? B? H? b? u? e? j? c v r? paginate slurp include repo json jq template state label assignee author limit search comments base head log log-failed " +
    "exit-status verbose patch name-only color required watch interval branch user event job workflow status milestone mention app draft raw files filename",
    dangers: [{ name: "sends-data", reason: "\"gh\" publishes a file", verbs: "gist create" },
    { name: "git-runs", reason: "git gets options by which it runs another program", verbs: "repo clone|repo fork", words: "^(?:-c|-u|--(?:config|upload-pack|template)(?:=|$))" },
    { ...PUBLISHES, verbs: "repo delete" }, { ...DESTROYS, verbs: "api", words: "^(?:-X|--method=)?DELETE$" },
    { name: "install-global", reason: "a program is installed for every project", verbs: "extension install|extensions install|ext install" },
    { name: "prints-secrets", reason: "\"gh\" prints its token", verbs: "auth token" },
    { name: "prints-secrets", reason: "\"gh\" prints its token", verbs: "auth status", options: "t show-token" }] },
  { names: "buf", options: "against=", arity: 1, runs: true },
  { names: "aws gcloud gsutil az glab lynx w3m links elinks tftp lwp-request lwp-download GET s3cmd mc ipfs crane skopeo oras kaggle huggingface-cli hf hurl yt-dlp dvc hget", arity: 3, fetches: "", dangers: [{ name: "prints-secrets", reason: "it prints a token or a secret", words: "^(?:print-(?:access|identity)-token|get-access-token|export-credentials|get-session-token|(?:batch-)?get-secret-value)$" },
    { ...DESTROYS, words: "^(?:rm|rb|purge|(?:batch-|admin-)?delete(?:-[\\w-]+)?|(?:terminate|destroy|remove)-[\\w-]+)$", without: "(?:^| )--(?:dry-?run|endpoint-url[ =]http://(?:localhost|127\\.0\\.0\\.1))" }] },
  { names: "rclone restic borg", options: "password-command: rsh:", texts: "password-command rsh", arity: 3, fetches: "", dangers: [{ ...DESTROYS, words: "^(?:purge|delete|forget|prune)$", without: "(?:^| )(?:--dry-run|-n)(?: |$)" }] },
  { names: "helm", sameOptions: "n,namespace f,values i,install o,output A,all-namespaces a,all q,short g,generate-name", synonyms: "uninstall,un,del,delete list,ls history,hist repo/remove,repo/rm plugin/uninstall,plugin/rm,plugin/remove pull,fetch dependency,dep,dependencies show,inspect", arity: 2, runs: true, verbs: "list|ls|status|history|get values|get manifest|version|search|show|template|lint", readsWith: "n? A a o? q f? namespace all-namespaces output filter max short kube-context revision values set version", dangers: [{ ...PUBLISHES, verbs: "push" }, { ...DESTROYS, verbs: "uninstall|delete" },
    { name: "runs-program", reason: "an option runs another program", options: "post-renderer" }] },
  { names: "mvn gradle gradlew dotnet flutter dart mix rebar3 stack cabal composer gem", goals: "mvn gradle gradlew mix", arity: 2, runs: true, script: "^(?!dart )", starts: { behind: "^exec$" }, files: "stack.yaml pubspec.yaml pom.xml *.gradle *.gradle.kts mix.exs composer.json rebar.config *.cabal *.csproj", dangers: [{ ...PUBLISHES, verbs: "push" }, { ...INSTALL_URL, options: "source add" }] },
  { names: "gulp grunt tsc jest vitest mocha ava eslint prettier biome oxlint webpack vite rollup esbuild parcel next nuxt astro turbo nx lerna playwright cypress ts-jest " +
    "c8 nyc mypy ruff black isort flake8 pylint pyright coverage rubocop rspec phpunit ctest gotestsum golangci-lint clippy-driver " +
    "shfmt hadolint drizzle-kit swc babel storybook karma tailwindcss tsup", goals: "gulp grunt turbo nx lerna", arity: 1, runs: true, files: "turbo.json nx.json lerna.json phpunit.xml* spec/*_spec.rb *.conf.js *.config.* .*rc.*js [gG]*file.*js *.test.* *.spec.*", dangers: [
    { name: "runs-program", reason: "an option runs another program", words: "^--rules" }] },
  { names: "pytest py.test", sameOptions: "x,exitfirst v,verbose q,quiet", arity: 1, runs: true, files: "conftest.py tests/conftest.py test_*.py tests/test_*.py", dangers: [
    { name: "rm-root", reason: "\"pytest\" empties the directory of --basetemp", words: "^--basetemp(?:=(?!/tmp/\\w)|$)" },
    { name: "sends-data", reason: "\"pytest\" publishes what it prints", words: "^--pastebin" }] },
  { names: "gcc g++ cc c++ tcc clang clang++ rustc java javac", runs: true, script: "^$", dangers: [
    { name: "runs-program", reason: "an option runs another program", words: "^-(?:wrapper$|fplugin=|-?specs(?:=|$)|B|Wl,.*-plugin\\b)" }, OPTION_FILE] },
  { names: "npm-run-all run-s run-p vagrant scons lein sbt foreman earthly just task ninja ant invoke tox nox ld as protoc rustfmt gofmt clang-format pandoc tectonic pdflatex latexmk dot pre-commit husky lint-staged changeset " +
    "semantic-release tilt snapcraft waf dub lefthook skaffold serverless mage rackup", runs: true, files: "Tiltfile snapcraft.yaml wscript dub.json lefthook.y*ml skaffold.yaml serverless.y*ml magefile.go config.ru [jJ]ustfile .justfile Taskfile.y*ml build.ninja build.xml tasks.py noxfile.py tox.ini .pre-commit-config.yaml Vagrantfile SConstruct project.clj build.sbt Procfile Earthfile", dangers: [OPTION_FILE] },
  { names: "meson", runs: true, files: "meson.build", starts: { behind: "^devenv$" }, dangers: [OPTION_FILE] },
  { names: "ansible-playbook mono electron wasmtime k6 locust streamlit zig crystal rdmd nim swipl gs robot behave flask", runs: true, script: "^$", files: "build.zig app.py wsgi.py features/*.feature *.feature" },
  // One that may be missing is made again, for tests.
  { names: "dropdb", dangers: [{ ...DROPS, without: "--if-exists" }] },
  { names: "rails rake", goals: "rake rails", runs: true, files: "Rakefile bin/rails", arity: 2, dangers: [{ ...DROPS, words: "^db:(?:drop|reset|migrate:reset)" }] },
  { names: "mysqladmin", dangers: [{ ...DROPS, verbs: "drop" }] },
  { names: "prisma", arity: 2, runs: true, dangers: [{ ...DROPS, verbs: "migrate reset" }, { ...DROPS, options: "force-reset accept-data-loss" }] },
  { names: "twine", arity: 2, runs: true, dangers: [{ ...PUBLISHES, verbs: "upload" }] },
  { names: "cmake", runs: true, options: "S: B: P: build: install:", scripts: "P", files: "CMakeLists.txt *.cmake *.c *.cc *.cpp src/*.c*", target: "S build", starts: { behind: "^-E$" } },
  { names: "psql sqlcmd sqlplus sqlite3 duckdb mysql mariadb mongo mongosh redis-cli pg_dump mysqldump clickhouse clickhouse-client clickhouse-local cqlsh usql pgcli mycli litecli", sameOptions: "c,command f,file d,dbname h,host p,port U,username e,execute", runs: true,
    prints: { [`^(?:${COUNTS_BY_PSQL}|${A_FILE} )${COUNTS_ROWS}$`]: "number" }, dangers: [
    { name: "drop-table", reason: "a table or a database is dropped",
      words: "(?:\\b|^-\\w*[ce])(?:DROP|TRUNCATE)(?:\\s|/\\*[^]*?\\*/)+(?:TABLE|DATABASE|SCHEMA|KEYSPACE)\\b|\\bDELETE\\s+FROM\\s+[\\w.\"]+\\s*(?:;|$)|\\.drop\\(|\\bdelete(?:Many|One)\\(\\s*(?:\\{\\s*\\})?\\s*\\)|\\bTRUNCATE\\s+(?:ONLY\\s+)?[\\w.\"]+(?:\\s*,\\s*[\\w.\"]+)*\\s*(?:;|$|(?:RESTART|CONTINUE|CASCADE|RESTRICT)\\b)|\\bdropDatabase\\(|FLUSHALL\\b" }],
    escape: "(?:^|\\n|;)\\s*(?:\\\\(?!(?:d\\w*|[lzxqcah]|[tg](?![ \\t]+[^\\s;])|timing|conninfo|pset|copy(?![^\\n]*(?:\\.\\.|['\"\\s][/~](?!tmp/)|\\.(?:env|git|husky|vscode|idea|ssh)|hooks/))|echo|encoding|password)\\b|\\?)|\\.(?!(?:tables?|schema|fullschema|head(?:er)?s?|mode|width|" +
      "null(?:value)?|separator|databases|indexes|indices|dbinfo|dump|timer|timeout|show|help|quit|exit|echo|changes|eqp|explain|bail|stats|version)\\b|(?:import|output|once|backup)[ \\t]+\\w[\\w/-]*\\.\\w+(?:[ \\t]+\\w+)?[ \\t]*(?:\\n|$))[a-z])|" +
      "\\\\!|\\bzipfile\\s*\\(|\\\\(?:g\\w*|w|o|s|t|out)[ \\t]+[^\\s;]|\\\\[^\\n]*`|\\b(?:to|from)\\s+program\\b|into\\s+(?:out|dump)file|\\bvacuum\\b[^;]*\\binto\\b|\\b(?:attach\\b|edit\\b[^\\w;]*\\()|^(?:tee|source|pager)\\s|^(?:--[\\w-]+=|-[A-Za-z]*[oL])?\\s*\\||^--(?:pager|tee)=|^file:[^?]*%|" +
      "\\b(?:copy|file|outfile|export|from|cat|fs\\.\\w+|read_\\w+)\\b[^;]*[\"'](?:[^\"';]*\\.\\./|~|/(?!tmp/)[\\w.-]+/|\\.env\\b)|" +
      "\\b(?:system|child_process|exec(?:File)?Sync|runProgram|readfile|writefile|load_extension|fsdir|pg_read_\\w+|lo_import|lo_export|load_file|load\\s+data)\\b" },
  { names: "vim,vi,nvim,view,ex ed emacs nano m4 zellij", runs: true, dangers: [INTERACTIVE] },
  { names: "gdb lldb", options: "batch q,-quiet,Q nx args ex,eval-command,o,-one-line: p,-pid:", runs: true, starts: { behind: "^-?-args$" }, dangers: [
    { ...INTERACTIVE, except: "batch q nx args ex p" },
    { ...INTERACTIVE, options: "ex", values: "^(?!(?:r|run|start|c|continue|n|next|s|step|finish|bt|backtrace|where|thread apply all bt|info|b|break|list|quit)(?: [\\w:. -]*)?$)" }] },
  { names: "tmux", options: "d P p e J a q s: n: t: c: x: y: b: S: E: F:", runs: true, texts: "c", starts: { behind: `^(?:${TMUX_STARTS})$`, text: true }, dangers: [
    { ...INTERACTIVE, words: "[^\\\\]?;$|#\\(" },
    { ...INTERACTIVE, verbs: TMUX_STARTS, except: "d P s n t c x y F" },
    { ...INTERACTIVE, except: "t", exceptOperands: "^(?:send-keys|send|C-[cdz]|Escape|q)$", unless: `${TMUX_STARTS}|ls|list-sessions|list-windows|lsw|list-panes|lsp|has-session|has|kill-session|kill-window|kill-pane|kill-server|capture-pane|capturep` }] },
  { names: "screen", options: "m,ls,list d S: q", runs: true, starts: {}, dangers: [{ ...INTERACTIVE, except: "m d S q" }] },
];
