import type * as bash from "unbash";
import { fitsNumbers } from "../../program/output/numbers.ts";
import { NUMBER } from "../../words/placeholders.ts";
import { plainText, type Words } from "../../words/word-marks.ts";
import { onlyPart } from "../../words/only-part.ts";
import { isTracked } from "./text-variables.ts";
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
      .filter(([name]) => isTracked(name, walk.variables));
    return changes.length === 0 ? state : withValues(state, changes);
  };
  return { ok: shown(ok, true), fail: shown(fail, false) };
}

interface Guard {
  readonly state: State;
  /** The test has succeeded, or failed. */
  readonly whether: boolean;
}

/** What variables hold then. */
type Shown = readonly (readonly [name: string, texts: Words | undefined])[];

function shownBy(walk: Walker, test: bash.TestExpression, guard: Guard): Shown {
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
function matched(walk: Walker, test: bash.TestBinaryExpression, { state, whether }: Guard): Shown {
  const { part, inQuotes } = onlyPart(test.right);
  const [name] = part?.type === "SimpleExpansion" ? [part.text.slice(1)] : [];
  const values = name === undefined ? [test.right.text] : walk.scope(state).values(name) ?? [];
  const [expression = "", ...others] = values.map(plainText);
  const isKnown = whether && !inQuotes && others.length === 0;
  const isNumber = isKnown && /^\^[^^$|]+\$$/.test(expression) && fitsNumbers(expression);
  return isNumber ? nameOf(test.left).map((each) => [each, [NUMBER]] as const) : [];
}

/** The name of the variable that a word is the value of. */
function nameOf(word: bash.Word): readonly string[] {
  const { part } = onlyPart(word);
  if (part?.type === "SimpleExpansion") {
    const name = part.text.slice(1);
    return /^[A-Za-z_]/.test(name) ? [name] : [];
  }
  const isPlain = part?.type === "ParameterExpansion" && part.prefix === undefined &&
    part.index === undefined && part.operation === undefined && /^[A-Za-z_]/.test(part.parameter);
  return isPlain ? [part.parameter] : [];
}
