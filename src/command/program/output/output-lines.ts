import { defined } from "../../../event/defined.ts";
import { NUMBER, PART, SETUP, TEMPORARY, UNKNOWN } from "../../words/placeholders.ts";
import { isNumber, quoted, type Words } from "../../words/word-marks.ts";

/** What each line of an output can be, as far as the words of a command tell. */
export interface Lines {
  /**
   * The marked texts that each field can be; `undefined`: any text. Nothing stands behind the last one.
   * An output without any line has no field.
   */
  readonly fields: readonly (Words | undefined)[];
  /** What stands between two fields; absent: blanks. */
  readonly by?: string;
  /** It is one text as a whole, whatever that holds. */
  readonly text?: true;
  /** No newline ends it, so what is printed next goes on with it. */
  readonly open?: true;
  /** Its lines are texts that the line spells, of which it is not known which there are. */
  readonly spelled?: true;
  /** It is what files hold that the line names. */
  readonly stored?: true;
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

const OBJECT = quoted("{") + UNKNOWN;
const KIND = new RegExp(`^(?:[${NUMBER}${PART}${SETUP}${TEMPORARY}${UNKNOWN}]|${OBJECT})$`);

/** Whether every line is a number. */
export function areNumbers(lines: Lines | undefined): boolean {
  return kindOf(lines) === NUMBER;
}

/** Some files that are not hidden; `*` would be all of them, see `isAll` in `permission/concerns/workspace.ts`. */
export const SOME_FILES = "[!./]*";

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
  // A number goes on with another one, and is one.
  if (one.open && !(isNumeric(one) && isNumeric(other))) return undefined;
  if (one.text ?? other.text) return joinedLines(linesIn(one), linesIn(other));
  if (one.by !== other.by || one.fields.length !== other.fields.length) return undefined;
  const { by } = one;
  const fields = one.fields.map((field, at) => {
    const more = other.fields[at];
    return field && more && [...new Set([...field, ...more])];
  });
  const spelled = one.spelled ?? other.spelled;
  return { fields, ...defined({ by, spelled, open: other.open }) };
}

function isNumeric({ fields: [texts, ...others] }: Lines): boolean {
  return others.length === 0 && texts !== undefined && texts.every(isNumber);
}

/** A text as a line between others: blanks, quotes and backslashes mean more to what reads it. */
export function linesIn(lines: Lines): Lines | undefined {
  const { text, fields: [texts = []], open } = lines;
  if (text === undefined) return lines;
  if (isNumeric(lines)) return { ...NUMBERS, ...defined({ open }) };
  const each = texts.flatMap((one) => one.split("\n"));
  return each.some((line) => line === "" || /[\s"'\\]/.test(line))
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
  part: [PART],
  setup: [SETUP],
  word: [UNKNOWN],
  object: [OBJECT],
  temporary: [TEMPORARY],
};
