import type { SyntaxNode } from "../../../platform/grammar.ts";
import { spanOf } from "../../doubt.ts";
import type { Place } from "../../paths/place.ts";
import { readAssignment } from "../simple/simple.ts";
import type { Walker } from "../walker.ts";

/** Walk assignments without a command: they last. */
export function assign(walk: Walker, node: SyntaxNode, place: Place): void {
  const parts = node.type === "variable_assignment" ? [node] : node.children;
  for (const part of parts) {
    if (part.type === "variable_assignment") {
      walk.findings.sets.push({ ...readAssignment(part, walk.text), span: spanOf(part) });
    }
    walk.expansions([part], place);
  }
}
