import { NUMBER, UNKNOWN } from "./placeholders.ts";
import type { Words } from "./word-marks.ts";

/**
 * What a text can be at some point of a line: one of these marked texts, or any where it is
 * `undefined`. A placeholder or a pattern among them stands for all the texts that it can be, so
 * `UNKNOWN` beside others is any text, of which some are known by name.
 *
 * What variables, elements, arguments, directories, fields of lines and outputs can be are values. They
 * are a lattice by what they stand for, from no texts, which is what is never reached, up to any:
 *
 * - `either` stands for what one of the two stands for. The order of the two, and how often each is
 *   given, makes no difference to that; no texts change nothing.
 * - `joined` stands for each text of the first with each of the second behind it. An empty text
 *   changes nothing; behind or in front of no texts there are none.
 * - Where more than `MOST` texts would be named, both stand for any.
 */
export type Value = Words | undefined;

/** More texts than this are not told apart. */
export const MOST = 16;

const ANY: Words = [UNKNOWN];

/** What is one or the other: `one` itself, where the other adds nothing. */
export function either(one: Value, other: Value): Value {
  if (one === other) return one;
  const isKnown = (text: string) =>
    one?.includes(text) || (/^\d+$/.test(text) && one?.includes(NUMBER));
  const more = (other ?? ANY).filter((text) => !isKnown(text));
  if (more.length === 0) return one;
  return limited([...one ?? ANY, ...more]);
}

/** What is one with the other behind it. */
export function joined(one: Value, other: Value): Value {
  if (one?.length === 0 || other?.length === 0) return [];
  return one && other && limited(one.flatMap((before) => other.map((after) => before + after)));
}

function limited(texts: Words): Value {
  const all = new Set(texts);
  return all.size > MOST ? undefined : [...all];
}
