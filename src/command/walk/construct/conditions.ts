import type { SyntaxNode } from "../../../platform/grammar.ts";
import { doubtAt } from "../../doubt.ts";
import type { Walker } from "../walker.ts";

/** Look into `[[ … ]]`, which evaluates operands of number comparisons, and names after `-v`. */
export function conditions(walk: Walker, node: SyntaxNode): void {
  for (const child of node.children) {
    const operator = child.children.find((part) => evaluates(part, walk.text));
    if (operator !== undefined) {
      walk.arithmetic(child.children.filter((part) => part !== operator));
    }
    if (
      child.children.some((part) => part.type === "=~") &&
      /\$\(|`/.test(walk.text.slice(child.start, child.end))
    ) {
      walk.findings.doubts.push(doubtAt("a substitution in a regular expression", child));
    }
    conditions(walk, child);
  }
}

function evaluates({ type, start, end }: SyntaxNode, text: string): boolean {
  return /^-?(?:eq|ne|lt|le|gt|ge|v|R)$/.test(text.slice(start, end).replace(/^-/, "")) &&
    /^(?:test_operator|-)/.test(type);
}
