import type { SyntaxNode, SyntaxTree } from "../../platform/grammar.ts";
import { type Doubt, doubtAt } from "../doubt.ts";
import type { Audited } from "./audited.ts";
import { checkConstruct } from "./constructs.ts";
import { checkGap } from "./gaps.ts";
import { checkLeaf, checkText } from "./hidden.ts";
import { KNOWN_NODES } from "./nodes.ts";
import { PLAIN, type Surroundings, surroundings } from "./surroundings.ts";

/**
 * Find what bash reads differently from the grammar.
 *
 * tree-sitter-bash accepts text that bash rejects and loses substitutions without marking an error,
 * so a tree is trusted only when every character of the text is accounted for.
 */
export function auditTree({ root, faulty }: SyntaxTree, text: string): readonly Doubt[] {
  const audited: Audited = { text, doubts: [] };
  if (faulty) audited.doubts.push(doubtAt("a syntax error", firstError(root) ?? root));
  checkGap(audited, { start: 0, end: root.children[0]?.start ?? text.length });
  checkGap(audited, { start: root.children.at(-1)?.end ?? text.length, end: text.length });
  visit(audited, root, PLAIN);
  return audited.doubts;
}

function firstError(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === "ERROR") return node;
  for (const child of node.children) {
    const found = firstError(child);
    if (found !== undefined) return found;
  }
  return undefined;
}

function visit(audited: Audited, node: SyntaxNode, around: Surroundings): void {
  const { type, children } = node;
  if (!KNOWN_NODES.has(type) && type !== "ERROR") {
    audited.doubts.push(doubtAt(`a construct without a rule, "${type}"`, node));
  }
  if (children.length === 0) checkLeaf(audited, node);
  checkConstruct(audited, node, around);
  const inside = surroundings(node, around);
  // The text of these two lies between their nodes.
  const covers = type !== "string" && type !== "heredoc_body";
  let at = node.start;
  for (const child of children) {
    if (covers && at < child.start) checkGap(audited, { start: at, end: child.start });
    at = child.end;
    visit(audited, child, inside);
  }
  if (covers && children.length > 0) checkGap(audited, { start: at, end: node.end });
  if (type === "string") checkText(audited, node, node);
}
