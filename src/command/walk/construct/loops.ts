import type { SyntaxNode } from "../../../platform/grammar.ts";
import { spanOf } from "../../doubt.ts";
import { either, type Place, samePlace } from "../../paths/place.ts";
import { type After, type Start, staying } from "../flow.ts";
import { isBody, isStatement } from "../node-kinds.ts";
import type { Walker } from "../walker.ts";

/** Walk `while` or `until`, or what a `for` repeats. */
export function loop(
  walk: Walker,
  children: readonly SyntaxNode[],
  { place, inherited }: Start,
): After {
  const parts = children.filter((child) =>
    !/^(?:while|until|for|select|\(\(|\)\)|;)$/.test(child.type)
  );
  const round = (from: Place): Place => {
    let at = from;
    for (const part of parts) {
      if (!isBody(part) && !isStatement(part)) {
        walk.expansions([part], at);
        continue;
      }
      const after = walk.statement(part, { place: at, inherited });
      at = either(after.ok, after.fail);
    }
    return at;
  };
  const once = round(place);
  if (samePlace(once, place)) return staying(place);
  // A loop that moves can be anywhere after some rounds.
  const anywhere: Place = { dirs: either(place, once).dirs, lost: true };
  round(anywhere);
  return staying(anywhere);
}

/** Walk `for name in values` or `select`. */
export function eachValue(walk: Walker, children: readonly SyntaxNode[], start: Start): After {
  const variable = children.find((child) => child.type === "variable_name");
  if (variable !== undefined) {
    const span = spanOf(variable);
    walk.findings.sets.push({ name: walk.text.slice(span.start, span.end), value: null, span });
  }
  const body = children.findIndex(isBody);
  walk.expansions(children.slice(0, body), start.place);
  return loop(walk, children.slice(body), start);
}
