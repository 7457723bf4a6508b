import type { ByteRange } from "../../stream/byte-range.ts";
import type { ByteSource, SourceRead } from "./source.ts";

/** A {@linkcode ByteSource} over bytes that are in memory as a whole. */
export class MemorySource implements ByteSource {
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** How many bytes there are. */
  get total(): number {
    return this.#bytes.length;
  }

  /** Read a range without copying it. */
  read(range: ByteRange): Promise<SourceRead> {
    const from = Math.max(0, Math.min(range.from, this.#bytes.length));
    return Promise.resolve({ from, bytes: this.#bytes.subarray(from, range.to), gaps: [] });
  }
}
