import type { SyntaxNode } from "../../platform/grammar.ts";
import { doubtAt } from "../doubt.ts";
import type { Audited } from "./audited.ts";
import { bodyStart, heredocDoubt, readDelimiter } from "./heredoc.ts";
import { checkText } from "./hidden.ts";
import type { Surroundings } from "./surroundings.ts";

const EXPANSION_LEAF = /^\$(?:[A-Za-z_][A-Za-z0-9_]*|[0-9@*#?$!_-])$/;
const SEPARATORS = new Set([";", "&", ";;", ";&", ";;&"]);

/** Doubt constructs that bash reads differently, rejects, or evaluates once more. */
export function checkConstruct(audited: Audited, node: SyntaxNode, around: Surroundings): void {
  switch (node.type) {
    case "heredoc_redirect":
      checkHeredoc(audited, node);
      return;
    case "program":
    case "compound_statement":
    case "subshell":
    case "do_group":
    case "command_substitution_body":
      checkSeparators(audited, node.children);
      return;
  }
  const reason = reasonAgainst(node, audited.text, around);
  if (reason !== undefined) audited.doubts.push(doubtAt(reason, node));
}

function reasonAgainst(node: SyntaxNode, text: string, around: Surroundings): string | undefined {
  const { type, start, end, children } = node;
  switch (type) {
    case "raw_string":
    case "ansi_c_string":
      return (around.arithmetic || (around.doubleQuoted && around.expansion)) &&
          /[$`]/.test(text.slice(start, end).replace(/^\$/, ""))
        ? "quotes that do not quote here"
        : undefined;
    case "simple_expansion":
      return EXPANSION_LEAF.test(text.slice(start, end))
        ? undefined
        : "an expansion of an unusual form";
    case "expansion":
      if (children.some((child) => child.type === "@")) return "a transformation of a value";
      return children[1]?.type === "!" ? "an indirect expansion" : undefined;
    case "variable_assignment":
      return isWhole(node, text) ? undefined : "an assignment that bash reads differently";
    case "command_substitution":
      return children[0]?.type === "`" && text.slice(start, end).includes("\\")
        ? "an escape inside backticks"
        : undefined;
    default:
      return undefined;
  }
}

/** Whether the parts of an assignment touch each other, and a word ends behind them. */
function isWhole({ children, end }: SyntaxNode, text: string): boolean {
  const next = text[end];
  return children.every((child, index) =>
    index === 0 || child.start === children[index - 1]?.end
  ) &&
    (next === undefined || /[ \t\n;&|()<>`}\]]/.test(next));
}

function checkHeredoc(audited: Audited, node: SyntaxNode): void {
  const { text, doubts } = audited;
  const found = heredocDoubt(node, text);
  if (found !== undefined) doubts.push(found);
  const body = node.children.find((child) => child.type === "heredoc_body");
  if (body === undefined || readDelimiter(node, text)?.literal === true) return;
  const end = node.children.find((child) => child.type === "heredoc_end")?.start ?? body.end;
  checkText(audited, body, { start: bodyStart(node, text) ?? body.start, end });
}

function checkSeparators({ doubts }: Audited, children: readonly SyntaxNode[]): void {
  let before: string | undefined;
  for (const child of children) {
    if (SEPARATORS.has(child.type)) {
      const misplaced = child.type.startsWith(";;") || child.type === ";&" ||
        before === undefined || SEPARATORS.has(before) || /^(?:\{|\(|do|then)$/.test(before);
      if (misplaced) doubts.push(doubtAt("a separator that bash rejects", child));
    }
    if (child.type !== "comment") before = child.type;
  }
}
