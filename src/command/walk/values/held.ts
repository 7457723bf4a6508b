import { either, type Value } from "../../words/value.ts";
import type { Words } from "../../words/word-marks.ts";

/** What is known of a name, as a variable and as a function; what is absent can be anything. */
export interface Held {
  readonly name: string;
  /** What it holds as a text. */
  readonly texts?: Value;
  /** The elements of an array, in their order. */
  readonly items?: Words | undefined;
  /** What one of them, or of the values of a map, can be: it is not known which there are. */
  readonly some?: Value;
  /** What a key of a map can be. */
  readonly keys?: Value;
  /** It is a map for certain: where that was only said elsewhere, subscripts are evaluated. */
  readonly isMap?: true | undefined;
  /** It is a function of the line for certain. */
  readonly isFunction?: true | undefined;
}

/** What names hold at some point of the line, in pieces by their names: a change copies one of them. */
export type Values = readonly (readonly Held[])[];

/** Nothing is known of any name. */
export const NO_VALUES: Values = Array.from({ length: 32 }, () => []);

/** Where the arguments of a function or a script are kept. */
export const ARGUMENTS = "@";
/** Where the name is kept that `sh -c` was given. */
export const SELF = "0";

const PARTS = ["texts", "items", "some", "keys", "isMap", "isFunction"] as const;

/** What is known of a name at some point. */
export function held(values: Values, name: string): Held {
  return values[pieceOf(name)]?.find((each) => each.name === name) ?? { name };
}

/** The same values with some changed; a variable that is set stays a map, and leaves functions alone. */
export function changed(values: Values, changes: readonly Held[]): Values {
  return changes.reduce((all, each) => {
    const { isMap, isFunction } = held(all, each.name);
    return put(all, { isMap, isFunction, ...each });
  }, values);
}

function put(values: Values, each: Held): Values {
  const at = pieceOf(each.name);
  const others = values[at]?.filter(({ name }) => name !== each.name) ?? [];
  return values.with(at, [...others, each]);
}

/** Names that are numbered differ in their ends. */
function pieceOf(name: string): number {
  return (7 * name.length + name.charCodeAt(name.length - 1)) % NO_VALUES.length || 0;
}

/** What is known where either holds: `one` itself, where the other one adds nothing. */
export function merged(one: Values, other: Values, merge: typeof either = either): Values {
  let all = one;
  for (const [at, piece] of one.entries()) {
    const others = other[at] ?? [];
    if (piece === others) continue;
    const names = new Set([...piece, ...others].map(({ name }) => name));
    for (const name of names) {
      const [before, more] = [held(one, name), held(other, name)];
      const both = before === more ? before : mergedHeld(before, more, merge);
      if (both !== before) all = put(all, both);
    }
  }
  return all;
}

function mergedHeld(one: Held, other: Held, merge: typeof either): Held {
  const both: Held = {
    name: one.name,
    texts: merge(one.texts, other.texts),
    // They stand in a row, and are no choice.
    items: keptTexts(one.items, other.items),
    some: merge(one.some, other.some),
    keys: merge(one.keys, other.keys),
    isMap: one.isMap && other.isMap,
    isFunction: one.isFunction && other.isFunction,
  };
  return PARTS.every((part) => both[part] === one[part]) ? one : both;
}

/** The texts that are the same in both. */
export function keptTexts(some: Value, others: Value): Value {
  const isSame = some?.length === others?.length &&
    some?.every((text, at) => text === others?.[at]);
  return isSame ? some : undefined;
}
