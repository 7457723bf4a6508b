import type { VariableSet } from "../../event/analysis.ts";
import {
  ARRAY,
  isNumber,
  isUnknown,
  knownText,
  plainText,
  UNKNOWN,
  UNKNOWN_WORDS,
} from "../words/word-marks.ts";
import { type OptionSpec, parseOptions } from "../program/parse-options.ts";
import { isCounted } from "./arithmetic.ts";
import { NAME_TAKERS } from "./shell-options.ts";
import type { Variables } from "./text-variables.ts";

const TESTS = /^(?:test|\[)$/;
/** Builtins that declare variables, and export functions with `-f`. */
export const DECLARES: RegExp = /^(?:declare|typeset|local|export|readonly)$/;
const PLAIN = /^[A-Za-z_]\w*$/;
const NAME = /^([A-Za-z_]\w*)(?:\[([^\]]*)\])?$/;

/** What a builtin does with names. */
export interface NameUse {
  readonly doubts: readonly string[];
  readonly sets: readonly Omit<VariableSet, "span">[];
}

const NOTHING: NameUse = { doubts: [], sets: [] };

/**
 * Look at the names of variables in the words of a builtin.
 *
 * bash evaluates a subscript wherever it takes a name, so a name is safe only when it is plain, or has
 * a number for a subscript.
 */
export function nameUse(words: readonly string[], variables: Variables): NameUse {
  const [first, ...rest] = words;
  const builtin = plainText(first);
  if (TESTS.test(builtin)) return { doubts: testDoubts(rest), sets: [] };
  const spec = NAME_TAKERS.get(builtin);
  if (spec === undefined) return NOTHING;
  const doubts: string[] = [];
  const sets: Omit<VariableSet, "span">[] = [];
  if (builtin === "let") {
    if (!rest.every((word) => isCounted(plainText(word), variables))) doubts.push(ARITHMETIC);
    const names = rest.map((word) => plainText(word).split(/\W/)[0] ?? "");
    return {
      doubts,
      sets: names.filter((each) => PLAIN.test(each)).map((name) => ({ name, value: null })),
    };
  }
  const evaluates = DECLARES.test(builtin)
    ? rest.map(plainText).filter((word) => /^[-+]/.test(word)).join("")
    : "";
  if (evaluates.includes("n")) doubts.push("a name that stands for another one");
  const isMap = evaluates.includes("A");
  for (const word of namesIn(builtin, rest, spec)) {
    const equals = word.search(/\+?=/);
    const name = equals < 0 ? word : word.slice(0, equals);
    const value = equals < 0 ? null : knownText(word.slice(equals).replace(/^\+?=/, ""));
    const [, plain, subscript] = NAME.exec(plainText(name)) ?? [];
    if (plain === undefined || isUnknown(name)) {
      doubts.push("a variable whose name is known only at run time");
      continue;
    }
    const inMap = isMap || variables.maps.has(plain);
    if (subscript !== undefined && !/^(?:-?\d+|@|\*)$/.test(subscript) && !(inMap && equals >= 0)) {
      doubts.push("a subscript that is evaluated");
    }
    if (evaluates.includes("i") && !variables.numbers.has(plain)) doubts.push(ARITHMETIC);
    // bash reads such a value of an array as words, and runs what is in them.
    const text = equals < 0 ? "" : word.slice(equals).replace(/^\+?=/, "");
    const mayBeWords = plainText(text).startsWith("(") ||
      (/[aA]/.test(evaluates) && isUnknown(text.slice(0, 1)) && text !== ARRAY);
    if (DECLARES.test(builtin) && mayBeWords) doubts.push("a value that is evaluated");
    const given = equals >= 0 || !/^(?:export|unset|declare|typeset|local|readonly)$/.test(builtin);
    if (given && INTEGERS.test(plain) && !/^[-+]?\d+$/.test(value ?? "")) doubts.push(ARITHMETIC);
    // `export x` and `local x` alone give no value.
    if (equals >= 0 || !/^(?:export|local|declare|typeset|readonly)$/.test(builtin)) {
      sets.push({ name: plain, value });
    } else if (builtin === "export") sets.push({ name: plain, value: "" });
  }
  return { doubts, sets };
}

/** Variables whose values bash evaluates when they are set. */
export const INTEGERS: RegExp = /^(?:S?RANDOM|OPTIND|HISTCMD|SECONDS|LINENO|BASHPID|EPOCHSECONDS)$/;
/** Why a program's name is a question. */
export const UNKNOWN_NAME = "a program whose name is known only at run time";
/** Why arithmetic is a question. */
export const ARITHMETIC = "arithmetic over text known only at run time";

/** The words that a builtin takes for names. */
function namesIn(builtin: string, words: readonly string[], spec: OptionSpec): readonly string[] {
  const plain = words.filter((word) => !/^\+[A-Za-z]/.test(plainText(word)));
  const { options, operands, unknown } = parseOptions(plain, { spec, strict: true });
  const only = builtin === "printf" ? "v" : builtin === "wait" ? "p" : undefined;
  const values = options.flatMap(({ name, value }) =>
    value !== undefined && name === (only ?? (builtin === "read" ? "a" : "")) ? [value] : []
  );
  if (only === undefined) {
    // `getopts` takes a list of letters first.
    const named = builtin === "getopts" ? operands.slice(1, 2) : operands;
    return [...values, ...named, ...(unknown ? [UNKNOWN] : [])];
  }
  // An option that comes from a variable can be any, with a value behind it.
  return [
    ...values,
    ...(/^(?!\ue1fc+$)[\ue1f8-\ue2ff]/.test(operands[0] ?? "") ? operands.slice(0, 2) : []),
  ];
}

/** `test -v NAME` evaluates subscripts, and an operator can come from a variable. */
function testDoubts(words: readonly string[]): readonly string[] {
  const doubts: string[] = [];
  for (const [index, word] of words.entries()) {
    if (word.includes(UNKNOWN_WORDS)) doubts.push("words of a test known only at run time");
    const before = words[index - 1];
    if (before === undefined) continue;
    const operator = plainText(before);
    const named = /^-[vR]$/.test(operator) ||
      (isUnknown(before) && !isNumber(before) && OPERAND.test(words[index - 2] ?? ""));
    if (!named || PLAIN.test(plainText(word)) || /^[\]=!<>)-]/.test(plainText(word))) continue;
    if (
      isNumber(word) || (isUnknown(before) && !isUnknown(word) && !plainText(word).includes("["))
    ) continue;
    if (!/^[A-Za-z_]\w*\[-?\d+\]$/.test(plainText(word))) {
      doubts.push("a subscript that is evaluated");
    }
  }
  return doubts;
}

/** What an operator of one operand can follow. */
const OPERAND = /^(?:|!|\(|-[ao]|&&|\|\|)$/;
