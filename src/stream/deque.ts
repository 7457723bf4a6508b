/**
 * A queue with constant-time ends, in a ring that grows by doubling.
 *
 * Arrays shift from the front in linear time, which makes a backlog quadratic.
 */
export class Deque<T> {
  #ring: (T | undefined)[] = new Array(16);
  #head = 0;
  #size = 0;

  /** How many wait. */
  get size(): number {
    return this.#size;
  }

  /** Append at the end. */
  push(value: T): void {
    if (this.#size === this.#ring.length) this.#grow();
    this.#ring[(this.#head + this.#size) & (this.#ring.length - 1)] = value;
    this.#size++;
  }

  /** Take from the front. */
  shift(): T | undefined {
    if (this.#size === 0) return undefined;
    const value = this.#ring[this.#head];
    this.#ring[this.#head] = undefined;
    this.#head = (this.#head + 1) & (this.#ring.length - 1);
    this.#size--;
    return value;
  }

  #grow(): void {
    const ring: (T | undefined)[] = new Array(this.#ring.length * 2);
    for (let i = 0; i < this.#size; i++) {
      ring[i] = this.#ring[(this.#head + i) & (this.#ring.length - 1)];
    }
    this.#ring = ring;
    this.#head = 0;
  }
}
