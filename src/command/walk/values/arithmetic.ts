import type { ArithmeticExpression } from "unbash";
import { forEachChild } from "unbash";
import { JSON_VALUE, NUMBER } from "../../words/placeholders.ts";
import { areNumbers } from "../../program/output/output-lines.ts";
import { markUnsplit, type Scope } from "../../words/word.ts";
import { linesOf } from "../output/printed.ts";
import { isCount } from "../../words/word-marks.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

/** An element of an array, as it is written in arithmetic. */
const ELEMENT = /(?<![\w$])([A-Za-z_]\w*)\[([^[\]]+)\]/g;
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
    const lines = linesOf(node.script, walk.context);
    return areNumbers(lines) || (lines?.json === true && isHarmless(JSON_VALUE, walk.scope(state)));
  }
  if (node.type === "ArithmeticWord") {
    const { value: text, parts } = node;
    const scope = walk.scope(state);
    return isCounted(text, scope) || (parts?.length === 1 &&
      walk.context.choices.expand(markUnsplit({ text, parts }, scope)).every((each) =>
        isHarmless(each, scope)
      ));
  }
  // What is set anew is not read.
  if (
    node.type === "ArithmeticBinary" && node.operator === "=" &&
    node.left.type === "ArithmeticWord" && /^[A-Za-z_]\w*$/.test(node.left.value)
  ) return isCountedExpression(node.right, walk, state);
  let areCounted = true;
  forEachChild(node, (child) => {
    areCounted &&= isCountedExpression(child as ArithmeticExpression, walk, state);
  });
  return areCounted;
}

/** Whether a value is a number, or JSON: that can be a name only where it is one of these, which the line must not set. */
export function isHarmless(marked: string, scope: Scope): boolean {
  return isCount(marked) ||
    (marked === JSON_VALUE && ["null", "true", "false"].every((name) => scope.isOutside(name)));
}

/** What sets a variable in a text that is evaluated. */
export const SETS_IN_TEXT: RegExp = /\+\+|--|(?:<<|>>|(?<![=!<>]))=(?!=)/;

/** Whether text that is evaluated as arithmetic is made of numbers alone, and sets nothing. */
export function isCounted(text: string, scope: Scope): boolean {
  if (SETS_IN_TEXT.test(text)) return false;
  const element = (whole: string, array = "", at = "") =>
    isCounted(at, scope) && scope.elements(array)?.every(isCount) === true ? "1" : whole;
  return text.replace(ELEMENT, element).split(/[-+*/%<>=!&|^~?:(),\s]+/).every((each) => {
    // `10#$x` is the decimal number.
    const token = each.replace(/^\d+#(?=\$\{?\w+\}?$)/, "");
    if (LITERAL.test(token) || /^\$(?:[#?$!]|\{#\w+(?:\[[@*]\])?\})$/.test(token)) return true;
    if (token.replaceAll(NUMBER, "") === "") return true;
    const [, name] = /^\$?\{?([A-Za-z_]\w*)\}?$|^\$\{?(\d)\}?$/.exec(token)?.filter(Boolean) ?? [];
    return name !== undefined &&
      scope.values(name)?.every((each) => isHarmless(each, scope)) === true;
  });
}
