import type { SyntaxNode } from "../../../platform/grammar.ts";
import { type Doubt, doubtAt } from "../../doubt.ts";

const SAFE = new Set([
  "RANDOM",
  "SECONDS",
  "LINENO",
  "EPOCHSECONDS",
  "BASHPID",
  "PPID",
  "UID",
  "EUID",
  "SHLVL",
]);
const INTEGER = /^[-+]?\d+$/;

/**
 * The names that hold nothing but integers: all that the line assigns to them is a number.
 *
 * bash evaluates the text of a variable again inside arithmetic, subscripts with `$(…)` included.
 */
export function counters(root: SyntaxNode, text: string): ReadonlySet<string> {
  const good = new Set<string>(SAFE);
  const bad = new Set<string>();
  const visit = (node: SyntaxNode) => {
    if (node.type === "variable_assignment") {
      const [target, , ...values] = node.children;
      const name = target === undefined ? "" : text.slice(target.start, target.end);
      const numeric = values.length === 1 &&
        values.every((value) =>
          value.type === "arithmetic_expansion" ||
          INTEGER.test(text.slice(value.start, value.end)) ||
          /^\$\{#/.test(text.slice(value.start, value.end))
        );
      (numeric ? good : bad).add(name);
    }
    if (node.type === "for_statement") {
      const name = node.children[1];
      const end = node.children.findIndex((child) => child.type === "do_group");
      const values = node.children.slice(3, end).filter((child) => child.type !== ";");
      const numeric = values.length > 0 &&
        values.every((value) =>
          /^(?:\d+|\{-?\d+\.\.-?\d+\})$/.test(text.slice(value.start, value.end))
        );
      if (name !== undefined) (numeric ? good : bad).add(text.slice(name.start, name.end));
    }
    node.children.forEach(visit);
  };
  visit(root);
  for (const name of bad) good.delete(name);
  return good;
}

/** Find names inside arithmetic whose text could be more than a number. */
export function arithmeticDoubts(
  nodes: readonly SyntaxNode[],
  text: string,
  numbers: ReadonlySet<string>,
): readonly Doubt[] {
  const doubts: Doubt[] = [];
  const doubt = (at: SyntaxNode) => {
    doubts.push(doubtAt("arithmetic over text known only at run time", at));
  };
  const visit = (part: SyntaxNode) => {
    const source = text.slice(part.start, part.end);
    switch (part.type) {
      case "command_substitution":
      case "process_substitution":
        return doubt(part);
      case "variable_name":
      case "word":
        if (source === "@" || source === "*") return;
        if (/^\d+$/.test(source)) {
          if (part.type === "variable_name") doubt(part);
          return;
        }
        if (!/^[A-Za-z_]\w*$/.test(source)) {
          if (!INTEGER.test(source) && !/^(?:0[xX][0-9a-fA-F]+|\d+#\w+)$/.test(source)) doubt(part);
          return;
        }
        if (!numbers.has(source)) doubt(part);
        return;
      case "expansion":
        if (/^\$\{#\w+(?:\[[@*]\])?\}$/.test(source)) return;
        break;
      case "simple_expansion":
        if (/^\$[#?$!]$/.test(source)) return;
        break;
      case "special_variable_name":
        if (!/^[#?$!]$/.test(source)) doubt(part);
        return;
      case "string":
      case "raw_string":
      case "ansi_c_string":
        if (!INTEGER.test(source.replace(/^\$?['"]|['"]$/g, ""))) doubt(part);
        return;
    }
    part.children.forEach(visit);
  };
  nodes.forEach(visit);
  return doubts;
}
