import type { Word, WordPart } from "unbash";
import { expandBraces } from "../../words/braces.ts";
import { OUTSIDE, PARTS, SEVERAL } from "../../words/placeholders.ts";
import { isPattern, isUnknown, plainText, type Words } from "../../words/word-marks.ts";
import { nameIn, onlyPart } from "../../words/only-part.ts";
import type { Value } from "../../words/value.ts";
import { markWord } from "../../words/word.ts";
import { outputOf, printedNames } from "../output/printed.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

/** The marked words that a word becomes; `undefined` where its braces stand for too many. */
export function readWord(walk: Walker, word: Word, state: State): Words | undefined {
  return knownWords(walk, word, state) ?? expandBraces(markWord(word, walk.scope(state)));
}

/** What can be no word, or many. */
const MAY_BE_NONE = new RegExp(`[${OUTSIDE}${PARTS}${SEVERAL}]`);

/** Words as arguments of a function or a script; `undefined` where it is not known which is the first. */
export function argumentsOf(words: Words): Words | undefined {
  return words.some((word) => MAY_BE_NONE.test(word) || isPattern(word)) ? undefined : words;
}

/** The arguments after `set` or `shift`. */
export function changedArguments(name: string, words: Words, before?: Words): Words | undefined {
  const texts = words.map(plainText);
  if (name === "shift") {
    const [by = "1"] = texts;
    // Of none it takes none away.
    if (before?.length === 0 && texts.length < 2) return before;
    return /^\d$/.test(by) && before && Number(by) <= before.length
      ? before.slice(Number(by))
      : undefined;
  }
  const end = texts.indexOf("--");
  const isOption = (text: string, at: number) =>
    /^[-+]\w/.test(text) || /^[-+]\w*o$/.test(texts[at - 1] ?? "");
  if (!texts.slice(0, end < 0 ? undefined : end).every(isOption)) return undefined;
  return end < 0 ? before : argumentsOf(words.slice(end + 1));
}

/**
 * The marked words that one word of the text stands for: the elements of an array, what `echo` or
 * `printf` spells, or a value that is split at blanks. `undefined` where they are not known, or it
 * is read like any other word.
 */
function knownWords(walk: Walker, word: Word, state: State): Words | undefined {
  const { part, inQuotes } = onlyPart(word);
  const array = part?.type === "ParameterExpansion" && part.index?.text === "@" &&
    part.prefix === undefined && /^(?:Slice)?$/.test(part.operation?.type ?? "") && part.parameter;
  if (array || part?.text === "$@") {
    const name = array || "@";
    const all = walk.scope(state).items(name);
    // Some of what fits patterns is no more than that.
    const isPart = part?.type === "ParameterExpansion" && part.operation !== undefined;
    const elements = isPart && !all?.every(isPattern) ? undefined : all;
    return inQuotes || elements?.every(isOneWord) ? elements : undefined;
  }
  const text = inQuotes
    ? undefined
    : part?.type === "CommandExpansion"
    ? outputOf(part, walk, false)
    : onlyValue(walk, part, state);
  // Without a text the word is none.
  if (text === "" && part?.type !== "CommandExpansion") return [];
  const words = text?.split(/[ \t\n]+/).filter((each) => each !== "") ?? [];
  return words.length > 0 && words.every(isOneWord) ? words : undefined;
}

/**
 * What one of the words can be that a word alone stands for, however many they are: what a program
 * prints, the elements of an array or its keys, or the names in a variable that holds what was found.
 */
export function namesOf(walk: Walker, word: Word, state: State): Value {
  const { part, inQuotes } = onlyPart(word);
  if (part?.type === "CommandExpansion") return printedNames(word, walk.context);
  const scope = walk.scope(state);
  if (part?.type === "ParameterExpansion" && part.index !== undefined) {
    const { parameter: name, prefix, index, operation } = part;
    if (!inQuotes || index.text !== "@" || operation !== undefined) return undefined;
    return prefix === "!" ? scope.keys(name) : prefix ? undefined : scope.elements(name);
  }
  const name = nameIn(part);
  if (inQuotes || name === undefined) return undefined;
  // Where that is nothing, nothing is run.
  const values = scope.values(name)?.filter((value) => value !== "");
  const areNames = values?.every((value) =>
    !/\s/.test(value) && !isUnknown(value) && isPattern(value) === isPattern(plainText(value))
  );
  return areNames && values !== undefined && values.length > 0 ? values : undefined;
}

/** The value of a variable that has one. */
export function onlyValue(
  walk: Walker,
  part: WordPart | undefined,
  state: State,
): string | undefined {
  const name = nameIn(part);
  const [value, ...others] = (name !== undefined && walk.scope(state).values(name)) || [];
  return others.length > 0 ? undefined : value;
}

/** Whether a text is one word also outside of quotes. */
function isOneWord(marked: string): boolean {
  return marked !== "" && !/[ \t\n]/.test(marked) && !isUnknown(marked) &&
    !isPattern(plainText(marked));
}
