import type { SimpleCommand } from "../../../event/command.ts";
import type { SyntaxNode } from "../../../platform/grammar.ts";
import { either } from "../../paths/place.ts";
import { type After, type Start, staying } from "../flow.ts";
import type { Inherited } from "../inherited.ts";
import type { Walker } from "../walker.ts";

/** Walk `a && b` or `a || b`. */
export function list(walk: Walker, children: readonly SyntaxNode[], start: Start): After {
  const [left, operator, ...rest] = children;
  if (left === undefined) return staying(start.place);
  const before = walk.statement(left, start);
  if (operator === undefined) return before;
  return chain(walk, before, { operator, rest, inherited: start.inherited });
}

/** What stands behind the first member of a list. */
interface Chained {
  readonly operator: SyntaxNode;
  readonly rest: readonly SyntaxNode[];
  readonly inherited: Inherited;
}

/** Walk what runs only if the member before it succeeded, or failed. */
export function chain(walk: Walker, before: After, { operator, rest, inherited }: Chained): After {
  const or = operator.type === "||";
  const after = walk.sequence(rest, { place: or ? before.fail : before.ok, inherited });
  return or
    ? { ok: either(before.ok, after.ok), fail: after.fail }
    : { ok: after.ok, fail: either(before.fail, after.fail) };
}

/** Walk `a | b`; each member is a process of its own. */
export function pipeline(
  walk: Walker,
  children: readonly SyntaxNode[],
  { place, inherited }: Start,
): void {
  let input = inherited;
  for (const child of children) {
    if (child.type === "|" || child.type === "|&") continue;
    const from = walk.findings.commands.length;
    walk.statement(child, { place, inherited: input });
    input = fed(walk.findings.commands.slice(from), input);
  }
}

/** What the next member of a pipeline gets from those before it. */
export function fed(producers: readonly SimpleCommand[], before: Inherited): Inherited {
  const names = producers.flatMap((command) => [
    command.argv[0] ?? null,
    ...command.layers?.map((layer) => layer.argv[0] ?? null) ?? [],
  ]);
  const [only, ...others] = producers;
  const argv = others.length === 0 ? only?.argv ?? [] : [];
  return {
    input: "pipe",
    fedBy: [...before.fedBy ?? [], ...names],
    text: written(argv, before),
  };
}

function written(argv: SimpleCommand["argv"], before: Inherited): string | null {
  if ((argv[0] === "echo" || argv[0] === "printf") && argv.every((word) => word !== null)) {
    return argv.slice(1).filter((word) => !/^-[neE]+$/.test(word)).join(" ");
  }
  return argv[0] === "cat" && argv.length === 1 ? before.text ?? null : null;
}
