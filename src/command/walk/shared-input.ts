import type { SyntaxNode } from "unbash";
import { nodesIn } from "../syntax.ts";
import type { Start } from "./walker.ts";

/**
 * Where several statements have an input, or one has it several times, each may read a part of its text.
 *
 * @param nodes Words and redirections, of which the substitutions share the input of what they stand in.
 */
export function sharingInput(start: Start, nodes?: readonly SyntaxNode[]): Start {
  const { inherited } = start;
  if (typeof inherited.text !== "string") return start;
  const isAlone = nodes?.every((node) =>
    nodesIn(node).every(({ type }) => !/CommandExpansion|ProcessSubstitution/.test(type))
  );
  return isAlone ? start : { ...start, inherited: { ...inherited, shared: true } };
}
