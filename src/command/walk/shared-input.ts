import type { SyntaxNode } from "unbash";
import { nodesIn } from "../syntax.ts";
import type { Inherited } from "./walker.ts";

/** Note that a substitution, or a copied descriptor, can read the input of what it stands in. */
export function noteShared({ use }: Inherited, nodes: readonly SyntaxNode[]): void {
  if (use !== undefined && !use.read) {
    use.read = nodes.some((node) => nodesIn(node).some(sharesInput));
  }
}

function sharesInput(node: SyntaxNode): boolean {
  return /^(?:CommandExpansion|ArithmeticCommandExpansion)$/.test(node.type) ||
    (node.type === "ProcessSubstitution" && node.operator === "<") ||
    (node.type === "Redirect" && node.operator === "<&");
}
