import type { SyntaxNode } from "../../../platform/grammar.ts";
import type { Place } from "../../paths/place.ts";
import { isStatement } from "../node-kinds.ts";
import type { Walker } from "../walker.ts";

/** In a tree with errors, gather whatever still looks like a command, so that it can be denied. */
export function rubble(walk: Walker, node: SyntaxNode, place: Place): void {
  const start = { place, inherited: {} };
  const name = node.children.findIndex((child) => child.type === "command_name");
  if (name !== -1) {
    const end = node.children.findIndex((child, index) =>
      index > name && /^(?:[;&|()\n]|&&|\|\|)$/.test(child.type)
    );
    const children = node.children.slice(name, end === -1 ? undefined : end);
    walk.command({ ...node, type: "command", children }, start);
  }
  for (const child of node.children) {
    if (isStatement(child) || child.type === "ERROR") walk.statement(child, start);
    else walk.expansions([child], place);
  }
}
