import { Map as PersistentMap } from "immutable";
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

/** What names hold at some point of the line. */
export type Values = PersistentMap<string, Held>;

/** Nothing is known of any name. */
export const NO_VALUES: Values = PersistentMap();

/** Where the arguments of a function or a script are kept. */
export const ARGUMENTS = "@";
/** Where the name is kept that `sh -c` was given. */
export const SELF = "0";

const PARTS = ["texts", "items", "some", "keys", "isMap", "isFunction"] as const;

/** What is known of a name at some point. */
export function held(values: Values, name: string): Held {
  return values.get(name) ?? { name };
}

/** The same values with some changed; a variable that is set stays a map, and leaves functions alone. */
export function changed(values: Values, changes: readonly Held[]): Values {
  return changes.reduce((all, each) => {
    const { isMap, isFunction } = held(all, each.name);
    return all.set(each.name, { isMap, isFunction, ...each });
  }, values);
}

/** What is known where either holds: `one` itself, where the other one adds nothing. */
export function merged(one: Values, other: Values, merge: typeof either = either): Values {
  if (one === other) return one;
  return one.withMutations((all) => {
    const put = (before: Held, after: Held) => {
      const both = mergedHeld(before, after, merge);
      if (both !== before) all.set(both.name, both);
    };
    one.forEach((before, name) => put(before, held(other, name)));
    other.forEach((after, name) => void (one.has(name) || put({ name }, after)));
  });
}

function mergedHeld(one: Held, other: Held, merge: typeof either): Held {
  if (one === other) return one;
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
function keptTexts(some: Value, others: Value): Value {
  const isSame = some?.length === others?.length &&
    some?.every((text, at) => text === others?.[at]);
  return isSame ? some : undefined;
}
