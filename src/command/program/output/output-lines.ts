import { defined } from "../../../value/defined.ts";
import {
  NUMBER,
  PART,
  PARTS,
  REF,
  SETUP,
  SOME_FILES,
  TEMPORARY,
  UNKNOWN,
} from "../../words/placeholders.ts";
import { either, joined, type Value } from "../../words/value.ts";
import { isNumber, quoted, type Words } from "../../words/word-marks.ts";

/** What each line of an output can be, as far as the words of a command tell. */
export interface Lines {
  /**
   * What each field can be. Nothing stands behind the last one.
   * An output without any line has no field.
   */
  readonly fields: readonly Value[];
  /** What stands between two fields; absent: blanks. */
  readonly by?: string;
  /** It is one of these texts as a whole, with the newlines that end it, whatever its lines are. */
  readonly texts?: Words;
  /** Or no text, where a program failed that is taken for one that does not. */
  readonly failed?: true;
  /** No newline ends it, so what is printed next goes on with it. */
  readonly open?: true;
  /** Its lines are texts that the line spells, of which it is not known which there are. */
  readonly spelled?: true;
  /** It is what files hold that the line names. */
  readonly stored?: true;
  /** It is JSON, which no part of it need be. */
  readonly json?: true;
}

/** No output at all. */
export const NOTHING: Lines = { fields: [], texts: [""] };
/** What is printed where nothing can be, as it is never run. */
export const NEVER: Lines = { fields: [], texts: [] };
/** Any number of lines, of which none is known yet. */
export const NO_LINES: Lines = { fields: [] };
/** A number in each line. */
export const NUMBERS: Lines = { fields: [[NUMBER]] };

/** What whole lines are. */
export function wholeLine({ fields: [only, ...others] }: Lines = NO_LINES): Words | undefined {
  return others.length === 0 ? only : undefined;
}

/** What a column can be, where lines are split at a separator, or without one at blanks. */
export function columnOf({ fields, by: own = " " }: Lines, at: number, by?: string | null): Value {
  const fits = by === undefined ? /[ \t]/.test(own) : by === own;
  return fits && !fields.slice(0, at).includes(undefined) ? fields[at] : undefined;
}

/** What each line is, where that is a placeholder for one kind of text. */
export function kindOf(lines: Lines | undefined): string | undefined {
  const [kind, ...others] = wholeLine(lines) ?? [];
  return others.length === 0 && kind !== undefined && KIND.test(kind) ? kind : undefined;
}

const OBJECT = quoted("{") + UNKNOWN;
const KIND = new RegExp(
  `^(?:[${NUMBER}${PARTS}${SETUP}${TEMPORARY}${UNKNOWN}]|${OBJECT})$`,
);

/** Whether every line is a number. */
export function areNumbers(lines: Lines | undefined): boolean {
  return kindOf(lines && linesIn(lines)) === NUMBER;
}

/** The same lines, of which some can be left out. */
export function someOf(lines: Lines | undefined): Lines | undefined {
  const some = (name: string) => name === "*" ? SOME_FILES : name;
  return lines && { ...lines, fields: lines.fields.map((field) => field?.map(some)) };
}

/** What comes out of two commands that print one after the other. */
export function joinedLines(one: Lines | undefined, other: Lines | undefined): Lines | undefined {
  if (one === undefined || other === undefined) return undefined;
  if (!one.failed && isNothing(other)) return one;
  if (one.texts && other.texts) {
    const texts = joined(one.failed ? either(one.texts, [""]) : one.texts, other.texts);
    if (texts) return { fields: [], texts };
  }
  const [lines, more] = [linesIn(one), linesIn(other)];
  if (lines === undefined || more === undefined) return undefined;
  return lines.open ? undefined : eitherKind(lines, more);
}

/** What comes out where one of two commands prints. */
export function eitherLines(one: Lines | undefined, other: Lines | undefined): Lines | undefined {
  if (one === other || one === undefined || other === undefined) return one && other;
  if (one.texts && other.texts) {
    const texts = either(one.texts, other.texts);
    const failed = one.failed ?? other.failed;
    if (texts) return { fields: [], texts, ...defined({ failed }) };
  }
  const [lines, more] = [linesIn(one), linesIn(other)];
  return lines && more && eitherKind(lines, more);
}

function eitherKind(one: Lines, other: Lines): Lines | undefined {
  if (one.fields.length === 0) return other;
  if (other.fields.length === 0) return one;
  if (one.by !== other.by || one.fields.length !== other.fields.length) return undefined;
  const { by } = one;
  const fields = one.fields.map((field, at) => {
    const more = other.fields[at];
    return field && more && either(field, more);
  });
  const spelled = one.spelled ?? other.spelled;
  return { fields, ...defined({ by, spelled, open: one.open ?? other.open }) };
}

/** Whether two outputs are the same, as far as they are known. */
export function sameLines(one: Lines | undefined, other: Lines | undefined): boolean {
  return one === other || JSON.stringify(one) === JSON.stringify(other);
}

/** Whether it is certain that nothing is printed. */
export function isNothing({ texts = [] }: Lines): boolean {
  return texts.length > 0 && texts.join() === "";
}

/** A text as lines, any number of times and in any order: blanks, quotes and backslashes mean more to what reads it. */
export function linesIn(lines: Lines): Lines | undefined {
  if (lines.texts === undefined) return lines;
  const texts = lines.texts.filter((text) => text !== "");
  const each = [...new Set(texts.flatMap((text) => text.replace(/\n$/, "").split("\n")))];
  const open = texts.every((text) => text.endsWith("\n")) ? undefined : true as const;
  if (each.length === 0) return NO_LINES;
  if (each.every(isNumber)) return { ...NUMBERS, ...defined({ open }) };
  return each.some((line) => /[\s"'\\]/.test(line))
    ? undefined
    : { fields: [each], spelled: true, ...defined({ open }) };
}

/** Columns as a record spells them, see `Program.prints`. */
export function columns(text: string): Lines {
  const by = /[\t:]/.exec(text)?.[0];
  const fields = text.split(by ?? " ").map((kind) => KINDS[kind]);
  return by === undefined ? { fields } : { fields, by };
}

const KINDS: Readonly<Record<string, Words>> = {
  number: [NUMBER],
  // Of a binary file git counts no lines.
  count: [NUMBER, "-"],
  part: [PART],
  ref: [REF],
  setup: [SETUP],
  word: [UNKNOWN],
  object: [OBJECT],
  temporary: [TEMPORARY],
};
