import type { ShellState } from "../event/command.ts";

const KINDS = ["functions", "aliases", "variables", "programs", "modifiers"] as const;

/** Whether two reports name the same; what is not reported is empty. */
export function sameNames(one: ShellState, other: ShellState): boolean {
  return one === other || KINDS.every((kind) => sameSet(one[kind] ?? [], other[kind] ?? []));
}

function sameSet(one: readonly string[], other: readonly string[]): boolean {
  if (one === other) return true;
  if (one.length !== other.length) return false;
  const names = new Set(other);
  return one.every((name) => names.has(name));
}
