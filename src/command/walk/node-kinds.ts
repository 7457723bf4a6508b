import type { SyntaxNode } from "../../platform/grammar.ts";

const SEPARATOR = new Set([";", "&", "\n", ";;", ";&", ";;&", "comment"]);
const FRAME = new Set(["(", ")", "{", "}", "$(", "`", "do", "done", "<(", ">(", "$`"]);

/** Whether a node only stands between statements. */
export function isSeparator(node: SyntaxNode): boolean {
  return SEPARATOR.has(node.type);
}

/** Whether a node is a simple command. */
export function isCommand(node: SyntaxNode): boolean {
  return /^(?:command|declaration_command|unset_command)$/.test(node.type) ||
    (node.type === "test_command" && node.children[0]?.type === "[");
}

/** Whether a node is what a loop repeats. */
export function isBody(node: SyntaxNode): boolean {
  return node.type === "do_group" || node.type === "compound_statement";
}

/** Whether a node is something that runs. */
export function isStatement(node: SyntaxNode): boolean {
  return /(?:_statement|_command|^command|^list|^pipeline|^subshell|_definition|^variable_assignments?)$/
    .test(node.type);
}

/** Whether a node is a redirection. */
export function isRedirect(node: SyntaxNode): boolean {
  return node.type.endsWith("_redirect");
}

/** The nodes between the parentheses, braces or words that frame them. */
export function framed(children: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return children.filter((child) => !FRAME.has(child.type));
}
