import type { ByteRange } from "../../stream/byte-range.ts";
import { Ring } from "./ring.ts";

/** How much stays in memory. */
export interface HeadAndTailOptions {
  /** How many of the first bytes. */
  readonly headBytes: number;
  /** How many of the newest bytes. */
  readonly tailBytes: number;
}

/** Memory that the first bytes begin with. */
const SMALLEST = 64;

/** The bytes of a stream that are in memory: the first ones for good, the newest, and those that are needed before. */
export class HeadAndTail {
  readonly #options: HeadAndTailOptions;
  readonly #ring: Ring;
  /** The first bytes; it grows with what arrives. */
  #head: Uint8Array = new Uint8Array(0);
  #headTo = 0;
  #total = 0;

  constructor(options: HeadAndTailOptions) {
    this.#options = options;
    this.#ring = new Ring(options.headBytes, options.tailBytes);
  }

  /** How many bytes there ever were. */
  get total(): number {
    return this.#total;
  }

  /** Memory that it occupies, in bytes. */
  get capacity(): number {
    return this.#head.length + this.#ring.capacity;
  }

  /** It has every byte before this offset. */
  get headTo(): number {
    return this.#headTo;
  }

  /** What it holds at the beginning, and after it; either may be empty. */
  ranges(): readonly [head: ByteRange, tail: ByteRange] {
    const head = this.#headTo;
    return [{ from: 0, to: head }, { from: Math.max(this.#ring.from, head), to: this.#ring.to }];
  }

  /** Copy the next bytes in; of those before `needed` only the first and the newest are kept. */
  append(chunk: Uint8Array, needed: number): void {
    this.#total += chunk.length;
    const taken = this.#appendHead(chunk);
    if (taken === chunk.length) return;
    this.#ring.append(taken === 0 ? chunk : chunk.subarray(taken), this.#keepFrom(needed));
  }

  /** Copy a range; `undefined` when not all of it is there. */
  peek(from: number, to: number): Uint8Array | undefined {
    if (from < 0 || to > this.#total || from > to) return undefined;
    const inHead = Math.max(0, Math.min(to, this.#headTo) - from);
    if (inHead < to - from && from + inHead < this.#ring.from) return undefined;
    const bytes = new Uint8Array(to - from);
    if (inHead > 0) bytes.set(this.#head.subarray(from, from + inHead));
    if (inHead < bytes.length) this.#ring.copy(from + inHead, to, bytes, inHead);
    return bytes;
  }

  /** The bytes from an offset on, up to `to`, as far as they are in one piece; they stay as long as they are needed. */
  view(from: number, to: number): Uint8Array {
    if (from >= this.#headTo) return this.#ring.view(from, to);
    return this.#head.subarray(from, Math.min(to, this.#headTo));
  }

  /** Forget what is neither first, nor newest, nor needed. */
  forget(needed: number): void {
    this.#ring.forget(this.#keepFrom(needed));
  }

  /** Give back the memory that is not in use. */
  shrink(): void {
    this.#ring.shrink();
  }

  /** Forget every byte. */
  clear(): void {
    this.#head = new Uint8Array(0);
    this.#headTo = 0;
    this.#ring.clear();
  }

  /** Copy what the beginning still lacks; answers how many bytes that was. */
  #appendHead(chunk: Uint8Array): number {
    const { headBytes } = this.#options;
    const taken = Math.min(chunk.length, headBytes - this.#headTo);
    if (taken === 0) return 0;
    const to = this.#headTo + taken;
    if (to > this.#head.length) {
      const larger = Math.max(to, 2 * this.#head.length, SMALLEST);
      const head = new Uint8Array(Math.min(headBytes, larger));
      head.set(this.#head.subarray(0, this.#headTo));
      this.#head = head;
    }
    this.#head.set(chunk.subarray(0, taken), this.#headTo);
    this.#headTo = to;
    return taken;
  }

  #keepFrom(needed: number): number {
    return Math.min(this.#total - this.#options.tailBytes, Math.max(this.#headTo, needed));
  }
}
