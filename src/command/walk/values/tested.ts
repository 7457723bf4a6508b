import type { Command, TestExpression, Word } from "unbash";
import { NUMBER } from "../../words/placeholders.ts";
import { isCount, isUnknown } from "../../words/word-marks.ts";
import { nameIn, onlyPart } from "../../words/only-part.ts";
import { type State, withValues } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

/** The state after a condition that has succeeded: a variable that it found to be a number holds one. */
export function withTested(walk: Walker, state: State, test: TestExpression | Command): State {
  const { values } = walk.scope(state);
  // What is known says more than that.
  const isOpen = (name: string) =>
    values(name)?.every((each) => isCount(each) || !isUnknown(each)) !== true;
  const names = numbersIn(test).flatMap((word) => nameIn(onlyPart(word).part) ?? []);
  const open = names.filter((name) => /^[A-Za-z_]\w*$/.test(name) && isOpen(name));
  return withValues(state, open.map((name) => ({ name, texts: [NUMBER] })));
}

const NUMBER_ALONE =
  /^\^(?:(?:\[1-9\])?(?:\[0-9\]|\[\[:digit:\]\])(?:\+|\{[1-9]\d*(?:,\d*)?\})?|\[1-9\]\[0-9\]\*)\$$/;

/** The words that are numbers where a condition succeeds. */
function numbersIn(test: TestExpression | Command): readonly Word[] {
  if (test.type === "TestBinary") {
    return test.operator === "=~" && NUMBER_ALONE.test(test.right.text) ? [test.left] : [];
  }
  if (test.type !== "Command") return [];
  // `[ … ]` and `test` compare numbers, and evaluate nothing.
  const { name, args } = test;
  const ends = name?.text === "[" ? 4 : name?.text === "test" ? 3 : undefined;
  const [left, operator, right] = args.map((part) => part.type === "Word" ? part : undefined);
  if (args.length !== ends || left === undefined || right === undefined) return [];
  // What is split could be words like `-o 1`.
  const isOne = (word: Word) => word.parts === undefined || onlyPart(word).inQuotes;
  const isCompared = /^-(?:eq|ne|[lg][te])$/.test(operator?.text ?? "");
  return isCompared && isOne(left) && isOne(right) ? [left, right] : [];
}
