import { analyse } from "../../command/analyse.ts";
import { givenAs, optionSpec, parseOptions } from "../../command/program/parse-options.ts";
import type { FoundProgram, Programs } from "../../command/program/programs.ts";
import { startedBy } from "../../command/program/starts.ts";

/** What a program takes its input for; `keys`: some of it are commands that run others. */
export type InputReader = "shell" | "code" | "keys" | "data";

/** Options with a value, which is no script; where programs differ, all count. */
const SHELL = optionSpec("o: O: C: rcfile: init-file: init-command: emulate:");
const LANGUAGE = optionSpec("W: X: I: L: C: S: r: require: import: loader: conditions:");
const STANDARD_INPUT = /^(?:-|\/dev\/(?:stdin|tty|fd\/0)|\/proc\/self\/fd\/0)$/;
/** Options with which a script does not have the input for itself. */
const INTERACTIVE_SHELL = /^(?:[is]|interactive)$/;
const INTERACTIVE_LANGUAGE = /^(?:[cdeimps]|eval|print|interactive)$/;
/** First words that ask for a prompt. */
const PROMPTS = /^(?:repl|inspect|debug|console|shell|develop)$/;
/** Programs whose own commands run others, or change what is kept. */
const CONSOLES =
  /^(?:psql|sqlite3|mysql|mariadb|mongo|mongosh|redis-cli|docker|podman|kubectl|parallel|xargs|at|batch|nix-shell)$/;
/** Programs that show what is long in a pager. */
const PAGED = /^(?:git|journalctl|systemctl|bat|batcat)$/;

/** What a program takes its input for. */
export function readerOf(
  [first = "", ...rest]: readonly string[],
  programs: Programs,
): InputReader {
  // The name of a login shell begins with a dash.
  const found = programs.find([first.replace(/^-/, ""), ...rest]);
  if (found === undefined) return "data";
  const { program: { syntax, starts, dangers }, name, words } = found;
  if (syntax === "shell") {
    const text = shellText([first, ...rest], programs);
    if (text !== undefined) return readerOfText(text, programs);
    return hasScript(dashed(words), { spec: SHELL, interactive: INTERACTIVE_SHELL })
      ? "data"
      : "shell";
  }
  if (syntax === "language") {
    const { interactive, spec } = { interactive: INTERACTIVE_LANGUAGE, spec: LANGUAGE };
    return hasScript(words, { spec, interactive }) ? "data" : "code";
  }
  const interactive = dangers?.some(({ name: danger }) =>
    /^(?:interactive|privilege|sends-data|shell)$/.test(danger)
  );
  if (interactive || CONSOLES.test(name)) return "code";
  if (keysOf(found, programs) !== undefined) return "keys";
  return starts === undefined ? "data" : readerStarted(found, programs);
}

/** The text behind `-c` that a shell runs, instead of its input. */
export function shellText(
  [first = "", ...rest]: readonly string[],
  programs: Programs,
): string | undefined {
  const found = programs.find([first.replace(/^-/, ""), ...rest]);
  if (found?.program.syntax !== "shell") return undefined;
  const words = dashed(found.words);
  const { options, rest: at } = parseOptions(words, { spec: SHELL, strict: true });
  return options.some(({ name }) => /^c(?:ommand)?$/.test(name)) ? words[at] : undefined;
}

/** What reads the input of the commands in a text for a shell; where they differ, what is riskiest. */
function readerOfText(text: string, programs: Programs): InputReader {
  const { commands, certainty } = analyse(text, { cwd: "/" }, { programs });
  const readers = commands.map(({ argv }) => readerOf(argv.map((word) => word ?? ""), programs));
  if (certainty === "opaque") return "code";
  return (["code", "shell", "keys"] as const).find((each) => readers.includes(each)) ?? "data";
}

/** Options of a shell can have a plus in place of the dash. */
function dashed(words: readonly string[]): readonly string[] {
  return words.map((word) => word.replace(/^\+/, "-"));
}

/** The commands of a program that run others, as a regular expression, as far as they are typed. */
export function keysOf({ program, name }: FoundProgram, programs: Programs): string | undefined {
  const { keys, escape } = PAGED.test(name) ? programs.find(["less"])?.program ?? {} : program;
  return keys ?? escape;
}

/** Whether a script reads the input, as data. */
function hasScript(
  words: readonly string[],
  { spec, interactive }: {
    readonly spec: ReturnType<typeof optionSpec>;
    readonly interactive: RegExp;
  },
): boolean {
  const { options, rest } = parseOptions(words, { spec, strict: true });
  const [script] = words.slice(rest);
  return script !== undefined && !STANDARD_INPUT.test(script) && !PROMPTS.test(script) &&
    !options.some(({ name }) => interactive.test(name));
}

/** What reads the input of a program that starts another one; what is not certain counts as code. */
function readerStarted(found: FoundProgram, programs: Programs): InputReader {
  const { program: { starts, texts }, spec, words } = found;
  const subcommand = starts?.behind !== undefined;
  const parsed = parseOptions(words, { spec, strict: !subcommand && !starts?.each });
  const { started = [], texts: written = [] } = startedBy(found, parsed);
  if (written.length > 0 || givenAs(parsed, texts).length > 0) return "code";
  if (started.length === 0) {
    const [verb = ""] = parsed.operands;
    return subcommand && !PROMPTS.test(verb) ? "data" : "code";
  }
  const [only] = started;
  if (only?.sure) return readerOf(only.words, programs);
  return started.some((each) => programs.find(each.words) !== undefined) ? "code" : "data";
}
