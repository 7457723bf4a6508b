import { givenAs, parseOptions, valuesOf } from "../../program/parse-options.ts";
import type { FoundProgram } from "../../program/programs.ts";
import { MOST_READINGS } from "../../program/starts.ts";
import { plainText, type Words } from "../../words/word-marks.ts";

/** Whether `xargs` takes whole names from its input, and not from a file that `-a` names. */
export function readsInput(found: FoundProgram | undefined): boolean {
  if (found === undefined) return false;
  const parsed = parseOptions(found.words, { spec: found.spec, strict: true });
  return givenAs(parsed, "a").length === 0 &&
    valuesOf(parsed, "d").every((each) => /^(?:\\n|\n)$/.test(plainText(each)));
}

/** The words that `xargs` reads, by the commands it starts, where the line tells them and nothing in them is quoted. */
export function setsOf(
  text: string | null | undefined,
  found: FoundProgram | undefined,
): readonly Words[] | undefined {
  if (typeof text !== "string" || !/^[\w./ \n-]+$/.test(text) || found === undefined) {
    return undefined;
  }
  const parsed = parseOptions(found.words, { spec: found.spec, strict: true });
  if (parsed.unknown || givenAs(parsed, "0 d E e eof L l max-lines s").length > 0) return undefined;
  const lines = givenAs(parsed, "I i J R").length > 0;
  const [most] = givenAs(parsed, "n");
  // Of both the last one holds.
  if (lines && most !== undefined) return undefined;
  const words = text.split(lines ? /\n[ \n]*/ : /[ \n]+/).map((word) => word.replace(/^ +/, ""))
    .filter((word) => word !== "");
  const size = lines ? 1 : most === undefined ? words.length : Number(most.value);
  const sets = words.flatMap((_, at) => at % size === 0 ? [words.slice(at, at + size)] : []);
  // Without words it starts its command once.
  return size > 0 && sets.length > 0 && sets.length <= MOST_READINGS ? sets : undefined;
}
