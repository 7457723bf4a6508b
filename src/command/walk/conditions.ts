import type { TestExpression } from "unbash";
import { isNumber, plainText } from "../words/word-marks.ts";
import { markWord } from "../words/word.ts";
import { isCounted } from "./arithmetic.ts";
import { expansions } from "./expansions.ts";
import { ARITHMETIC } from "./names.ts";
import type { State } from "./walk-state.ts";
import type { Walker } from "./walker.ts";

/** Look into `[[ … ]]`, which evaluates operands of number comparisons, and names after `-v`. */
export function conditions(walk: Walker, node: TestExpression, state: State): void {
  const marked = (word: { readonly text: string }) => markWord(word, walk.scope(state));
  switch (node.type) {
    case "TestLogical":
      for (const operand of node.operands) conditions(walk, operand, state);
      return;
    case "TestNot":
      return conditions(walk, node.operand, state);
    case "TestGroup":
      return conditions(walk, node.expression, state);
    case "TestUnary":
      expansions(walk, [node.operand], state);
      if (
        /^-[vR]$/.test(node.operator) &&
        !/^\w+(?:\[(?:-?\d+|@)\])?$/.test(plainText(marked(node.operand)))
      ) {
        walk.doubt("a subscript that is evaluated", node);
      }
      return;
    case "TestBinary":
      expansions(walk, [node.left, node.right], state);
      if (/^-(?:eq|ne|lt|le|gt|ge)$/.test(node.operator)) {
        for (const word of [node.left, node.right]) {
          const text = marked(word);
          if (isNumber(text) || isCounted(plainText(text), walk.variables)) continue;
          walk.doubt(ARITHMETIC, node);
        }
      }
      if (node.operator === "=~" && /\$\(|`/.test(node.right.text)) {
        walk.doubt("a substitution in a regular expression", node);
      }
  }
}
