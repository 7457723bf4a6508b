import type { ByteRange } from "../../stream/byte-range.ts";
import { Head } from "./head.ts";
import { Ring } from "./ring.ts";

/** How much stays in memory. */
export interface HeadAndTailOptions {
  /** How many of the first bytes. */
  readonly headBytes: number;
  /** How many of the newest bytes. */
  readonly tailBytes: number;
}

/** What of a stream is in memory: its first bytes for good, and its newest, with those that somebody still needs. */
export class HeadAndTail {
  readonly #head: Head;
  readonly #ring: Ring;
  readonly #tailBytes: number;
  #total = 0;

  constructor({ headBytes, tailBytes }: HeadAndTailOptions) {
    this.#head = new Head(headBytes);
    this.#ring = new Ring(headBytes, tailBytes);
    this.#tailBytes = tailBytes;
  }

  /** How many bytes there ever were. */
  get total(): number {
    return this.#total;
  }

  /** Memory that it occupies, in bytes. */
  get capacity(): number {
    return this.#head.capacity + this.#ring.capacity;
  }

  /** It has every byte before this offset. */
  get headTo(): number {
    return this.#head.size;
  }

  /** What it holds at the beginning, and after it; either may be empty. */
  ranges(): readonly [head: ByteRange, tail: ByteRange] {
    const head = this.#head.size;
    return [{ from: 0, to: head }, { from: Math.max(this.#ring.from, head), to: this.#ring.to }];
  }

  /** Copy the next bytes in; of those before `needed` only the first and the newest are kept. */
  append(chunk: Uint8Array, needed: number): void {
    this.#total += chunk.length;
    const taken = this.#head.append(chunk);
    if (taken === chunk.length) return;
    this.#ring.append(taken === 0 ? chunk : chunk.subarray(taken), this.#keepFrom(needed));
  }

  /** Copy a range; `undefined` when not all of it is there. */
  peek(from: number, to: number): Uint8Array | undefined {
    if (from < 0 || to > this.#total || from > to) return undefined;
    const inHead = Math.max(0, Math.min(to, this.#head.size) - from);
    if (inHead < to - from && from + inHead < this.#ring.from) return undefined;
    const bytes = new Uint8Array(to - from);
    if (inHead > 0) bytes.set(this.#head.view(from, from + inHead));
    if (inHead < bytes.length) this.#ring.copy(from + inHead, to, bytes, inHead);
    return bytes;
  }

  /** The bytes from an offset on, up to `to`, as far as they lie in one piece; they stay as long as they are needed. */
  view(from: number, to: number): Uint8Array {
    return from < this.#head.size ? this.#head.view(from, to) : this.#ring.view(from, to);
  }

  /** Let go of what is neither first, nor newest, nor needed. */
  forget(needed: number): void {
    this.#ring.forget(this.#keepFrom(needed));
  }

  /** Give back the memory that what it holds does not take. */
  shrink(): void {
    this.#ring.shrink();
  }

  /** Forget every byte. */
  clear(): void {
    this.#head.clear();
    this.#ring.clear();
  }

  #keepFrom(needed: number): number {
    return Math.min(this.#total - this.#tailBytes, Math.max(this.#head.size, needed));
  }
}
