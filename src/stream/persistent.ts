/** A map that never changes, in the order of insertion; a change makes another one in logarithmic time. */
export interface PersistentMap<K, V> extends Iterable<[K, V]> {
  /** How many entries it has. */
  readonly size: number;
  get(key: K): V | undefined;
  has(key: K): boolean;
  keys(): IterableIterator<K>;
  values(): IterableIterator<V>;
  /** The latest value that passes the test; `undefined` when none does. */
  findLast(test: (value: V, key: K) => boolean): V | undefined;
  set(key: K, value: V): PersistentMap<K, V>;
  remove(key: K): PersistentMap<K, V>;
}

/** A set that never changes, in the order of insertion. */
export interface PersistentSet<T> extends Iterable<T> {
  /** How many values it has. */
  readonly size: number;
  has(value: T): boolean;
  /** The earliest value; `undefined` when it is empty. */
  first(): T | undefined;
  add(value: T): PersistentSet<T>;
  remove(value: T): PersistentSet<T>;
}

/** A queue that never changes. */
export interface PersistentQueue<T> extends Iterable<T> {
  /** How many values wait. */
  readonly size: number;
  /** The next value; `undefined` when it is empty. */
  first(): T | undefined;
  push(value: T): PersistentQueue<T>;
  shift(): PersistentQueue<T>;
}
