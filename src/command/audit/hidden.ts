import type { Span } from "../../event/command.ts";
import type { SyntaxNode } from "../../platform/grammar.ts";
import { doubtAt } from "../doubt.ts";
import type { Audited } from "./audited.ts";

const TEXT_LEAVES = new Set([
  "word",
  "variable_name",
  "test_operator",
  "regex",
  "string_content",
  "heredoc_content",
  "extglob_pattern",
]);
const HIDDEN = /^(?:[^\\]|\\[^])*?(?:`|\$\(|\$\{|\$\[|\$\\\n)/;
const HIDDEN_PIPE = /^(?:[^\\]|\\[^])*?[<>]\(/;

/** Doubt a leaf of text in which bash would find more than text. */
export function checkLeaf({ text, doubts }: Audited, node: SyntaxNode): void {
  if (!TEXT_LEAVES.has(node.type)) return;
  const reason = reasonAgainst(node.type, text.slice(node.start, node.end));
  if (reason !== undefined) doubts.push(doubtAt(reason, node));
}

function reasonAgainst(type: string, leaf: string): string | undefined {
  if (HIDDEN.test(leaf)) return "a substitution that the grammar misses";
  if (type !== "word" && type !== "regex") return undefined;
  if (HIDDEN_PIPE.test(leaf)) return "a process substitution that the grammar misses";
  if (leaf.includes("\\\n")) return "a word that goes on after a line's end";
  return type === "word" && /[\u00a0\u200c\u200d\u2000-\u200a\u3000]/.test(leaf)
    ? "an invisible character outside quotes"
    : undefined;
}

/** Doubt a part of a quoted text for all that is in no expansion, whatever leaves the grammar made of it. */
export function checkText({ text, doubts }: Audited, node: SyntaxNode, part: Span): void {
  const check = (from: number, to: number) => {
    if (!HIDDEN.test(text.slice(from, to))) return;
    doubts.push(doubtAt("a substitution that the grammar misses", node));
  };
  let at = part.start;
  for (const child of node.children) {
    if (!/(?:expansion|substitution)$/.test(child.type)) continue;
    check(at, child.start);
    at = Math.max(at, child.end);
  }
  check(at, part.end);
}
