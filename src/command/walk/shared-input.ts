import type { SyntaxNode } from "unbash";
import { nodesIn } from "../syntax.ts";
import type { Start } from "./walker.ts";

/** Where several statements have an input, or one has it several times, each may read a part of its text. */
export function sharingInput(start: Start): Start {
  const { inherited } = start;
  return typeof inherited.text === "string"
    ? { ...start, inherited: { ...inherited, shared: true } }
    : start;
}

/** The same where words or redirections hold substitutions, which have the input of what they stand in. */
export function sharingWith(start: Start, nodes: readonly SyntaxNode[]): Start {
  const reads = typeof start.inherited.text === "string" &&
    nodes.some((node) =>
      nodesIn(node).some(({ type }) => /CommandExpansion|ProcessSubstitution/.test(type))
    );
  return reads ? sharingInput(start) : start;
}
