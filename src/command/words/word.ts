import type { Span } from "../../event/command.ts";
import type { SyntaxNode } from "../../platform/grammar.ts";
import { decodeAnsiC } from "./ansi-c.ts";
import { PIPE_NAME, quoted, UNKNOWN, UNKNOWN_WORDS } from "./marks.ts";

/** A word as it stands in the line: its text with marks, see `marks.ts`. */
export interface MarkedWord {
  readonly marked: string;
  readonly span: Span;
  /** A part is written as `$'…'`. */
  readonly ansi: boolean;
}

/** Read one word; nodes that touch each other are one word. */
export function readWord(nodes: readonly SyntaxNode[], text: string): MarkedWord {
  let marked = "";
  let ansi = false;
  let start = 0;
  let end = 0;
  for (const [index, node] of nodes.entries()) {
    if (index === 0) start = node.start;
    end = node.end;
    if (node.type === "$" && nodes[index + 1]?.type === "string") continue;
    ansi ||= hasAnsi(node);
    marked += mark(node, text);
  }
  return { marked, span: { start, end }, ansi };
}

function hasAnsi(node: SyntaxNode): boolean {
  return node.type === "ansi_c_string" ||
    (node.type === "concatenation" && node.children.some(hasAnsi));
}

function mark(node: SyntaxNode, text: string): string {
  switch (node.type) {
    case "concatenation":
    case "command_name":
      return node.children.length === 0
        ? unquote(text.slice(node.start, node.end))
        : markParts(node.children, text);
    case "string":
      return markString(node, text);
    case "translated_string":
      return node.children.map((child) => child.type === "string" ? markString(child, text) : "")
        .join("");
    case "raw_string":
      return quoted(text.slice(node.start + 1, node.end - 1));
    case "ansi_c_string": {
      const decoded = decodeAnsiC(text.slice(node.start + 2, node.end - 1));
      return decoded === null ? UNKNOWN : quoted(decoded);
    }
    case "process_substitution":
      return PIPE_NAME;
    case "simple_expansion":
    case "expansion":
    case "command_substitution":
      return UNKNOWN_WORDS;
    case "arithmetic_expansion":
      return UNKNOWN;
    default:
      return unquote(text.slice(node.start, node.end));
  }
}

function markParts(parts: readonly SyntaxNode[], text: string): string {
  return parts.map((part, index) =>
    part.type === "$" && parts[index + 1]?.type === "string" ? "" : mark(part, text)
  ).join("");
}

/** Quote removal outside quotes. */
function unquote(text: string): string {
  return text.includes("\\")
    ? text.replace(
      /\\([^])?/g,
      (_, char) => char === undefined ? "\\" : char === "\n" ? "" : quoted(char),
    )
    : text;
}

const EXPANSIONS = new Set([
  "simple_expansion",
  "expansion",
  "command_substitution",
  "arithmetic_expansion",
  "process_substitution",
]);

function markString(node: SyntaxNode, text: string): string {
  let marked = "";
  let from = node.start + 1;
  for (const child of node.children) {
    if (!EXPANSIONS.has(child.type)) continue;
    marked += unescape(text.slice(from, child.start)) + UNKNOWN;
    from = child.end;
  }
  return marked + unescape(text.slice(from, node.end - 1));
}

/** Quote removal inside double quotes. */
function unescape(text: string): string {
  return quoted(text.replace(/\\([$`"\\\n])/g, (_, char) => char === "\n" ? "" : char));
}
