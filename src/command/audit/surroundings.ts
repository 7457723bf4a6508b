import type { SyntaxNode } from "../../platform/grammar.ts";

/** What surrounds a node, as far as it changes what its quotes mean. */
export interface Surroundings {
  readonly doubleQuoted: boolean;
  readonly expansion: boolean;
  readonly arithmetic: boolean;
}

/** Where quotes mean what they mean at the start of a line. */
export const PLAIN: Surroundings = { doubleQuoted: false, expansion: false, arithmetic: false };

/** What surrounds the children of a node. */
export function surroundings(node: SyntaxNode, around: Surroundings): Surroundings {
  switch (node.type) {
    case "string":
    case "heredoc_body":
      return { ...around, doubleQuoted: true, expansion: false };
    case "expansion":
      return around.expansion ? around : { ...around, expansion: true };
    case "subscript":
    case "arithmetic_expansion":
    case "c_style_for_statement":
      return { ...around, arithmetic: true };
    case "compound_statement":
      return node.children[0]?.type === "((" ? { ...around, arithmetic: true } : PLAIN;
    case "command_substitution":
    case "process_substitution":
    case "do_group":
      return PLAIN;
    default:
      return around;
  }
}
