import type { ByteRange } from "../../stream/byte-range.ts";
import type { ByteSource, SourceRead } from "./source.ts";

/** A run of bytes at its offset, or, without bytes, a gap. */
export interface Block extends ByteRange {
  readonly bytes?: Uint8Array;
}

/** Lay out an answer of a source in the order of its offsets: runs of bytes and the gaps between. */
export function layOut(read: SourceRead): Block[] {
  const blocks: Block[] = [];
  let at = read.from;
  let taken = 0;
  const take = (length: number): void => {
    const bytes = read.bytes.subarray(taken, taken + length);
    if (bytes.length === 0) return;
    blocks.push({ from: at, to: at + bytes.length, bytes });
    at += bytes.length;
    taken += bytes.length;
  };
  for (const gap of read.gaps) {
    if (gap.to <= gap.from) continue;
    if (gap.from > at) take(gap.from - at);
    // An answer may end before its last gap: what lies between was not read, and is no gap.
    if (gap.from > at) return blocks;
    blocks.push({ from: Math.min(gap.from, at), to: gap.to });
    at = Math.max(at, gap.to);
  }
  take(Infinity);
  return blocks;
}

/** How {@linkcode blocks} walks. */
export interface BlocksOptions extends ByteRange {
  /** Bytes asked for at a time. */
  readonly blockBytes?: number;
}

/** Walk a range of a source in order, block by block, with the gaps as they are met. */
export async function* blocks(
  source: ByteSource,
  options: BlocksOptions,
): AsyncGenerator<Block, void, void> {
  const blockBytes = Math.max(1, options.blockBytes ?? 65_536);
  const end = Math.min(options.to, source.total);
  let at = Math.max(0, options.from);
  while (at < end) {
    const read = await source.read({ from: at, to: Math.min(at + blockBytes, end) });
    const before = at;
    for (const block of layOut(read)) {
      // A gap may begin before the offset asked for and reach beyond the range: tell the part inside.
      const to = Math.min(block.to, end);
      const from = Math.max(block.from, at);
      if (to <= from) continue;
      if (block.bytes === undefined) yield { from, to };
      else yield { from, to, bytes: block.bytes.subarray(from - block.from, to - block.from) };
      at = to;
    }
    // A source that has nothing more to say of a range it counts has lost it.
    if (at === before) {
      yield { from: at, to: end };
      return;
    }
  }
}
