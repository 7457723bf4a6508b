import type * as bash from "unbash";
import { fitsNumbers } from "../../program/output/numbers.ts";
import { NUMBER } from "../../words/placeholders.ts";
import { plainText } from "../../words/word-marks.ts";
import { nameIn, onlyPart } from "../../words/only-part.ts";
import { isTracked } from "./text-variables.ts";
import type { Held } from "./held.ts";
import type { After, State } from "../walk-state.ts";
import { withValues } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

/** The same end, with what a test shows of variables where it has succeeded or failed. */
export function guarded(
  walk: Walker,
  test: bash.TestExpression,
  after: After,
): After {
  const { ok, fail } = after;
  const shown = (state: State, whether: boolean) => {
    const changes = shownBy(walk, test, { state, whether })
      .filter(({ name }) => isTracked(name, walk.variables));
    return changes.length === 0 ? state : withValues(state, changes);
  };
  return { ok: shown(ok, true), fail: shown(fail, false) };
}

interface Guard {
  readonly state: State;
  /** The test has succeeded, or failed. */
  readonly whether: boolean;
}

function shownBy(walk: Walker, test: bash.TestExpression, guard: Guard): readonly Held[] {
  const { state, whether } = guard;
  switch (test.type) {
    case "TestGroup":
      return shownBy(walk, test.expression, guard);
    case "TestNot": {
      const negated = test.negations.length % 2 === 1;
      return shownBy(walk, test.operand, { state, whether: whether !== negated });
    }
    case "TestLogical": {
      const parts = test.operands.flatMap((operand) => shownBy(walk, operand, guard));
      // Of the other one it is not known which part it was.
      return (test.operator === "&&") === whether ? parts : [];
    }
    case "TestBinary":
      return test.operator === "=~" ? matched(walk, test, guard) : [];
    default:
      return [];
  }
}

/** What `[[ $x =~ … ]]` shows of the variable. */
function matched(
  walk: Walker,
  test: bash.TestBinaryExpression,
  { state, whether }: Guard,
): readonly Held[] {
  const { part, inQuotes } = onlyPart(test.right);
  const name = nameIn(part);
  const values = name === undefined ? [test.right.text] : walk.scope(state).values(name) ?? [];
  const [expression = "", ...others] = values.map(plainText);
  const isKnown = whether && !inQuotes && others.length === 0;
  const isNumber = isKnown && /^\^[^^$|]+\$$/.test(expression) && fitsNumbers(expression);
  const tested = nameIn(onlyPart(test.left).part) ?? "";
  return isNumber && /^[A-Za-z_]/.test(tested) ? [{ name: tested, texts: [NUMBER] }] : [];
}
