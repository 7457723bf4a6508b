import type { SyntaxNode } from "../../../platform/grammar.ts";
import { spanOf } from "../../doubt.ts";
import type { Place } from "../../paths/place.ts";
import { framed } from "../node-kinds.ts";
import type { Walker } from "../walker.ts";

/** Walk what words, values and conditions run on their own: substitutions, wherever they hide. */
export function expansions(walk: Walker, nodes: readonly SyntaxNode[], place: Place): void {
  for (const node of nodes) {
    const { children } = node;
    switch (node.type) {
      case "command_substitution":
      case "process_substitution":
        walk.sequence(framed(children), { place, inherited: {} });
        continue;
      case "arithmetic_expansion":
        walk.arithmetic(children);
        break;
      case "subscript":
        walk.arithmetic(children.slice(1));
        break;
      case "expansion":
        assignDefault(walk, node);
    }
    expansions(walk, children, place);
  }
}

/** `${NAME:=value}` sets the variable. */
function assignDefault({ text, findings }: Walker, { children }: SyntaxNode): void {
  const [, name, operator] = children;
  if (name !== undefined && (operator?.type === ":=" || operator?.type === "=")) {
    const span = spanOf(name);
    findings.sets.push({ name: text.slice(span.start, span.end), value: null, span });
  }
}
