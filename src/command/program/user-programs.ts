import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import { shownValue } from "../../value/shown.ts";
import type { Program } from "./program-record.ts";
import { Programs } from "./programs.ts";

/** See `parse-options.ts`. */
const ENTRY = "-?[^\\s,:=?]+(?:,-?[^\\s,:=?]+)*(?:::|\\?=|[:=?])?";
const table = v.exactOptional(v.pipe(
  v.string(),
  v.regex(
    new RegExp(`^\\s*(?:${ENTRY}(?:\\s+|$))*$`),
    'it must be names separated by blanks, synonyms by commas, and ":", "=", "::" or "?" behind them',
  ),
));
const text = v.exactOptional(v.string());
const count = v.exactOptional(v.number());
const yes = v.exactOptional(v.literal(true));
const operands = v.picklist([
  "read",
  "write",
  "none",
  "change",
  "copy",
  "move",
  "filter",
  "split",
  "use",
  "name",
]);

// deno-fmt-ignore
const PROGRAM = v.strictObject({
  names: v.pipe(v.string(), v.regex(/^\S+(?: \S+)*$/, "it must be names separated by blanks")),
  options: table, sameOptions: table, goals: text, operands: v.exactOptional(operands), skip: count, unless: text, reads: text, writes: text, marked: text, lists: text, saves: text, writing: text, target: text, loads: text,
  fetches: text, unpacks: text, script: text, scripts: text, files: text,
  starts: v.exactOptional(v.strictObject({
    operands: count, assignments: yes, text: yes, each: yes, except: text, unless: text, directory: text, appends: yes, replaces: text, behind: text, apart: yes, shell: yes, transparent: yes,
  })),
  texts: text, escape: text, runs: yes, readOnly: text, readsWith: text, shortens: yes, synonyms: text, verbs: text, most: count, plain: text, edits: text, shows: text, inert: yes, inertWith: text,
  dangers: v.exactOptional(v.array(v.strictObject({
    name: v.string(), reason: v.string(), options: text, values: text, verbs: text, unless: text, first: text, words: text, most: count, except: text, exceptOperands: text, startsKnown: yes, operandsAlone: yes, without: text, lines: v.exactOptional(v.array(v.string())), input: yes, code: yes,
  }))),
  arity: count, arities: text,
}) satisfies v.GenericSchema<Omit<Program, "syntax" | "prints" | "commands">>;

/** The fields that are regular expressions. */
const PATTERNS = ["plain", "escape", "keys", "unpacks", "script"] as const;

/**
 * Add records of the user to the programs that are known.
 *
 * @throws {TypeError} When one is no record, with its names.
 */
export function readPrograms(records: readonly Program[]): Programs {
  for (const record of records) {
    checkFields(PROGRAM, record, `Cannot read the program ${shownValue(record?.names)} with`);
    const { starts, dangers = [] } = record;
    const own = PATTERNS.map((field) => record[field]);
    const patterns = [
      ...own,
      starts?.behind,
      ...dangers.flatMap(({ words, lines = [] }) => [words, ...lines]),
    ];
    for (const pattern of patterns) new RegExp(pattern ?? "");
  }
  return new Programs(records);
}
