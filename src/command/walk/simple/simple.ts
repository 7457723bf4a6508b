import type { SyntaxNode } from "../../../platform/grammar.ts";
import { expandBraces } from "../../words/braces.ts";
import { knownText } from "../../words/marks.ts";
import { type MarkedWord, readWord } from "../../words/word.ts";
import { isRedirect } from "../node-kinds.ts";

/** The parts of a simple command, taken from the tree. */
interface CommandParts {
  /** The words after brace expansion, the program first. */
  readonly words: readonly MarkedWord[];
  readonly assignments: readonly { readonly name: string; readonly value: string | null }[];
  readonly redirects: readonly SyntaxNode[];
}

const OTHER = new Set([
  "file_redirect",
  "heredoc_redirect",
  "herestring_redirect",
  "variable_assignment",
  "comment",
]);

/** Take a command apart; `more` are words that the grammar put behind a redirection. */
export function commandParts(
  node: SyntaxNode,
  text: string,
  more: readonly SyntaxNode[] = [],
): CommandParts {
  const redirects: SyntaxNode[] = [];
  const assignments: { name: string; value: string | null }[] = [];
  const wordNodes: SyntaxNode[] = [];
  const declares = node.type === "declaration_command";
  const take = (child: SyntaxNode) => {
    if (isRedirect(child)) {
      redirects.push(child);
      wordNodes.push(...extraWords(child));
    } else if (child.type === "variable_assignment" && !declares) {
      assignments.push(readAssignment(child, text));
    } else if (child.type === "variable_assignments") child.children.forEach(take);
    else if (child.type.endsWith("_expression") && child.type !== "brace_expression") {
      child.children.forEach(take);
    } else if (!OTHER.has(child.type) || declares) wordNodes.push(child);
  };
  node.children.forEach(take);
  wordNodes.push(...more);
  return { words: joinWords(wordNodes, text), assignments, redirects };
}

/** Words that bash takes for arguments though the grammar puts them behind a redirection's target. */
export function extraWords(redirect: SyntaxNode): readonly SyntaxNode[] {
  if (redirect.type === "file_redirect") return splitDestination(redirect).slice(1).flat();
  if (redirect.type !== "heredoc_redirect") return [];
  return redirect.children.flatMap((child) => {
    if (child.type === "file_redirect") return extraWords(child);
    return ARGUMENTS.has(child.type) ? [child] : [];
  });
}

const ARGUMENTS = new Set([
  "word",
  "string",
  "raw_string",
  "ansi_c_string",
  "number",
  "concatenation",
  "expansion",
  "simple_expansion",
  "command_substitution",
  "process_substitution",
  "arithmetic_expansion",
  "translated_string",
  "brace_expression",
]);

/** The nodes behind a redirection's operator, those that touch each other together. */
export function splitDestination(redirect: SyntaxNode): readonly (readonly SyntaxNode[])[] {
  const groups: SyntaxNode[][] = [];
  for (const child of redirect.children) {
    if (child.type === "file_descriptor" || /^[<>&|-]+$/.test(child.type)) continue;
    const last = groups.at(-1);
    if (last !== undefined && last.at(-1)?.end === child.start) last.push(child);
    else groups.push([child]);
  }
  return groups;
}

function joinWords(nodes: readonly SyntaxNode[], text: string): MarkedWord[] {
  const words: MarkedWord[] = [];
  let group: SyntaxNode[] = [];
  const close = () => {
    if (group.length === 0) return;
    const word = readWord(group, text);
    const expanded = expandBraces(word.marked);
    if (expanded === undefined) words.push(word);
    else for (const marked of expanded) words.push({ ...word, marked });
    group = [];
  };
  for (const node of nodes) {
    if (group.length > 0 && group.at(-1)?.end !== node.start) close();
    group.push(node);
  }
  close();
  return words;
}

/** Read `NAME=value`, also with a subscript or an array. */
export function readAssignment(
  node: SyntaxNode,
  text: string,
): { name: string; value: string | null } {
  const [target, operator, ...values] = node.children;
  const named = target?.type === "subscript" ? target.children[0] : target;
  const name = named === undefined ? "" : text.slice(named.start, named.end);
  if (target?.type === "subscript" || operator?.type === "+=") return { name, value: null };
  if (values.some((value) => value.type === "array")) return { name, value: null };
  return { name, value: values.length === 0 ? "" : knownText(readWord(values, text).marked) };
}
