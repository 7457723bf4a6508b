interface Named {
  readonly name: string;
}

/** What has a hash: nearly always one name. */
interface Leaf<T> {
  readonly hash: number;
  readonly all: readonly T[];
}

/** Names by the next four bits of their hashes. */
interface Branch<T> {
  readonly parts: readonly NameTable<T>[];
}

/**
 * Something for each of some names: a tree by their hashes, of which a later version shares all that is the
 * same with the earlier one. So the states behind two branches of a line are compared only where they differ,
 * which the map of a library does not do.
 */
export type NameTable<T> = Leaf<T> | Branch<T> | undefined;

/** How what two tables have for a name is merged. */
export interface Merge<T> {
  /** What stands for a name that one of them does not have. */
  absent(name: string): T;
  /** What both are together: `one` itself, where it stays as it is. */
  both(one: T, other: T): T;
}

const BITS = 4;
const NONE: readonly undefined[] = Array.from({ length: 1 << BITS }, () => undefined);

/** What a table has for a name. */
export function find<T extends Named>(table: NameTable<T>, name: string): T | undefined {
  const hash = hashOf(name);
  let node = table;
  for (let shift = 0; node !== undefined && "parts" in node; shift += BITS) {
    node = node.parts[place(hash, shift)];
  }
  return node?.all.find((each) => each.name === name);
}

/** The same table with something else for one name. */
export function put<T extends Named>(table: NameTable<T>, named: T): NameTable<T> {
  return putInto(table, { hash: hashOf(named.name), all: [named] }, 0);
}

function putInto<T extends Named>(
  node: NameTable<T>,
  leaf: Leaf<T>,
  shift: number,
): NameTable<T> {
  if (node === undefined) return leaf;
  if (!("parts" in node) && node.hash === leaf.hash) {
    const isOther = ({ name }: T) => leaf.all.every((each) => each.name !== name);
    return { ...leaf, all: [...node.all.filter(isOther), ...leaf.all] };
  }
  const parts = [...partsOf(node, shift)];
  const at = place(leaf.hash, shift);
  parts[at] = putInto(parts[at], leaf, shift + BITS);
  return { parts };
}

/** Both tables together: `one` itself, where all of it stays as it is. */
export function mergeTables<T extends Named>(
  one: NameTable<T>,
  other: NameTable<T>,
  merge: Merge<T>,
  shift = 0,
): NameTable<T> {
  if (one === other) return one;
  const isBranch = one !== undefined && "parts" in one;
  if (!isBranch && (other === undefined || !("parts" in other))) {
    if (one === undefined || other === undefined || one.hash === other.hash) {
      return mergeLeaves(one, other, merge);
    }
  }
  const parts = partsOf(one, shift);
  const others = partsOf(other, shift);
  const merged = parts.map((part, at) => mergeTables(part, others[at], merge, shift + BITS));
  return isBranch && merged.every((part, at) => part === parts[at]) ? one : { parts: merged };
}

function mergeLeaves<T extends Named>(
  one: Leaf<T> | undefined,
  other: Leaf<T> | undefined,
  { absent, both }: Merge<T>,
): NameTable<T> {
  let leaf: NameTable<T> = one;
  for (const before of one?.all ?? []) {
    const after = both(before, find(other, before.name) ?? absent(before.name));
    if (after !== before) leaf = put(leaf, after);
  }
  for (const added of other?.all ?? []) {
    if (find(one, added.name) !== undefined) continue;
    const before = absent(added.name);
    const after = both(before, added);
    if (after !== before) leaf = put(leaf, after);
  }
  return leaf;
}

function partsOf<T>(node: NameTable<T>, shift: number): Branch<T>["parts"] {
  if (node === undefined) return NONE;
  if ("parts" in node) return node.parts;
  const at = place(node.hash, shift);
  return NONE.map((_, index) => index === at ? node : undefined);
}

function place(hash: number, shift: number): number {
  return hash >>> shift & NONE.length - 1;
}

function hashOf(name: string): number {
  let hash = 0;
  for (let at = 0; at < name.length; at++) hash = 31 * hash + name.charCodeAt(at) | 0;
  return hash;
}
