import type { SyntaxNode, SyntaxTree } from "../../platform/grammar.ts";
import type { Doubt } from "./doubt.ts";
import { bodyStart, heredocDoubt, readDelimiter } from "./heredoc.ts";
import { KNOWN_NODES } from "./nodes.ts";

/** What surrounds a node, as far as it changes what its quotes mean. */
interface Surroundings {
  readonly doubleQuoted: boolean;
  readonly expansion: boolean;
  readonly arithmetic: boolean;
}

const PLAIN: Surroundings = { doubleQuoted: false, expansion: false, arithmetic: false };

const TEXT_LEAVES = new Set([
  "word",
  "variable_name",
  "test_operator",
  "regex",
  "string_content",
  "heredoc_body",
  "heredoc_content",
  "extglob_pattern",
]);
const HIDDEN = /^(?:[^\\]|\\[^])*?(?:`|\$\(|\$\{|\$\[|\$\\\n)/;
const HIDDEN_PIPE = /^(?:[^\\]|\\[^])*?[<>]\(/;
const EXPANSION_LEAF = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!_-])$/;
const BLANK = /^(?:[ \t\n]|\\\n)*$/;
const OPERATOR = /[|&;()<>\n]/;
const SEPARATORS = new Set([";", "&", ";;", ";&", ";;&"]);

/**
 * Find what bash reads differently from the grammar.
 *
 * tree-sitter-bash accepts text that bash rejects and loses substitutions without marking an error,
 * so a tree is trusted only when every character of the text is accounted for.
 */
export function auditTree(tree: SyntaxTree, text: string): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (reason: string, node: { start: number; end: number }) => {
    doubts.push({ reason, span: { start: node.start, end: node.end } });
  };
  if (tree.faulty) doubt("a syntax error", firstError(tree.root) ?? tree.root);

  const gap = (from: number, to: number) => {
    if (from >= to) return;
    const between = text.slice(from, to);
    if (!BLANK.test(between)) return doubt("text that the grammar skips", { start: from, end: to });
    if (!between.includes("\\") || between.replaceAll("\\\n", "") !== "") return;
    if (from === 0 || to === text.length) return;
    if (!OPERATOR.test(text[from - 1] ?? "") && !OPERATOR.test(text[to] ?? "")) {
      doubt("a word that goes on after a line's end", { start: from, end: to });
    }
  };

  const hidden = (from: number, to: number, node: SyntaxNode) => {
    if (HIDDEN.test(text.slice(from, to))) doubt("a substitution that the grammar misses", node);
  };

  /** Look at all that is not part of an expansion, whatever leaves the grammar made of it. */
  const hiddenBetween = (node: SyntaxNode, from: number, to: number) => {
    let at = from;
    for (const child of node.children) {
      if (!/(?:expansion|substitution)$/.test(child.type)) continue;
      hidden(at, child.start, node);
      at = Math.max(at, child.end);
    }
    hidden(at, to, node);
  };

  const visit = (node: SyntaxNode, around: Surroundings) => {
    if (!KNOWN_NODES.has(node.type)) {
      if (node.type !== "ERROR") doubt(`a construct without a rule, "${node.type}"`, node);
    }
    const { children } = node;
    if (TEXT_LEAVES.has(node.type) && children.length === 0 && node.type !== "heredoc_body") {
      checkLeaf(node);
    }
    checkNode(node, around);
    const inside = surroundings(node, around);
    const covers = node.type !== "string" && node.type !== "heredoc_body";
    let at = node.start;
    for (const child of children) {
      if (covers) {
        gap(at, child.start);
        at = child.end;
      }
      visit(child, inside);
    }
    if (covers && children.length > 0) gap(at, node.end);
    if (node.type === "string") hiddenBetween(node, node.start, node.end);
  };

  const checkLeaf = (node: SyntaxNode) => {
    const leaf = text.slice(node.start, node.end);
    if (HIDDEN.test(leaf)) doubt("a substitution that the grammar misses", node);
    if (node.type === "word" || node.type === "regex") {
      if (HIDDEN_PIPE.test(leaf)) doubt("a process substitution that the grammar misses", node);
      if (leaf.includes("\\\n")) doubt("a word that goes on after a line's end", node);
    }
    if (node.type === "word" && /[\u00a0\u200c\u200d\u2000-\u200a\u3000]/.test(leaf)) {
      doubt("an invisible character outside quotes", node);
    }
  };

  const checkNode = (node: SyntaxNode, around: Surroundings) => {
    const { children } = node;
    switch (node.type) {
      case "raw_string":
      case "ansi_c_string":
        if (
          (around.arithmetic || (around.doubleQuoted && around.expansion)) &&
          /[$`]/.test(text.slice(node.start, node.end).replace(/^\$/, ""))
        ) doubt("quotes that do not quote here", node);
        return;
      case "simple_expansion":
        if (!EXPANSION_LEAF.test(text.slice(node.start, node.end))) {
          doubt("an expansion of an unusual form", node);
        }
        return;
      case "expansion":
        if (children.some((child) => child.type === "@")) {
          doubt("a transformation of a value", node);
        }
        if (children[1]?.type === "!") doubt("an indirect expansion", node);
        return;
      case "variable_assignment": {
        for (const [index, child] of children.entries()) {
          if (index > 0 && child.start !== children[index - 1]?.end) {
            doubt("an assignment that bash reads differently", node);
            return;
          }
        }
        const next = text[node.end];
        if (next !== undefined && !/[ \t\n;&|()<>`}\]]/.test(next)) {
          doubt("an assignment that bash reads differently", node);
        }
        return;
      }
      case "command_substitution":
        if (children[0]?.type === "`" && text.slice(node.start, node.end).includes("\\")) {
          doubt("an escape inside backticks", node);
        }
        return;
      case "heredoc_redirect": {
        const found = heredocDoubt(node, text);
        if (found !== undefined) doubts.push(found);
        checkBody(node);
        return;
      }
      case "program":
      case "compound_statement":
      case "subshell":
      case "do_group":
      case "command_substitution_body":
        checkSeparators(children);
        return;
    }
  };

  const checkBody = (node: SyntaxNode) => {
    const body = node.children.find((child) => child.type === "heredoc_body");
    if (body === undefined || readDelimiter(node, text)?.literal === true) return;
    const end = node.children.find((child) => child.type === "heredoc_end")?.start ?? body.end;
    hiddenBetween(body, bodyStart(node, text) ?? body.start, end);
  };

  const checkSeparators = (children: readonly SyntaxNode[]) => {
    let before: string | undefined;
    for (const child of children) {
      if (SEPARATORS.has(child.type)) {
        const misplaced = child.type.startsWith(";;") || child.type === ";&" ||
          before === undefined || SEPARATORS.has(before) || /^(?:\{|\(|do|then)$/.test(before);
        if (misplaced) doubt("a separator that bash rejects", child);
      }
      if (child.type !== "comment") before = child.type;
    }
  };

  gap(0, tree.root.children[0]?.start ?? text.length);
  gap(tree.root.children.at(-1)?.end ?? text.length, text.length);
  visit(tree.root, PLAIN);
  return doubts;
}

function surroundings(node: SyntaxNode, around: Surroundings): Surroundings {
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

function firstError(node: SyntaxNode): SyntaxNode | undefined {
  if (node.type === "ERROR") return node;
  for (const child of node.children) {
    const found = firstError(child);
    if (found !== undefined) return found;
  }
  return undefined;
}
