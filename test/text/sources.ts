import type { ByteRange } from "../../src/stream/byte-range.ts";
import type { ByteSource, SourceRead } from "../../src/text/source/source.ts";

export const bytesOf = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A text in UTF-16, of either byte order. */
export function utf16(text: string, bigEndian = false): Uint8Array {
  const view = new DataView(new ArrayBuffer(2 * text.length));
  for (let i = 0; i < text.length; i++) view.setUint16(2 * i, text.charCodeAt(i), !bigEndian);
  return new Uint8Array(view.buffer);
}

export interface FakeOptions {
  /** What is lost. */
  readonly gaps?: readonly ByteRange[];
  /** Bytes that one answer holds at most. */
  readonly maxRead?: number;
}

/** A source of bytes in memory, without a copy. */
export function memorySource(bytes: Uint8Array): ByteSource {
  return {
    total: bytes.length,
    read: ({ from, maxBytes }) =>
      Promise.resolve({ from, bytes: bytes.subarray(from, from + maxBytes), gaps: [] }),
  };
}

/** A source with holes that answers in short pieces and remembers how much was read of it. */
export class FakeSource implements ByteSource {
  readonly #bytes: Uint8Array;
  readonly #options: FakeOptions;
  readBytes = 0;

  constructor(bytes: Uint8Array | string, options: FakeOptions = {}) {
    this.#bytes = typeof bytes === "string" ? bytesOf(bytes) : bytes;
    this.#options = options;
  }

  get total(): number {
    return this.#bytes.length;
  }

  read({ from, maxBytes }: { from: number; maxBytes: number }): Promise<SourceRead> {
    const to = Math.min(from + maxBytes, from + (this.#options.maxRead ?? Infinity), this.total);
    const gaps = (this.#options.gaps ?? [])
      .map((gap) => ({ from: Math.max(from, gap.from), to: Math.min(to, gap.to) }))
      .filter((gap) => gap.to > gap.from);
    const parts: number[] = [];
    for (let at = from; at < to; at++) {
      if (!gaps.some((gap) => gap.from <= at && at < gap.to)) parts.push(this.#bytes[at] ?? 0);
    }
    this.readBytes += parts.length;
    return Promise.resolve({ from, bytes: Uint8Array.from(parts), gaps });
  }
}

/** What no limit and no offset can be; only what is typed as one can be given. */
export const noLimits: readonly never[] = [NaN, -1, 1.5, -Infinity, "10", null, 10n, {}] as never[];

/** Cut bytes at random places, given as numbers that are taken modulo what is left. */
export function chunked(bytes: Uint8Array, cuts: readonly number[]): Uint8Array[] {
  const chunks: Uint8Array[] = [];
  let at = 0;
  for (const cut of cuts) {
    if (at >= bytes.length) break;
    const to = at + 1 + cut % (bytes.length - at);
    chunks.push(bytes.slice(at, to));
    at = to;
  }
  chunks.push(bytes.slice(at));
  return chunks;
}
