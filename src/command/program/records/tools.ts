import type { Program } from "../program.ts";

/** Tools of developers: they run what the workspace says. */
// deno-fmt-ignore
export const TOOLS: readonly Program[] = [
  { names: "git", syntax: "git",
    options: "C: c: git-dir: work-tree: exec-path? namespace: super-prefix: config-env: p,paginate P,no-pager no-replace-objects bare literal-pathspecs " +
    "glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks html-path man-path info-path v,version h,help", writes: "C git-dir work-tree", arity: 2,
    arities: "remote:3 stash:3 config:3 worktree:3" },
  { names: "make gmake", runs: true, dangers: [{ name: "runs-program", reason: "an option runs another program", options: "eval E" },
    { name: "runs-program", reason: "what \"make\" does is not in a file", words: "^(?:-|-f-|.*/dev/(?:stdin|fd/\\d+)|.*\ue1fd|SHELL=.*|[^=]+(?:(?<=!)=|=[^]*(?:\\$[({](?:shell|file|eval|guile)|[;|&`]))[^]*)$" }] },
  { names: "bazel bazelisk", operands: "none", arity: 2, runs: true },
  { names: "go", runs: true, arity: 2, verbs: "version|list|env|doc", readOnly: "w u export mod toolexec exec", dangers: [
    { name: "tool-config", reason: "\"go\" keeps settings, which can name programs that it runs", verbs: "env", options: "w" },
    { name: "runs-program", reason: "an option runs another program", options: "exec toolexec vettool" },
    { name: "install-url", reason: "code from an address is run", words: "^[\\w.-]+\\.\\w+/.*@" }] },
  { names: "cargo", runs: true, arity: 2, verbs: "tree|metadata|version", readOnly: "config", dangers: [
    { name: "runs-program", reason: "an option gives settings, which can name programs", options: "config" }] },
  { names: "pip pip3 pip2", runs: true, arity: 2, verbs: "list|show|freeze|check", readOnly: "", dangers: [
    { name: "install-url", reason: "code from an address is installed", words: "^(?:git\\+|https?:)" }] },
  { names: "terraform tofu pulumi", runs: true, arity: 2, dangers: [{ name: "terraform-destroy", reason: "what is managed is destroyed", words: "^-?-?destroy$" }] },
  { names: "gh", arity: 3, readOnly: "w web", verbs: "* view|* list|* status|* diff|* checks", dangers: [
    { name: "sends-data", reason: "\"gh\" publishes a file", verbs: "gist create" }] },
  { names: "glab aws gcloud az", arity: 3 },
  { names: "helm mvn gradle gradlew dotnet flutter dart mix rebar3 stack cabal composer gem", arity: 2, runs: true },
  { names: "tsc jest vitest mocha ava eslint prettier biome oxlint webpack vite rollup esbuild parcel next nuxt astro turbo nx lerna playwright cypress ts-jest " +
    "c8 nyc pytest mypy ruff black isort flake8 pylint pyright coverage rubocop rspec phpunit ctest gotestsum golangci-lint clippy-driver shellcheck " +
    "shfmt hadolint prisma drizzle-kit swc babel storybook", arity: 1, runs: true, dangers: [
    { name: "runs-program", reason: "an option runs another program", options: "rulesdir" }] },
  { names: "gcc g++ cc c++ clang clang++", runs: true, dangers: [
    { name: "runs-program", reason: "an option runs another program", words: "^-(?:wrapper$|fplugin=|specs=|B[./])" }] },
  { names: "just task ninja cmake meson ant rake invoke tox nox rustc java javac ld as protoc rustfmt gofmt clang-format pandoc tectonic pdflatex latexmk dot pre-commit husky lint-staged changeset " +
    "semantic-release", runs: true },
  { names: "psql sqlite3 mysql mariadb mongo mongosh redis-cli pg_dump mysqldump", runs: true, dangers: [
    { name: "drop-table", reason: "a table or a database is dropped", words: "\\b(?:DROP|TRUNCATE)\\s+(?:TABLE|DATABASE|SCHEMA)\\b" }],
    escape: "(?:^|\\n|;)\\s*(?:\\\\[!oi]|\\.(?:shell|system|output|once|import|load|read|backup|save|clone|open)\\b)|\\bto\\s+program\\b|into\\s+(?:out|dump)file|\\b(?:system|readfile|writefile|load_extension|fsdir|pg_read_\\w+|lo_import|lo_export|load_file|load\\s+data)\\b" },
  { names: "vim vi nvim view ex ed emacs nano lldb m4 tmux zellij", runs: true, dangers: [
    { name: "interactive", reason: "it runs commands that are typed into it" }] },
  { names: "screen", options: "ls,list", runs: true, dangers: [{ name: "interactive", reason: "it runs commands that are typed into it", except: "ls" }] },
  { names: "gdb", options: "batch q,quiet n,nx ex,eval-command: args p,pid:", runs: true, dangers: [
    { name: "interactive", reason: "it runs commands that are typed into it", except: "batch q n ex args p",
      exceptValues: "^(?:\\d+|(?:r|run|start|c|continue|n|next|s|step|q|quit|k|kill|bt|backtrace|where)(?: full| -?\\d+)*|thread apply all (?:bt|backtrace|where)(?: full)?|info \\w+(?: [\\w.$]+)?|(?:b|break|frame|f|up|down|list|l)(?: [\\w:./]+)?|set (?:pagination|confirm|print|width|height|listsize) [\\w -]+|p(?:rint)?(?:/\\w)? [\\w.>*-]+)$" }] },
];
