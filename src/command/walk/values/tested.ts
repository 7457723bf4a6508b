import type { Case, Command, TestExpression, Word } from "unbash";
import { NUMBER, PART } from "../../words/placeholders.ts";
import {
  isCount,
  isPattern,
  isUnknown,
  knownText,
  quoted,
  type Words,
} from "../../words/word-marks.ts";
import { nameIn, onlyPart } from "../../words/only-part.ts";
import { markUnsplit } from "../../words/word.ts";
import { type State, withValues } from "../walk-state.ts";
import type { Walker } from "../walker.ts";
import type { Held } from "./held.ts";

/** What is known of variables after a condition, by how it ended. */
export interface Tested {
  readonly ok: readonly Held[];
  readonly fail: readonly Held[];
}

const NOTHING: Tested = { ok: [], fail: [] };

/** The state after a condition, which says something of variables that could hold any text. */
export function withTested(walk: Walker, state: State, found: readonly Held[]): State {
  const { values } = walk.scope(state);
  const isOpen = ({ name }: Held) =>
    values(name)?.every((each) => isCount(each) || !isUnknown(each)) !== true;
  return withValues(state, found.filter(isOpen));
}

/** What is known after `[[ … ]]`. */
export function testedBy(walk: Walker, test: TestExpression, state: State): Tested {
  switch (test.type) {
    case "TestBinary": {
      const { left, operator, right } = test;
      if (operator === "=~") return { ...NOTHING, ok: held(left, fitting(walk, right, state)) };
      const texts = /^(?:==?|!=)$/.test(operator) ? equalTo(walk, right, state) : undefined;
      const equal = held(left, texts);
      if (operator !== "!=") return { ...NOTHING, ok: equal };
      return { ok: NO_DIGIT.test(right.text) ? held(left, COUNT) : [], fail: equal };
    }
    case "TestNot": {
      const { ok, fail } = testedBy(walk, test.operand, state);
      return test.negations.length % 2 === 1 ? { ok: fail, fail: ok } : { ok, fail };
    }
    case "TestGroup":
      return testedBy(walk, test.expression, state);
    case "TestLogical": {
      const all = test.operands.map((each) => testedBy(walk, each, state));
      return test.operator === "&&"
        ? { ...NOTHING, ok: all.flatMap(({ ok }) => ok) }
        : { ...NOTHING, fail: all.flatMap(({ fail }) => fail) };
    }
    default:
      return NOTHING;
  }
}

/** What is known after `[ … ]` and `test`: they compare numbers, and evaluate nothing. */
export function testedByWords(walk: Walker, { name, args }: Command, state: State): Tested {
  const ends = name?.text === "[" ? 4 : name?.text === "test" ? 3 : undefined;
  if (ends === undefined) return NOTHING;
  const [left, operator, right] = args.map((part) => part.type === "Word" ? part : undefined);
  if (args.length !== ends || left === undefined || right === undefined) return NOTHING;
  // What is split could be words like `-o 1`.
  const isOne = (word: Word) => word.parts === undefined || onlyPart(word).inQuotes;
  if (!isOne(left) || !isOne(right)) return NOTHING;
  if (/^-(?:eq|ne|[lg][te])$/.test(operator?.text ?? "")) {
    return { ...NOTHING, ok: [left, right].flatMap((each) => held(each, [NUMBER])) };
  }
  const equal = held(left, equalTo(walk, right, state));
  switch (operator?.text) {
    case "=":
    case "==":
      return { ...NOTHING, ok: equal };
    case "!=":
      return { ...NOTHING, fail: equal };
    default:
      return NOTHING;
  }
}

