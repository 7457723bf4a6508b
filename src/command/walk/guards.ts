import type * as bash from "unbash";
import { fitsNumbers } from "../program/output/numbers.ts";
import { NUMBER } from "../words/placeholders.ts";
import { plainText } from "../words/word-marks.ts";
import { onlyPart } from "./values/known-words.ts";
import { isTracked } from "./values/text-variables.ts";
import type { After, State } from "./walk-state.ts";
import { withValues } from "./walk-state.ts";
import type { Walker } from "./walker.ts";

/** The same end, where a test succeeds only if some variables hold numbers. */
export function guarded(
  walk: Walker,
  test: bash.TestExpression | bash.Command,
  { ok, fail }: After,
): After {
  const narrowed = (state: State, whether: boolean) => {
    const names = numbersIn(walk, test, { state, whether })
      .filter((name) => isTracked(name, walk.variables));
    return names.length === 0
      ? state
      : withValues(state, names.map((name) => [name, [NUMBER]] as const));
  };
  return { ok: narrowed(ok, true), fail: narrowed(fail, false) };
}

interface Guard {
  readonly state: State;
  /** The test has succeeded, or failed. */
  readonly whether: boolean;
}

/** The variables that hold numbers after a test. */
function numbersIn(
  walk: Walker,
  test: bash.TestExpression | bash.Command,
  guard: Guard,
): readonly string[] {
  switch (test.type) {
    case "TestGroup":
      return numbersIn(walk, test.expression, guard);
    case "TestNot": {
      const negated = test.negations.length % 2 === 1;
      return numbersIn(walk, test.operand, { ...guard, whether: guard.whether !== negated });
    }
    case "TestLogical":
      // Of the other one it is not known which part it was.
      return (test.operator === "&&") === guard.whether
        ? test.operands.flatMap((operand) => numbersIn(walk, operand, guard))
        : [];
    case "TestBinary":
      return test.operator === "=~" && guard.whether && isOfNumbers(walk, test.right, guard.state)
        ? nameOf(test.left)
        : [];
    case "Command":
      return guard.whether ? compared(test) : [];
    default:
      return [];
  }
}

/** Whether a word is a regular expression that only numbers fit. */
function isOfNumbers(walk: Walker, word: bash.Word, state: State): boolean {
  const { part, inQuotes } = onlyPart(word);
  const [name] = part?.type === "SimpleExpansion" ? [part.text.slice(1)] : [];
  const values = name === undefined ? [word.text] : walk.scope(state).values(name) ?? [];
  const [text = "", ...others] = values.map(plainText);
  return !inQuotes && others.length === 0 && /^\^[^^$|]+\$$/.test(text) && fitsNumbers(text);
}

/** `[ "$x" -gt 5 ]` takes no other text for a number. */
function compared({ name, args, prefix }: bash.Command): readonly string[] {
  const [left, operator, right, end] = args;
  const isTest = prefix.length === 0 &&
    (name?.text === "["
      ? args.length === 4 && end?.text === "]"
      : name?.text === "test" && args.length === 3);
  if (!isTest || !/^-(?:eq|ne|lt|le|gt|ge)$/.test(operator?.text ?? "")) return [];
  // Outside of quotes a value can be more than one word.
  return [left, right].flatMap((word) =>
    word?.type === "Word" && onlyPart(word).inQuotes ? nameOf(word) : []
  );
}

/** The name of the variable that a word is the value of. */
function nameOf(word: bash.Word): readonly string[] {
  const { part } = onlyPart(word);
  if (part?.type === "SimpleExpansion") return [part.text.slice(1)];
  const isPlain = part?.type === "ParameterExpansion" && part.prefix === undefined &&
    part.index === undefined && part.operation === undefined;
  return isPlain ? [part.parameter] : [];
}
