import type { VariableSet } from "../../../event/analysis.ts";
import { ARRAY, UNQUOTED } from "../../words/placeholders.ts";
import { isNumber, isUnknown, plainText, setText, type Words } from "../../words/word-marks.ts";
import { isCounted, SETS_IN_TEXT } from "./arithmetic.ts";
import { isInteger, NAMES } from "./names-set.ts";
import { DECLARES, namesTaken } from "../shell-options.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

const NAME = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?$/;

const EACH_SET = new RegExp(SETS_IN_TEXT, "g");

/** What a builtin does with names. */
export interface NameUse {
  readonly doubts: readonly string[];
  readonly sets: readonly Omit<VariableSet, "span">[];
}

/**
 * Look at the names of variables in the words of a builtin.
 *
 * bash evaluates a subscript wherever it takes a name, so a name is safe only when it is plain, or has
 * a number for a subscript.
 */
export function nameUse(words: Words, walk: Walker, state: State): NameUse {
  const { variables } = walk;
  const [first, ...rest] = words;
  const builtin = plainText(first);
  if (/^(?:test|\[)$/.test(builtin)) return { doubts: testDoubts(rest), sets: [] };
  const texts = rest.map(plainText);
  if (builtin === "let") {
    const names = texts.flatMap((text) => text.match(NAMES) ?? []);
    return {
      doubts: texts.every((text) => isCounted(text.replace(EACH_SET, " "), walk.scope(state)))
        ? []
        : [ARITHMETIC],
      sets: names.map((name) => ({ name, value: null })),
    };
  }
  const doubts: string[] = [];
  const sets: Omit<VariableSet, "span">[] = [];
  const declares = DECLARES.test(builtin);
  const evaluates = declares ? texts.filter((text) => /^[-+]/.test(text)).join("") : "";
  if (evaluates.includes("n")) doubts.push("a name that stands for another one");
  for (const word of namesTaken(builtin, rest)) {
    const [name = "", text] = word.split(/\+?=([^]*)/);
    const [, plain, subscript] = NAME.exec(plainText(name)) ?? [];
    if (plain === undefined || isUnknown(name)) {
      doubts.push("a variable whose name is known only at run time");
      continue;
    }
    if (subscript !== undefined && !/^(?:-?\d+|@|\*)$/.test(subscript)) {
      doubts.push("a subscript that is evaluated");
    }
    // bash reads such a value of an array as words, and runs what is in them.
    const mayBeWords = plainText(text).startsWith("(") ||
      (/[aA]/.test(evaluates) && isUnknown(text?.slice(0, 1)) && text !== ARRAY);
    if (declares && mayBeWords) doubts.push("a value that is evaluated");
    // Without separators of its own a shell splits as ever.
    const unset = builtin === "unset" && plain === "IFS" ? "" : null;
    const set = text === undefined ? { value: unset } : setText(plain, text);
    // `export x` and `local x` alone give no value.
    const given = text !== undefined || !declares;
    // An option that the text does not spell makes it one from now on.
    if (evaluates.includes("i") && !variables.integers.has(plain)) doubts.push(ARITHMETIC);
    const evaluated = given && isInteger(plain, variables) && !isNumber(text ?? "");
    if (evaluated) doubts.push(ARITHMETIC);
    if (given) sets.push({ name: plain, ...set });
    else if (builtin === "export") sets.push({ name: plain, value: "" });
  }
  return { doubts, sets };
}

/** Why a program's name is a question. */
export const UNKNOWN_NAME = "a program whose name is known only at run time";
/** Why arithmetic is a question. */
export const ARITHMETIC = "arithmetic over text known only at run time";

/** `test -v NAME` evaluates subscripts, and an operator can come from a variable. */
function testDoubts(words: Words): readonly string[] {
  const doubts: string[] = [];
  for (const [index, word] of words.entries()) {
    if (SPLIT.test(word)) doubts.push("words of a test known only at run time");
    const before = words[index - 1];
    if (before === undefined) continue;
    const text = plainText(word);
    const named = /^-[vR]$/.test(plainText(before)) ||
      (isUnknown(before) && !isNumber(before) && OPERAND.test(words[index - 2] ?? ""));
    if (!named || /^[\]=!<>)-]/.test(text)) continue;
    if (!/^[A-Za-z_]\w*(?:\[-?\d+\])?$/.test(text)) doubts.push("a subscript that is evaluated");
  }
  return doubts;
}

const SPLIT = new RegExp(`[${UNQUOTED}]`);

/** What an operator of one operand can follow. */
const OPERAND = /^(?:|!|\(|-[ao]|&&|\|\|)$/;