/** What is known in each item of a `case`, in their order, and where none fits. */
export function testedByCase(
  walk: Walker,
  { word, items }: Case,
  state: State,
): { readonly inItems: readonly State[]; readonly none: State } {
  // Behind `;&` and `;;&` a body has been run, which can set anything.
  if (items.some(({ terminator = ";;" }) => terminator !== ";;")) {
    return { inItems: items.map(() => state), none: state };
  }
  let none = state;
  const inItems = items.map(({ pattern }) => {
    const before = none;
    const texts = pattern.map((each) => equalTo(walk, each, state));
    if (pattern.some(({ text }) => text === "*")) none = { ...state, ended: true };
    else if (pattern.some(({ text }) => NO_DIGIT.test(text))) {
      none = withTested(walk, none, held(word, COUNT));
    }
    const known = texts.flatMap((each) => each ?? []);
    return texts.includes(undefined) ? before : withTested(walk, before, held(word, known));
  });
  return { inItems, none };
}

/** A number, or nothing. */
const COUNT: Words = [NUMBER, ""];
/** A pattern of what is not made of digits alone; broken characters fit it, too. */
const NO_DIGIT = /^\*\[[!^](?:0-9|\[:digit:\])\]\*$/;

/** That the variable whose value is a word has one of these texts. */
function held(word: Word, texts: Words | undefined): readonly Held[] {
  const { part } = onlyPart(word);
  // What `${x:-0}` is compared as, x need not be.
  const isDefault = part?.type === "ParameterExpansion" && part.operation?.type === "Default" &&
    /^:?-$/.test(part.operation.operator) && part.prefix === undefined && part.index === undefined;
  const name = isDefault ? part.parameter : nameIn(part);
  if (texts === undefined || !/^[A-Za-z_]\w*$/.test(name ?? "")) return [];
  return [{ name: name ?? "", texts: isDefault ? [...new Set([...texts, ""])] : texts }];
}

/** The text that fits a pattern, where that is a text; digits alone are a number. */
function equalTo(walk: Walker, pattern: Word, state: State): Words | undefined {
  if (/^\+\(\[(?:0-9|\[:digit:\])\]\)$/.test(pattern.text)) return [NUMBER];
  const marked = markUnsplit(pattern, walk.scope(state));
  const text = knownText(marked);
  // What a value holds is a pattern here, with backslashes that quote.
  const isOther = text === null || isPattern(text) || text.includes("\\");
  return isOther || marked.startsWith("~") ? undefined : [quoted(text)];
}

/** What fits a regular expression as a whole: a number, or a plain part of a path. */
function fitting(walk: Walker, pattern: Word, state: State): Words | undefined {
  const { part, inQuotes } = onlyPart(pattern);
  // In quotes it is a text.
  const isHeld = !inQuotes && nameIn(part) !== undefined;
  const source = isHeld ? knownText(markUnsplit(pattern, walk.scope(state))) ?? "" : pattern.text;
  if (source.length > 200) return undefined;
  if (NUMBER_ALONE.test(source)) return [NUMBER];
  return PLAIN_PART.test(source) ? [PART] : undefined;
}

const TIMES = String.raw`(?:\+|\{[1-9]\d*(?:,\d*)?\})`;
const NUMBER_ALONE = new RegExp(
  String
    .raw`^\^(?:(?:\[1-9\])?(?:\[0-9\]|\[\[:digit:\]\])${TIMES}?|\[1-9\]\[0-9\]\*)\$$`,
);
/** What stands in brackets for letters and digits. */
const SET = String
  .raw`(?:[a-z]-[a-z]|[A-Z]-[A-Z]|\d-\d|\w|\[:(?:alnum|alpha|digit|lower|upper):\])`;
const FIRST = String.raw`(?:[A-Za-z0-9]|\[${SET}+\])${TIMES}?`;
const MORE = String.raw`(?:(?:[\w-]|\\\.|\[(?:${SET}|\.)+-?\])(?:[?*]|${TIMES})?)*`;
/** Letters, digits, dots, dashes and underscores, of which the first one is a letter or a digit. */
const PLAIN_PART = new RegExp(
  String
    .raw`^\^(?:[A-Za-z]\?)?(?:${FIRST}|\(${FIRST}${MORE}(?:\|${FIRST}${MORE})*\))${MORE}(?:\(${MORE}(?:\|${MORE})*\)\??${MORE})*\$$`,
);
