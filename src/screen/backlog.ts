/** Bytes that wait to be shown, with their place in the stream. */
export class Backlog {
  #buffer = new Uint8Array(4_096);
  #size = 0;
  #total = 0;

  /** How many bytes wait. */
  get size(): number {
    return this.#size;
  }

  /** How many bytes there ever were. */
  get total(): number {
    return this.#total;
  }

  /** The offset of the first byte that waits. */
  get from(): number {
    return this.#total - this.#size;
  }

  /** What waits, or the first bytes of it; valid until the next change. */
  bytes(count: number = this.#size): Uint8Array {
    return this.#buffer.subarray(0, count);
  }

  /** Copy a chunk to the end. */
  add(chunk: Uint8Array): void {
    const size = this.#size + chunk.length;
    if (size > this.#buffer.length) {
      const larger = new Uint8Array(Math.max(size, 2 * this.#buffer.length));
      larger.set(this.bytes());
      this.#buffer = larger;
    }
    this.#buffer.set(chunk, this.#size);
    this.#size = size;
    this.#total += chunk.length;
  }

  /** Remove bytes from the front. */
  drop(count: number): void {
    this.#buffer.copyWithin(0, count, this.#size);
    this.#size -= count;
  }
}
