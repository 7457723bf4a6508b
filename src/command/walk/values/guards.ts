import type * as bash from "unbash";
import { fitsNumbers } from "../../program/output/numbers.ts";
import { NUMBER } from "../../words/placeholders.ts";
import { plainText, type Words } from "../../words/word-marks.ts";
import { onlyPart } from "./known-words.ts";
import { isTracked } from "./text-variables.ts";
import type { After, State } from "../walk-state.ts";
import { withValues } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

/** The same end, with what a test shows of variables where it has succeeded or failed. */
export function guarded(
  walk: Walker,
  test: bash.TestExpression | bash.Command,
  after: After,
): After {
  if (test.type === "Command" && !/^(?:\[|test)$/.test(test.name?.text ?? "")) return after;
  const { ok, fail } = after;
  const shown = (state: State, whether: boolean) => {
    const changes = shownBy(walk, test, { state, whether })
      .filter(([name]) => name.startsWith(MATCH) || isTracked(name, walk.variables));
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

function shownBy(walk: Walker, test: bash.TestExpression | bash.Command, guard: Guard): Shown {
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
      return (test.operator === "&&") === whether ? parts : parts.flatMap(forgotten);
    }
    case "TestBinary":
      return test.operator === "=~" ? matched(walk, test, guard) : [];
    case "Command":
      return tested(test, guard);
    default:
      return [];
  }
}

/** Where the groups of a match are kept, as `BASH_REMATCH[1]`. */
const MATCH = "BASH_REMATCH[";

function forgotten([name]: Shown[number]): Shown {
  return name.startsWith(MATCH) ? [[name, undefined]] : [];
}

/** What `[[ $x =~ … ]]` shows of the variable, and of the groups. */
function matched(walk: Walker, test: bash.TestBinaryExpression, { state, whether }: Guard): Shown {
  const { part, inQuotes } = onlyPart(test.right);
  const [name] = part?.type === "SimpleExpansion" ? [part.text.slice(1)] : [];
  const values = name === undefined ? [test.right.text] : walk.scope(state).values(name) ?? [];
  const [expression = "", ...others] = values.map(plainText);
  const isKnown = whether && !inQuotes && others.length === 0;
  const groups = isKnown ? groupsOf(expression) : [];
  const places = Array.from({ length: 9 }, (_, at): Shown[number] => {
    const group = groups[at];
    return [`${MATCH}${at + 1}]`, group !== undefined && fitsNumbers(group) ? [NUMBER] : undefined];
  });
  const isNumber = isKnown && /^\^[^^$|]+\$$/.test(expression) && fitsNumbers(expression);
  return [...places, ...isNumber ? nameOf(test.left).map((each) => [each, [NUMBER]] as const) : []];
}

/** The groups of an extended regular expression that have none within; none where that is not sure. */
function groupsOf(expression: string): readonly string[] {
  const plain = expression.replace(/\\[^]/g, "..");
  const sets = plain.match(/\[\^?\]?(?:\[[:.=][^\]]*\]|[^\]])*\]/g) ?? [];
  if (sets.some((set) => /[()]/.test(set))) return [];
  const groups = [...plain.matchAll(/\(([^()]*)\)/g)].map(([, group = ""]) => group);
  return groups.length === plain.split("(").length - 1 ? groups : [];
}

/** What `[ … ]` and `test` show: they take no other text for a number. */
function tested({ name, args, prefix }: bash.Command, { whether }: Guard): Shown {
  const isTest = prefix.length === 0 &&
    (name?.text === "[" ? args.at(-1)?.text === "]" : name?.text === "test");
  const words = name?.text === "[" ? args.slice(0, -1) : args;
  // Outside of quotes a value can be more than one word.
  const areQuoted = words.every((word) =>
    word.type === "Word" && (word.parts === undefined || onlyPart(word).inQuotes)
  );
  if (!isTest || !areQuoted) return [];
  const [first, second, third] = words as readonly bash.Word[];
  const compares = words.length === 3 && /^-(?:eq|ne|lt|le|gt|ge)$/.test(second?.text ?? "");
  return compares && whether
    ? [first, third].flatMap((word) =>
      word ? nameOf(word).map((each) => [each, [NUMBER]] as const) : []
    )
    : [];
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
