import type { ByteRange } from "../../stream/byte-range.ts";
import { concatenated } from "../../stream/concatenated.ts";
import type { ByteSource, SourceRead } from "./source.ts";

/** A run of bytes at its offset, or, without bytes, a gap. */
export interface Block extends ByteRange {
  readonly bytes?: Uint8Array;
}

/** Bytes asked for at a time. */
const BLOCK_BYTES = 65_536;

/** Walk a range of a source in order, block by block, with the gaps as they are met. */
export async function* blocks(
  source: ByteSource,
  { from, to }: ByteRange,
): AsyncGenerator<Block, void, void> {
  const end = Math.min(to, source.total);
  let at = Math.max(0, from);
  while (at < end) {
    const before = at;
    const read = await source.read({ from: at, maxBytes: Math.min(BLOCK_BYTES, end - at) });
    for (const block of inOrder(read)) {
      // A gap may begin before the offset asked for and reach beyond the range: only the part inside counts.
      const start = Math.max(block.from, at);
      const stop = Math.min(block.to, end);
      if (stop <= start) continue;
      const bytes = block.bytes?.subarray(start - block.from, stop - block.from);
      yield bytes === undefined ? { from: start, to: stop } : { from: start, to: stop, bytes };
      at = stop;
    }
    // What a source counts and does not have is lost.
    if (at === before) return yield { from: at, to: end };
  }
}

/** The runs of bytes of an answer and the gaps between, in the order of their offsets. */
function* inOrder({ from, bytes, gaps }: SourceRead): Generator<Block, void, void> {
  let at = from;
  let taken = 0;
  for (const gap of [...gaps, { from: Infinity, to: Infinity }]) {
    const run = bytes.subarray(taken, taken + Math.max(0, gap.from - at));
    if (run.length > 0) yield { from: at, to: at + run.length, bytes: run };
    taken += run.length;
    at += run.length;
    // An answer may end before its last gap: what lies between was not read, and is no gap.
    if (gap.from > at) return;
    yield { from: Math.min(gap.from, at), to: gap.to };
    at = Math.max(at, gap.to);
  }
}

/** The bytes of a range up to the first gap, however short the answers of the source are. */
export async function firstBytes(source: ByteSource, range: ByteRange): Promise<Uint8Array> {
  const parts: Uint8Array[] = [];
  for await (const { bytes } of blocks(source, range)) {
    if (bytes === undefined) break;
    parts.push(bytes);
  }
  return concatenated(parts);
}

/** The bytes of a range after the last gap. */
export async function lastBytes(source: ByteSource, range: ByteRange): Promise<Uint8Array> {
  let parts: Uint8Array[] = [];
  for await (const { bytes } of blocks(source, range)) {
    if (bytes === undefined) parts = [];
    else parts.push(bytes);
  }
  return concatenated(parts);
}
