import { forEachChild, type SyntaxNode } from "unbash";
import type { Inherited } from "./walker.ts";

/** Note that a substitution, or a copied descriptor, can read the input of what it stands in. */
export function noteShared({ use }: Inherited, nodes: readonly SyntaxNode[]): void {
  if (use !== undefined && !use.read) use.read = nodes.some(sharesInput);
}

function sharesInput(node: SyntaxNode): boolean {
  switch (node.type) {
    case "CommandExpansion":
    case "ArithmeticCommandExpansion":
      return true;
    case "ProcessSubstitution":
      return node.operator === "<";
    case "Redirect":
      if (node.operator === "<&") return true;
  }
  let shares = false;
  forEachChild(node, (child) => {
    shares ||= sharesInput(child);
  });
  return shares;
}
