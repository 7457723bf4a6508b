import { decoderOf, type DecodingOptions, unitBytes } from "../decode/decode.ts";

/** Bytes and where they stand in their stream. */
export interface Run {
  readonly from: number;
  readonly bytes: Uint8Array;
}

/** What of a run begins at an index. */
export function fromIndex({ from, bytes }: Run, index: number): Run {
  return { from: from + index, bytes: bytes.subarray(index) };
}

/**
 * Finds the newlines of an encoding among bytes, without decoding them.
 *
 * In UTF-16 a byte 0x0a may be half of another character: a newline has a zero next to it, and
 * begins at an even offset of the stream.
 */
export class Newlines {
  readonly #unit: 1 | 2;
  /** Where in its unit the byte 0x0a of a newline stands. */
  readonly #place: 0 | 1;

  constructor(options: DecodingOptions) {
    const decoder = decoderOf(options);
    this.#unit = unitBytes(decoder);
    this.#place = decoder.encoding === "utf-16be" ? 1 : 0;
  }

  /** How many bytes a newline takes. */
  get bytes(): 1 | 2 {
    return this.#unit;
  }

  /** The index after the first newline from an index on; 0 where there is none. */
  after(run: Run, at = 0): number {
    let end = 0;
    for (let i = run.bytes.indexOf(0x0a, at); i >= 0 && end === 0;) {
      end = this.#end(run, i);
      i = run.bytes.indexOf(0x0a, i + 1);
    }
    return end;
  }

  /** The index after the last newline; 0 where there is none. */
  afterLast(run: Run): number {
    let end = 0;
    for (let i = run.bytes.lastIndexOf(0x0a); i >= 0 && end === 0;) {
      end = this.#end(run, i);
      i = i === 0 ? -1 : run.bytes.lastIndexOf(0x0a, i - 1);
    }
    return end;
  }

  /** How many newlines there are. */
  count(run: Run): number {
    let count = 0;
    for (let at = this.after(run); at > 0; at = this.after(run, at)) count++;
    return count;
  }

  /** What may be the first half of a newline that the end of the bytes cuts. */
  cut({ from, bytes }: Run): Uint8Array {
    return bytes.slice(bytes.length - Math.min(bytes.length, (from + bytes.length) % this.#unit));
  }

  /** The index after the newline of which a byte 0x0a is a part; 0 where it is of none. */
  #end({ from, bytes }: Run, index: number): number {
    if (this.#unit === 1) return index + 1;
    const start = index - this.#place;
    return (from + start) % 2 === 0 && bytes[index + 1 - 2 * this.#place] === 0 ? start + 2 : 0;
  }
}
