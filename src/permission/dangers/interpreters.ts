import type { Danger, Inspected } from "./danger.ts";

const SHELLS =
  "sh bash rbash zsh dash ksh mksh ash fish yash csh tcsh pwsh powershell cmd.exe elvish nu xonsh";
const LANGUAGES =
  "python python2 python3 pypy pypy3 ipython node nodejs deno bun tsx ts-node ruby irb perl php lua luajit tclsh wish " +
  "osascript Rscript R julia groovy scala kotlin jshell elixir iex erl ghci runghc racket guile sbcl clojure swift expect";
const CONSOLES =
  "psql sqlite3 mysql mariadb mongo mongosh redis-cli gdb lldb vim vi nvim view ex ed emacs nano m4";
const SET_OF_SHELLS = new Set(SHELLS.split(" "));
const SET_OF_LANGUAGES = new Set(LANGUAGES.split(" "));
const SET_OF_CONSOLES = new Set(CONSOLES.split(" "));
const INLINE =
  /^(?:-[A-Za-z]*[cerEpP]|-[A-Za-z]*e|--eval|--print|--exec|eval|repl|-c.+|-e.+|--eval=.*|--print=.*)$/;
const EVALUATORS: ReadonlyMap<string, string> = new Map([
  ["eval", "its words are run as a command"],
  ["source", "it runs a file in this shell"],
  [".", "it runs a file in this shell"],
  ["coproc", "it runs a command beside"],
  ["exec", "it replaces the shell"],
  ["builtin", "it goes around functions"],
  ["fc", "it runs commands of the history"],
  ["shopt", "it changes how text is read"],
  ["enable", "it loads or switches off builtins"],
  ["alias", "it changes what names mean"],
  ["bind", "it binds keys to commands"],
]);

/** Whether a program runs programs that are written in its arguments, its input or a file. */
export function isInterpreter(name: string): boolean {
  const plain = name.replace(/(?:[-.]?\d+)+$/, "");
  return [name, plain].some((each) =>
    SET_OF_SHELLS.has(each) || SET_OF_LANGUAGES.has(each) || SET_OF_CONSOLES.has(each)
  );
}

/** Interpreters, and builtins that evaluate. */
export function interpreters({ name, args, command }: Inspected): readonly Danger[] {
  const dangers: Danger[] = [];
  const evaluator = EVALUATORS.get(name);
  if (evaluator !== undefined) dangers.push({ name, reason: `"${name}": ${evaluator}` });
  if (
    name === "trap" &&
    !args.every((arg) =>
      arg === "-" || arg === "" || arg?.startsWith("-") === true || /^[A-Z]+$/.test(arg ?? "")
    )
  ) {
    dangers.push({ name, reason: '"trap": a command runs later' });
  }
  if (
    /^(?:complete|compgen)$/.test(name) &&
    args.some((arg) => arg === null || /^-[A-Za-z]*[CFW]/.test(arg))
  ) {
    dangers.push({ name, reason: `"${name}" runs or expands text` });
  }
  if (
    /^(?:mapfile|readarray)$/.test(name) &&
    args.some((arg) => arg === null || /^-[A-Za-z]*C/.test(arg))
  ) {
    dangers.push({ name, reason: `"${name}" runs a callback` });
  }
  if (name === "history" && args.some((arg) => arg === null || /^-/.test(arg))) {
    dangers.push({ name, reason: '"history" writes or runs the history' });
  }
  if (name === "set" && args.some((arg) => arg === null)) {
    dangers.push({ name, reason: '"set" with options known only at run time' });
  }
  if (!isInterpreter(name)) return dangers;
  if (args.length === 1 && /^(?:--version|-V|-v|--help|-h)$/.test(args[0] ?? "")) return dangers;
  const inline = args.some((arg) => arg === null || INLINE.test(arg));
  if (SET_OF_SHELLS.has(name)) {
    dangers.push({ name: "shell", reason: `"${name}" is a shell`, unless: "exact" });
  } else if (inline) {
    dangers.push({
      name: "inline-code",
      reason: `"${name}" runs code from its arguments`,
      unless: "exact",
    });
  } else if (
    args.length === 0 ||
    command.input !== undefined && args.every((arg) => arg?.startsWith("-") === true)
  ) {
    dangers.push({
      name: "input-code",
      reason: `"${name}" runs code from its input`,
      unless: "exact",
    });
  } else {
    // `python3 -m pytest` and `deno test` name what they run in the words that follow.
    const spelled = args[0]?.startsWith("-") === true ? 3 : 2;
    dangers.push({ name: "interpreter", reason: `"${name}" runs other code`, unless: spelled });
  }
  return dangers;
}
