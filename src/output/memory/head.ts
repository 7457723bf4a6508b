const SMALLEST = 64;

/** The first bytes of a stream, kept for good; it grows with what arrives, up to its limit. */
export class Head {
  readonly #limit: number;
  #bytes: Uint8Array = new Uint8Array(0);
  #size = 0;

  /** @param limit How many bytes it keeps at most. */
  constructor(limit: number) {
    this.#limit = limit;
  }

  /** How many bytes it holds. */
  get size(): number {
    return this.#size;
  }

  /** Memory that it occupies. */
  get capacity(): number {
    return this.#bytes.length;
  }

  /** Copy what still fits; answers how many bytes that was. */
  append(chunk: Uint8Array): number {
    const taken = Math.min(chunk.length, this.#limit - this.#size);
    if (taken === 0) return 0;
    const size = this.#size + taken;
    if (size > this.#bytes.length) this.#grow(size);
    if (taken === 1) this.#bytes[this.#size] = chunk[0] ?? 0;
    else this.#bytes.set(taken === chunk.length ? chunk : chunk.subarray(0, taken), this.#size);
    this.#size = size;
    return taken;
  }

  /** The bytes of a range that it holds, without a copy; they never change. */
  view(from: number, to: number): Uint8Array {
    return this.#bytes.subarray(from, Math.min(to, this.#size));
  }

  /** Give the memory back. */
  clear(): void {
    this.#bytes = new Uint8Array(0);
    this.#size = 0;
  }

  #grow(size: number): void {
    const bytes = new Uint8Array(
      Math.min(this.#limit, Math.max(size, 2 * this.#bytes.length, SMALLEST)),
    );
    bytes.set(this.#bytes.subarray(0, this.#size));
    this.#bytes = bytes;
  }
}
