import { NUMBER, PART, SETUP, UNKNOWN } from "../../words/placeholders.ts";
import type { Words } from "../../words/word-marks.ts";

/** What each line of an output can be, as far as the words of a command tell. */
export interface Lines {
  /**
   * The marked texts that each field can be; `undefined`: any text. Nothing stands behind the last one.
   * An output without any line has no field.
   */
  readonly fields: readonly (Words | undefined)[];
  /** What stands between two fields; absent: blanks. */
  readonly by?: string;
}

/** No output at all. */
export const NOTHING: Lines = { fields: [] };
/** A number in each line. */
export const NUMBERS: Lines = { fields: [[NUMBER]] };

/** What whole lines are. */
export function wholeLine({ fields: [only, ...others] }: Lines = NOTHING): Words | undefined {
  return others.length === 0 ? only : undefined;
}

/** What each line is, where that is a placeholder for one kind of text. */
export function kindOf(lines: Lines | undefined): string | undefined {
  const [kind, ...others] = wholeLine(lines) ?? [];
  return others.length === 0 && kind !== undefined && KIND.test(kind) ? kind : undefined;
}

const KIND = new RegExp(`^[${NUMBER}${PART}${SETUP}${UNKNOWN}]$`);

/** Whether every line is a number. */
export function areNumbers(lines: Lines | undefined): boolean {
  return kindOf(lines) === NUMBER;
}

/** Some files that are not hidden; `*` would be all of them, see `isAll` in `permission/concerns/workspace.ts`. */
export const SOME_FILES = "[!.]*";

/** The same lines, of which some can be left out. */
export function someOf(lines: Lines | undefined): Lines | undefined {
  const some = (name: string) => name === "./*" ? `./${SOME_FILES}` : name;
  return lines && { ...lines, fields: lines.fields.map((field) => field?.map(some)) };
}

/** What comes out of two commands that print one after the other. */
export function joinedLines(one: Lines | undefined, other: Lines | undefined): Lines | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (one.fields.length === 0) return other;
  if (other.fields.length === 0) return one;
  if (one.by !== other.by || one.fields.length !== other.fields.length) return undefined;
  const fields = one.fields.map((field, at) => {
    const more = other.fields[at];
    return field && more && [...new Set([...field, ...more])];
  });
  return { ...one, fields };
}

/** Columns as a record spells them, see `Program.prints`. */
export function columns(text: string): Lines {
  const by = /[\t:]/.exec(text)?.[0];
  const fields = text.split(by ?? " ").map((kind) => KINDS[kind]);
  return by === undefined ? { fields } : { fields, by };
}

const KINDS: Readonly<Record<string, Words>> = {
  number: [NUMBER],
  part: [PART],
  setup: [SETUP],
  word: [UNKNOWN],
};
