import { type ArithmeticExpression, forEachChild, type Word } from "unbash";
import { NUMBER } from "../../words/placeholders.ts";
import { areNumbers } from "../../program/output/output-lines.ts";
import { printersOf } from "./outputs.ts";
import { isNumeric, linesOf } from "./script-lines.ts";
import { isTracked, type Variables } from "./text-variables.ts";
import { isNumber } from "../../words/word-marks.ts";
import { ARGUMENTS, type State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

const LITERAL = /^(?:\d+|0[xX][0-9a-fA-F]+|\d+#[\w@]+)$/;

/**
 * Whether an expression is made of numbers alone.
 *
 * bash evaluates the text of a variable again inside of arithmetic, `$(…)` in subscripts included.
 */
export function isCountedExpression(node: ArithmeticExpression, walk: Walker): boolean {
  const { variables } = walk;
  const printers = printersOf(walk);
  if (node.type === "ArithmeticCommandExpansion") {
    return areNumbers(linesOf(node.script, printers));
  }
  if (node.type === "ArithmeticWord") {
    return isCounted(node.value, variables) ||
      (node.parts?.length === 1 && (isNumeric(node, printers) || holdsNumber(node, variables)));
  }
  let counted = true;
  forEachChild(node, (child) => {
    counted &&= isCountedExpression(child as ArithmeticExpression, walk);
  });
  return counted;
}

/** Whether a word is the value of a name that holds numbers, or a number in place of it; subscripts are looked at apart. */
function holdsNumber({ parts = [] }: Pick<Word, "parts">, { numbers, here }: Variables): boolean {
  const [part] = parts;
  if (part?.type !== "ParameterExpansion" || part.prefix !== undefined) return false;
  const { operation, parameter, index } = part;
  if (index !== undefined && here?.has(parameter)) return false;
  return numbers.has(parameter) &&
    (operation === undefined || operation.type === "Remove" ||
      (operation.type === "Default" && LITERAL.test(operation.operand.text)));
}

/** The same variables, where those hold numbers, too, of which every value is known to be one at some point. */
export function withCounted(variables: Variables, { values }: State): Variables {
  const numbers = new Set(variables.numbers);
  for (const [name, held] of values) {
    if (/^\w+$/.test(name) && held.every(isCount) && isTracked(name, variables)) numbers.add(name);
  }
  const given = values.get(ARGUMENTS);
  for (let place = 1; given !== undefined && place <= 9; place++) {
    if (isCount(given[place - 1] ?? "")) numbers.add(String(place));
  }
  const here = new Set([...numbers].filter((name) => !variables.numbers.has(name)));
  return { ...variables, numbers, here };
}

/** Whether a value is a number in arithmetic, where no text is one, too. */
export function isCount(value: string): boolean {
  return value === "" || isNumber(value);
}

/** Whether text that is evaluated as arithmetic is made of numbers alone. */
export function isCounted(text: string, { numbers }: Variables): boolean {
  return text.replace(/\+\+|--/g, " ").split(/[-+*/%<>=!&|^~?:(),\s]+/).every((each) => {
    // `10#$x` is the decimal number.
    const token = each.replace(/^\d+#(?=\$\{?\w+\}?$)/, "");
    if (LITERAL.test(token) || /^\$(?:[#?$!]|\{#\w+(?:\[[@*]\])?\})$/.test(token)) return true;
    if (token.replaceAll(NUMBER, "") === "") return true;
    const [, name] = /^\$?\{?([A-Za-z_]\w*)\}?$|^\$\{?(\d)\}?$/.exec(token)?.filter(Boolean) ?? [];
    return name !== undefined && numbers.has(name);
  });
}
