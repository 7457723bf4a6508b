import * as v from "valibot";
import type { Program } from "./program.ts";
import { Programs } from "./programs.ts";

const text = v.optional(v.string());
const yes = v.optional(v.literal(true));

const PROGRAM = v.strictObject({
  names: v.pipe(v.string(), v.regex(/^\S+(?: \S+)*$/, "it must be names separated by blanks")),
  options: text,
  operands: v.optional(v.picklist(["read", "write", "none", "copy", "move", "filter", "last"])),
  skip: v.optional(v.number()),
  unless: text,
  reads: text,
  writes: text,
  writing: text,
  target: text,
  starts: v.optional(v.strictObject({
    operands: v.optional(v.number()),
    assignments: yes,
    text: yes,
    except: text,
    unless: text,
    appends: yes,
    replaces: text,
    behind: text,
    transparent: yes,
  })),
  texts: text,
  runs: yes,
  readOnly: text,
  verbs: text,
  most: v.optional(v.number()),
  plain: text,
  edits: yes,
  dangers: v.optional(v.array(v.strictObject({
    name: v.string(),
    reason: v.string(),
    options: text,
    verbs: text,
    words: text,
    most: v.optional(v.number()),
  }))),
  arity: v.optional(v.number()),
  arities: text,
});

/**
 * Add records of the user to the programs that are known.
 *
 * @throws {TypeError} When one is no record, with its names.
 */
export function readPrograms(records: readonly Program[]): Programs {
  for (const record of records) {
    const { success, issues } = v.safeParse(PROGRAM, record);
    if (!success) {
      const [{ message }] = issues;
      throw new TypeError(
        `Cannot read the program "${record?.names}": ${
          v.getDotPath(issues[0]) ?? "it"
        }: ${message}`,
      );
    }
    const patterns = [
      record.starts?.behind,
      record.plain,
      ...(record.dangers ?? []).map(({ words }) => words),
    ];
    for (const pattern of patterns) if (pattern !== undefined) new RegExp(pattern);
  }
  return new Programs(records);
}
