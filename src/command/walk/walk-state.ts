import { eitherLines, type Lines, sameLines } from "../program/output/output-lines.ts";
import { UNKNOWN } from "../words/placeholders.ts";

/** Where the shell may stand at some point of the line, and what its variables may hold. */
export interface State {
  /** Every directory that is possible, as far as they are known: marked, a pattern is one that fits it. */
  readonly dirs: readonly string[];
  /** It may also stand somewhere that is known only at run time. */
  readonly lost: boolean;
  /** The marked texts that variables can have; a name that is absent can have any. */
  readonly values: ReadonlyMap<string, readonly string[]>;
  /** Nothing that follows is run: the shell, the function or the round has ended. */
  readonly ended?: true;
  /** The directories that `pushd` left, the last first; absent: known only at run time. */
  readonly stack: readonly (readonly string[])[] | undefined;
  /** What the process has printed until then; `undefined`: any text, or no one looks at it. */
  readonly printed: Lines | undefined;
}

/** The state of the shell after a statement, by how it ended. */
export interface After {
  readonly ok: State;
  readonly fail: State;
}

/** At most so many directories, and so many values of one variable, are followed. */
const MOST = 16;

/** What a variable can hold that the line does not set. */
const ANY = [UNKNOWN];

/** The end of what leaves the shell as it is. */
export function staying(state: State): After {
  return { ok: state, fail: state };
}

/** Both ends are possible. */
export function union(one: After, other: After): After {
  return { ok: either(one.ok, other.ok), fail: either(one.fail, other.fail) };
}

/** Both states are possible. */
export function either(one: State, other: State): State {
  if (one === other || other.ended && !one.ended) return one;
  if (one.ended && !other.ended) return other;
  const dirs = one.dirs === other.dirs ? one.dirs : [...new Set([...one.dirs, ...other.dirs])];
  const values = eitherValues(one.values, other.values);
  const lost = one.lost || other.lost || dirs.length > MOST;
  const stack = eitherStack(one.stack, other.stack);
  const ended = one.ended && { ended: one.ended };
  const printed = eitherLines(one.printed, other.printed);
  return { dirs: dirs.length > MOST ? [] : dirs, lost, values, stack, printed, ...ended };
}

function eitherValues(one: State["values"], other: State["values"]): State["values"] {
  if (one === other) return one;
  const values = new Map<string, readonly string[]>();
  for (const name of new Set([...one.keys(), ...other.keys()])) {
    const [texts = ANY, others = ANY] = [one.get(name), other.get(name)];
    const same = texts.length === others.length && texts.every((text, i) => text === others[i]);
    const all = texts === others ? texts : [...new Set([...texts, ...others])];
    // The elements of an array stand in a row, and are no choice; a function is there or not.
    if (same || (/^\w+(?:\[[*!]\])?$/.test(name) && all.length <= MOST)) {
      values.set(name, same ? texts : all);
    }
  }
  return values;
}

/** Where nothing was pushed, `popd` fails and leaves the shell where it is. */
function eitherStack(one: State["stack"], other: State["stack"]): State["stack"] {
  if (isSameStack(one, other)) return one;
  if (one?.length === 0 && other?.length === 1) return other;
  return other?.length === 0 && one?.length === 1 ? one : undefined;
}

function isSameStack(one: State["stack"], other: State["stack"]): boolean {
  return one === other ||
    (one !== undefined && one.length === other?.length &&
      one.every((dirs, at) => areEqual(dirs, other[at])));
}

function areEqual(some: readonly string[] = [], others: readonly string[] | undefined): boolean {
  return others !== undefined && some.length === others.length &&
    some.every((each) => others.includes(each));
}

/** Whether two states are the same. */
export function sameState(one: State, other: State): boolean {
  if (one === other) return true;
  return one.lost === other.lost && isSameStack(one.stack, other.stack) &&
    sameLines(one.printed, other.printed) &&
    areEqual(one.dirs, other.dirs) && one.values.size === other.values.size &&
    [...one.values].every(([name, texts]) => areEqual(texts, other.values.get(name)));
}

/** What still holds after any number of rounds that change a state like this. */
export function widened(before: State, after: State): State {
  const moved = before.lost !== after.lost || before.dirs.length !== after.dirs.length;
  const values = [...after.values].filter(([name, texts]) =>
    before.values.get(name)?.length === texts.length
  );
  const printed = sameLines(before.printed, after.printed) ? after.printed : undefined;
  return { ...after, lost: after.lost || moved, values: new Map(values), printed };
}

/** What follows the name of an array where its elements are kept in their order. */
export const ELEMENTS = "[@]";
/** The same for the texts that they can be, where it is not known which there are. */
export const SOME = "[*]";
/** The same for the keys of a map. */
export const KEYS = "[!]";
/** What follows the name of a map from where it was declared on. */
export const MAP = "{}";
/** Where the arguments of a function or a script are kept. */
export const ARGUMENTS = "@[@]";

/** Whether a name is a map for certain: where that was only said elsewhere, subscripts are evaluated. */
export function isMap(name: string, maps: ReadonlySet<string>, { values }: State): boolean {
  return maps.has(name) && values.has(name + MAP);
}

/** The same state with other values of some variables; `undefined` forgets one. */
export function withValues(
  state: State,
  changes: readonly (readonly [name: string, texts: readonly string[] | undefined])[],
): State {
  if (changes.length === 0) return state;
  const values = new Map(state.values);
  for (const [name, texts] of changes) {
    if (/^\w+$/.test(name)) {
      for (const part of [ELEMENTS, SOME, KEYS]) values.delete(name + part);
    }
    if (texts === undefined) values.delete(name);
    else values.set(name, texts);
  }
  return { ...state, values };
}

/** The same state with nothing known of any variable. */
export function withoutValues(state: State): State {
  return { ...state, values: new Map() };
}
