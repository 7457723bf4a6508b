import type { SyntaxNode } from "../../../platform/grammar.ts";
import { either } from "../../paths/place.ts";
import { type After, type Start, staying, union } from "../flow.ts";
import type { Walker } from "../walker.ts";

/** Walk `if` or `elif`: its condition, then what either end of it leads to. */
export function branches(
  walk: Walker,
  children: readonly SyntaxNode[],
  { place, inherited }: Start,
): After {
  const then = children.findIndex((child) => child.type === "then");
  const condition = walk.sequence(
    children.slice(1, then === -1 ? undefined : then),
    { place, inherited },
  );
  if (then === -1) return condition;
  const others = children.findIndex((child) => /^(?:elif|else)_clause$/.test(child.type));
  const body = children.slice(then + 1, others === -1 ? undefined : others).filter((child) =>
    child.type !== "fi"
  );
  let end = walk.sequence(body, { place: condition.ok, inherited });
  let from = condition.fail;
  for (const child of others === -1 ? [] : children.slice(others)) {
    if (child.type === "elif_clause") {
      const after = branches(walk, child.children, { place: from, inherited });
      end = union(end, after);
      from = either(from, after.fail);
    } else if (child.type === "else_clause") {
      end = union(end, walk.sequence(child.children.slice(1), { place: from, inherited }));
    }
  }
  return union(end, staying(from));
}

/** Walk `case`: every item can be the one. */
export function cases(
  walk: Walker,
  children: readonly SyntaxNode[],
  { place, inherited }: Start,
): After {
  let after = staying(place);
  for (const child of children) {
    if (child.type !== "case_item") {
      walk.expansions([child], place);
      continue;
    }
    const close = child.children.findIndex((part) => part.type === ")");
    walk.expansions(child.children.slice(0, close), place);
    // `;&` goes on with the next item, wherever this one led.
    const start = { place: either(place, after.ok), inherited };
    after = union(after, walk.sequence(child.children.slice(close + 1), start));
  }
  return after;
}
