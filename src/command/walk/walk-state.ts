import { either as eitherText, type Value } from "../words/value.ts";
import { NUMBER, UNKNOWN } from "../words/placeholders.ts";
import { isCount, type Words } from "../words/word-marks.ts";
import { eitherLines, type Lines, sameLines } from "../program/output/output-lines.ts";
import { changed, type Held, merged, NO_VALUES, type Values } from "./values/held.ts";

/** Where the shell may stand at some point of the line, and what its variables may hold. */
export interface State {
  /** Every directory that is possible: marked, a pattern is one that fits it. */
  readonly dirs: Words;
  /** What variables can hold. */
  readonly values: Values;
  /** Nothing that follows is run: the shell, the function or the round has ended. */
  readonly ended?: true;
  /** The directories that `pushd` left, the last first; absent: known only at run time. */
  readonly stack: readonly Words[] | undefined;
  /** What the process has printed until then; `undefined`: any text, or no one looks at it. */
  readonly printed: Lines | undefined;
}

/** The state of the shell after a statement, by how it ended. */
export interface After {
  readonly ok: State;
  readonly fail: State;
}

/** Somewhere that is known only at run time. */
export const ANYWHERE: Words = [UNKNOWN];

/** The end of what leaves the shell as it is. */
export function staying(state: State): After {
  return { ok: state, fail: state };
}

/** Both ends are possible. */
export function union(one: After, other: After): After {
  return { ok: either(one.ok, other.ok), fail: either(one.fail, other.fail) };
}

/** Both states are possible: `one` itself, where the other one adds nothing. */
export function either(one: State, other: State): State {
  if (one === other || other.ended && !one.ended) return one;
  if (one.ended && !other.ended) return other;
  const dirs = eitherText(one.dirs, other.dirs) ?? ANYWHERE;
  const values = merged(one.values, other.values);
  const stack = eitherStack(one.stack, other.stack);
  const both = eitherLines(one.printed, other.printed);
  const printed = sameLines(one.printed, both) ? one.printed : both;
  const isSame = dirs === one.dirs && values === one.values &&
    stack === one.stack && printed === one.printed;
  return isSame ? one : { ...one, dirs, values, stack, printed };
}

/** The states that texts for later can find, in their order. */
export class PassedStates {
  /** Once such a text is run, each stands for all behind it as well: they are joined once for all texts. */
  readonly #states: State[] = [];
  /** What such texts have passed themselves, joined. */
  #late: readonly State[] | undefined;

  /** How many there are. */
  get size(): number {
    return this.#states.length;
  }

  /** Note the next one. */
  push(state: State): void {
    if (this.#late === undefined) this.#states.push(state);
    else this.#late = [[...this.#late, state].reduce(either)];
  }

  /** The one state that stands for all of them from a place on. */
  since(first: number): State {
    if (this.#late === undefined) {
      this.#late = [];
      let behind: State | undefined;
      for (const [back, state] of this.#states.toReversed().entries()) {
        behind = behind === undefined ? state : either(behind, state);
        this.#states[this.size - 1 - back] = behind;
      }
    }
    return [...this.#states.slice(first, first + 1), ...this.#late].reduce(either);
  }
}

/** Where nothing was pushed, `popd` fails and leaves the shell where it is. */
function eitherStack(one: State["stack"], other: State["stack"]): State["stack"] {
  if (one === other || JSON.stringify(one) === JSON.stringify(other)) return one;
  if (one?.length === 0 && other?.length === 1) return other;
  return other?.length === 0 && one?.length === 1 ? one : undefined;
}

/** What still holds after any number of rounds that change a state like this. */
export function widened(before: State, after: State): State {
  const { dirs } = before.dirs === after.dirs ? after : elsewhere(after);
  const values = merged(after.values, before.values, counts);
  const printed = before.printed === after.printed ? after.printed : undefined;
  return { ...after, dirs, values, printed };
}

/** Of counts that they are some: a minus could begin an option. */
function counts(one: Value, other: Value): Value {
  // What is known beside any text says no less of both.
  if (one?.includes(UNKNOWN)) return one;
  if (!one || !other) return undefined;
  const all = [...one, ...other];
  const areCounts = all.every((text) => isCount(text) && !/^[-+]/.test(text));
  return areCounts ? [NUMBER, ...all.includes("") ? [""] : []] : undefined;
}

/** Whether the shell may stand somewhere that is known only at run time. */
export function isLost({ dirs }: State): boolean {
  return dirs.includes(UNKNOWN);
}

/** The same state where the shell may also stand somewhere else. */
export function elsewhere(state: State): State {
  return { ...state, dirs: eitherText(state.dirs, ANYWHERE) ?? ANYWHERE };
}

/** The same state with other values of some variables. */
export function withValues(state: State, changes: readonly Held[]): State {
  return changes.length === 0 ? state : { ...state, values: changed(state.values, changes) };
}

/** The same state with nothing known of any variable. */
export function withoutValues(state: State): State {
  return { ...state, values: NO_VALUES };
}
