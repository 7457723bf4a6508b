import type { CommandExpansionPart } from "unbash";
import { isPattern, isUnknown, plainText, quoted, type Words } from "../../words/word-marks.ts";
import { ANY, TEMPORARY, UNKNOWN } from "../../words/placeholders.ts";
import { markWord } from "../../words/word.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";
import { kindOf } from "../../program/output/output-lines.ts";
import { lastCommand } from "./last-command.ts";
import { linesOf, type Printers } from "./script-lines.ts";
import { spelledOutput } from "./printed.ts";

/** What a command substitution puts into a word. */
export function outputOf(walk: Walker, part: CommandExpansionPart, state: State): string {
  const { choices } = walk.context;
  const spelled = spelledOutput(part);
  if (spelled !== undefined) return quoted(spelled);
  const kind = kindOf(linesOf(part.script, printersOf(walk)));
  if (kind !== undefined) return kind;
  const words = lastCommand(part);
  const alone = lastCommand(part, { alone: true });
  // Not where its errors are taken, too, and no script of that name.
  if (alone?.[0] === "mktemp" && alone.every((word) => OF_MKTEMP.test(word))) return TEMPORARY;
  const text = words?.join(" ") ?? "";
  // What `jq -n '{…}'` prints begins with a brace.
  if (JQ_OBJECT.test(words?.join("\0") ?? "")) return quoted("{") + UNKNOWN;
  const texts = partOfName(walk, part, state);
  if (texts !== undefined) return choices.placeholder(texts);
  const dirs = printedDirectories(walk, text, state);
  if (dirs === undefined) return UNKNOWN;
  return dirs.length === 1 ? dirs[0] ?? UNKNOWN : choices.placeholder(dirs);
}

/** What can print in a substitution. */
export function printersOf({ context, functions }: Walker): Printers {
  const { programs, outputs: known } = context;
  return { programs, functions, known, distrusts: () => context.distrusts };
}

/** Where the shell may stand, where that is known. */
export function directoriesOf({ lost, dirs }: State): readonly string[] | undefined {
  return lost || dirs.some(isPattern) ? undefined : dirs;
}

/** A word of `mktemp` with which it prints one path. */
const OF_MKTEMP = new RegExp(`^[\\w./${ANY}=-]+$`);

const JQ_OBJECT = new RegExp(
  String.raw`^jq\0(?:.*\0)?-[a-zA-Z]*n[a-zA-Z]*\0(?![^]*${UNKNOWN})(?:[^]*\0)?\s*\{[^|]*\}\s*$`,
);

/** The directories that a command prints. */
function printedDirectories(
  { context: { facts } }: Walker,
  text: string,
  state: State,
): readonly string[] | undefined {
  const here = directoriesOf(state);
  if (/^pwd(?: -[LP])*$/.test(text)) return here;
  const isHere = here?.length === 1 && plainText(here[0]) === facts.cwd;
  const top = isHere && text === "git rev-parse --show-toplevel" && facts.workTree?.();
  return top ? [quoted(top)] : undefined;
}

/** What `dirname` or `basename` makes of a word that the line tells. */
function partOfName(walk: Walker, part: CommandExpansionPart, state: State): Words | undefined {
  const [statement, ...more] = part.script?.commands ?? [];
  const command = statement?.command;
  if (more.length > 0 || lastCommand(part) === undefined || command?.type !== "Command") {
    return undefined;
  }
  const tool = command.name?.text ?? "";
  if (!/^(?:dir|base)name$/.test(tool)) return undefined;
  const [word, suffix, ...others] = command.args.map((each) => markWord(each, walk.scope(state)));
  if (others.length > 0 || (tool === "dirname" && suffix !== undefined)) return undefined;
  const texts = walk.context.choices.expand(word ?? UNKNOWN);
  if ([...texts, suffix ?? ""].some(isUnknown) || /^-/.test(word ?? "")) return undefined;
  const ending = plainText(suffix);
  if (!/^[\w.-]*$/.test(ending)) return undefined;
  return texts.map((text) => {
    const [, dir = "", name = ""] = /^(?:([^]*?)\/+)?([^/]*)\/*$/.exec(text) ?? [];
    const root = text.startsWith("/") ? "/" : "";
    if (tool === "dirname") return dir || root || ".";
    // A name that is the suffix stays.
    const ends = ending !== "" && name.length > ending.length && plainText(name).endsWith(ending);
    return ends ? name.slice(0, -ending.length) : name || root;
  });
}
