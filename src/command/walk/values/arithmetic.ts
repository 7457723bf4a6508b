import type { ArithmeticBinary, ArithmeticExpression, ArithmeticWord, Word } from "unbash";
import { forEachChild } from "unbash";
import { NUMBER } from "../../words/placeholders.ts";
import { areNumbers } from "../../program/output/output-lines.ts";
import { markUnsplit } from "../../words/word.ts";
import { linesOf } from "../output/printed.ts";
import { isTracked, type Variables } from "./text-variables.ts";
import { isNumber, type Words } from "../../words/word-marks.ts";
import { isOwnCount } from "./names-set.ts";
import { ARGUMENTS, held, SELF } from "./held.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

const LITERAL = /^(?:\d+|0[xX][0-9a-fA-F]+|\d+#[\w@]+)$/;

/**
 * Whether an expression is made of numbers alone.
 *
 * bash evaluates the text of a variable again inside of arithmetic, `$(…)` in subscripts included.
 */
export function isCountedExpression(
  node: ArithmeticExpression,
  walk: Walker,
  state: State,
): boolean {
  if (node.type === "ArithmeticCommandExpansion") {
    return areNumbers(linesOf(node.script, walk.context));
  }
  if (node.type === "ArithmeticWord") {
    return isCounted(node.value, countedAt(walk, state)) ||
      (node.parts?.length === 1 &&
        (isCountedWord(node, walk, state) || isCountedElement(node, countedAt(walk, state))));
  }
  // What is set anew is not read.
  if (isPlainSet(node)) return isCountedExpression(node.right, walk, state);
  let areCounted = true;
  forEachChild(node, (child) => {
    areCounted &&= isCountedExpression(child as ArithmeticExpression, walk, state);
  });
  return areCounted;
}

/** Whether a word is a number, whatever its variables hold. */
function isCountedWord(
  { value: text, parts }: Pick<ArithmeticWord, "value" | "parts">,
  walk: Walker,
  state: State,
): boolean {
  const marked = markUnsplit({ text, parts }, walk.scope(state));
  return walk.context.choices.expand(marked).every(isCount);
}

/** Whether an expression gives a variable a value that does not depend on the one before. */
function isPlainSet(
  node: ArithmeticExpression,
): node is ArithmeticBinary & { readonly left: ArithmeticWord } {
  return node.type === "ArithmeticBinary" && node.operator === "=" &&
    node.left.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/.test(node.left.value);
}

/** The variable that an expression sets to a number for certain: what cannot be computed sets nothing. */
export function nameCounted(node: ArithmeticExpression): readonly string[] {
  if (!isPlainSet(node)) return [];
  const { left, right } = node;
  return right.type === "ArithmeticWord" && /^(?:0|[1-9]\d*)$/.test(right.value)
    ? [left.value]
    : [];
}

/** Whether a word is an element of an array of numbers, or a number in place of it; subscripts are looked at apart. */
function isCountedElement({ parts = [] }: Pick<Word, "parts">, counted: Counted): boolean {
  const [part] = parts;
  if (part?.type !== "ParameterExpansion" || part.prefix !== undefined) return false;
  const { operation, parameter, index } = part;
  return index !== undefined && counted(parameter, true) &&
    (operation === undefined || operation.type === "Remove" ||
      (operation.type === "Default" && LITERAL.test(operation.operand.text)));
}

/** Whether a variable, or each element of an array, is a number at some point of a text. */
export type Counted = (name: string, isElement?: boolean) => boolean;

/** What holds numbers at some point of a text. */
export function countedAt({ variables }: Pick<Walker, "variables">, state: State): Counted {
  const { values } = state;
  return (name, isElement = false) => {
    if (name === SELF) return held(values, SELF).texts?.every(isCount) ?? false;
    if (/^\d$/.test(name)) {
      const given = held(values, ARGUMENTS).elements;
      return given !== undefined && isCount(given[Number(name) - 1] ?? "");
    }
    if (isOwnCount(name, variables)) return true;
    if (!isTracked(name, variables) && !(isElement && held(state.values, name).isMap)) return false;
    const { texts, elements, some } = held(values, name);
    const numbers = isElement ? some : texts ?? elements ?? some;
    return numbers?.every(isCount) ?? false;
  };
}

/** The texts that a variable has where they are set: what arithmetic changes can be any number. */
export function anyCount(name: string, { counters }: Variables, texts: Words): Words {
  return counters.has(name) && texts.every(isCount) ? [NUMBER] : texts;
}

/** Whether a value is a number in arithmetic, where no text is one, too. */
export function isCount(value: string): boolean {
  return value === "" || isNumber(value);
}

/** Whether text that is evaluated as arithmetic is made of numbers alone. */
export function isCounted(text: string, counted: Counted): boolean {
  return text.replace(/\+\+|--/g, " ").split(/[-+*/%<>=!&|^~?:(),\s]+/).every((each) => {
    // `10#$x` is the decimal number.
    const token = each.replace(/^\d+#(?=\$\{?\w+\}?$)/, "");
    if (LITERAL.test(token) || /^\$(?:[#?$!]|\{#\w+(?:\[[@*]\])?\})$/.test(token)) return true;
    if (token.replaceAll(NUMBER, "") === "") return true;
    const [, name] = /^\$?\{?([A-Za-z_]\w*)\}?$|^\$\{?(\d)\}?$/.exec(token)?.filter(Boolean) ?? [];
    return name !== undefined && counted(name);
  });
}
