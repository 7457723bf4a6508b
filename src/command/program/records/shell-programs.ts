import type { Program } from "../program-record.ts";

/** Shells, interpreters, and the builtins of bash. */
// deno-fmt-ignore
export const SHELLS: readonly Program[] = [
  { names: "bash rbash sh zsh dash ksh mksh ksh93 rksh lksh pdksh oksh loksh posh hush ash fish yash csh tcsh", syntax: "shell", runs: true, script: "^\\w+ (?:-[euxvl]+ )*-[euxvl]*c " },
  { names: "pwsh powershell cmd.exe elvish nu xonsh", runs: true, dangers: [{ name: "shell", reason: "its language is not analysed" }] },
  { names: "python,python3,python2 pypy,pypy3 ipython node,nodejs deno bun tsx ts-node ruby irb perl php lua luajit tclsh wish osascript Rscript R julia groovy " +
    "scala kotlin jshell elixir iex erl ghci runghc racket guile sbcl clojure swift expect gnuplot octave octave-cli ghc ocaml scheme clisp ecl bb clj jrunscript groovysh slsh", sameOptions: "e,eval p,print,eval r,require A,allow-all", syntax: "language", runs: true, arity: 2, arities: "run:3", files: "deno.json* Package.swift",
    loads: "^(?:--(?:watch|test|enable-source-maps|no-warnings) )*[\\w./-]+\\.[cm]?[jt]sx?(?: |$)", starts: { behind: "^(?:x|-m)$" }, unpacks: "^-m (?:zip|tar)file", script: "^(?:(?:python|pypy)\\d? (?:-[uBEsSIO]+ )*-(?:[uBEsSIO]*c|m json\\.tool)|(?:node|bun|perl|ruby) (?:-(?:[lanpsw\\d]+|i[.\\w]*|[rM][\\w:=,]+) )*-(?:[lanpsw\\d]*e|-eval)|node -(?:p|-print))(?: |$)",
    prints: { "^-p process\\.version(?:s\\.modules|(?:s\\.node|\\.slice\\(1\\))\\.split\\([\"']\\.[\"']\\)\\[[01]\\])$": "number", "^-p process\\.versions\\.node$": "part" }, dangers: [
    { name: "install-global", reason: "programs are installed for every project", options: "g global", verbs: "add|a|install|i" },
    { name: "prints-secrets", reason: "its code prints the environment", words: "\\b(?:process\\.env|os\\.environ)\\b(?!\\s*(?:\\?\\.|[.[\\w]))|\\bos\\.environ\\.(?:items|copy|values)\\b|%ENV\\b|\\bENV\\.(?:to_|each|map|sort|inspect)|\\$_(?:ENV|SERVER)\\b(?!\\s*\\[)|phpinfo\\b|\\bDeno\\.env\\.toObject|\\bBun\\.env\\b(?!\\s*[.[])|\\bprocess\\[[\"']env|\\benv\\b\\s*\\}\\s*=\\s*process\\b|\\bimport environ\\b(?![^]*environ\\s*[.[])|getenv\\(\\)|\\b(?:p|pp|puts|print) ENV\\b(?!\\s*[.[])" },
    { name: "runs-program", reason: "it runs a text", verbs: "exec" },
    { name: "runs-program", reason: "it runs a text", verbs: "task", options: "eval" }] },
  { names: "source .", operands: "read", runs: true, script: "^$" },
  { names: "eval trap", runs: true, inert: true },
  { names: "set", operands: "none", readOnly: "", inert: true, arity: 1, dangers: [
    { name: "prints-secrets", reason: "it prints the environment", most: 0, without: "(?:^| )[-+]" }] },
  { names: "echo test [ true false : shift return exit break continue wait times umask ulimit bg fg disown logout pushd popd dirs suspend caller", operands: "none", readOnly: "",
    inert: true, arity: 1 },
  { names: "jobs", options: "l n p r s x", starts: {}, readOnly: "", prints: { "^(?:-[rs]*p[rs]*|-[rs] -p)$": "number" }, most: 0, inert: true, inertWith: "^$" },
  { names: "cd chdir", operands: "none", readOnly: "", inert: true, edits: "" },
  { names: "pwd", options: "L P", readOnly: "", inert: true, arity: 1 },
  { names: "printf", operands: "none", readOnly: "", inert: true, arity: 1,
    prints: { "^(?=[^ ]*[%\\d])(?![^ ]*\\.\\.|:)(?:%[-0#']*\\d*(?:[diu]|(?:\\.\\d+)?f)|[\\d:.,\\x1f]|\\\\n)+(?: |$)": "number" } },
  { names: "export declare typeset readonly", operands: "none", readOnly: "", inert: true, dangers: [
    { name: "prints-secrets", reason: "it prints the environment", most: 0, without: "(?:^| )-\\w*[aAfF]" }] },
  { names: "local unset read let getopts shopt", operands: "none", readOnly: "", inert: true },
  { names: "complete compgen bind", options: "C: x: F: W: A: G: P: S: X: a b c d e f g j k s u v p r D E I o: l q: m: V", texts: "C x" },
  { names: "mapfile readarray", options: "C: c: d: n: O: s: t u:", texts: "C", readOnly: "C", inert: true },
  { names: "alias unalias enable fc coproc compopt" },
  { names: "hash", readOnly: "", most: 0 },
];
