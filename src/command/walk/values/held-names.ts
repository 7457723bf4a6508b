import type { Held } from "./held.ts";

/** Names that have a hash: nearly always one. */
interface Leaf {
  readonly hash: number;
  readonly all: readonly Held[];
}

/** Names by the next four bits of their hashes. */
interface Branch {
  readonly parts: readonly (Node | undefined)[];
}

type Node = Leaf | Branch;

/**
 * What is known of names: a tree by their hashes, of which a later version shares all that is the same with
 * the earlier one. So the states behind two branches of a line are compared only where they differ, which a
 * map of a library does not do.
 */
export type HeldNames = Node | undefined;

const BITS = 4;
const NONE: Branch["parts"] = Array.from({ length: 1 << BITS }, () => undefined);

/** What is known of one name. */
export function find(names: HeldNames, name: string): Held | undefined {
  const hash = hashOf(name);
  let node = names;
  for (let shift = 0; node !== undefined && "parts" in node; shift += BITS) {
    node = node.parts[place(hash, shift)];
  }
  return node?.all.find((each) => each.name === name);
}

/** The same with one name changed. */
export function put(names: HeldNames, held: Held): HeldNames {
  return putInto(names, { hash: hashOf(held.name), all: [held] }, 0);
}

function putInto(node: HeldNames, leaf: Leaf, shift: number): Node {
  if (node === undefined) return leaf;
  if (!("parts" in node) && node.hash === leaf.hash) {
    const isOther = ({ name }: Held) => leaf.all.every((each) => each.name !== name);
    return { ...leaf, all: [...node.all.filter(isOther), ...leaf.all] };
  }
  const parts = [...partsOf(node, shift)];
  const at = place(leaf.hash, shift);
  parts[at] = putInto(parts[at], leaf, shift + BITS);
  return { parts };
}

/** What a function makes of each name in two tables: `one` itself, where all names stay as they are. */
export function mergeNames(
  one: HeldNames,
  other: HeldNames,
  merge: (one: Held, other: Held) => Held,
  shift = 0,
): HeldNames {
  if (one === other) return one;
  const isBranch = one !== undefined && "parts" in one;
  if (!isBranch && (other === undefined || !("parts" in other))) {
    if (one === undefined || other === undefined || one.hash === other.hash) {
      return mergeLeaves(one, other, merge);
    }
  }
  const parts = partsOf(one, shift);
  const others = partsOf(other, shift);
  const merged = parts.map((part, at) => mergeNames(part, others[at], merge, shift + BITS));
  return isBranch && merged.every((part, at) => part === parts[at]) ? one : { parts: merged };
}

function mergeLeaves(
  one: Leaf | undefined,
  other: Leaf | undefined,
  merge: (one: Held, other: Held) => Held,
): HeldNames {
  let leaf: HeldNames = one;
  for (const before of one?.all ?? []) {
    const { name } = before;
    const both = merge(before, find(other, name) ?? { name });
    if (both !== before) leaf = put(leaf, both);
  }
  for (const after of other?.all ?? []) {
    const { name } = after;
    if (find(one, name) !== undefined) continue;
    const before = { name };
    const both = merge(before, after);
    if (both !== before) leaf = put(leaf, both);
  }
  return leaf;
}

function partsOf(node: HeldNames, shift: number): Branch["parts"] {
  if (node === undefined) return NONE;
  return "parts" in node ? node.parts : NONE.with(place(node.hash, shift), node);
}

function place(hash: number, shift: number): number {
  return hash >>> shift & NONE.length - 1;
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = 31 * hash + name.charCodeAt(at) | 0;
  return hash;
}
