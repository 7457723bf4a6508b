import type { ByteRange } from "../../stream/byte-range.ts";

/** What a {@linkcode ByteSource} still has of a range. */
export interface SourceRead {
  /** Offset of the first byte of {@linkcode bytes}, or of a gap that stands before it. */
  readonly from: number;
  /** The bytes of the range that still exist, in order and without the gaps; may end early. */
  readonly bytes: Uint8Array;
  /** The ranges within which nothing exists any more, ascending. */
  readonly gaps: readonly ByteRange[];
}

/** Bytes that are read by absolute offset, such as the log of a command's output. */
export interface ByteSource {
  /** How many bytes there ever were; those of gaps included. */
  readonly total: number;
  /** The file that has its first bytes, or all of them, where there is one. */
  readonly artifact?: { readonly path: string; readonly bytes: number };
  /** Read a range; reading consumes nothing. */
  read(range: ByteRange): Promise<SourceRead>;
}

/** A log that is read from an offset on, as that of a command's bytes is. */
export interface ReadableLog {
  readonly total: number;
  /** The file that has its first bytes, or all of them, where there is one. */
  readonly artifact?: ByteSource["artifact"];
  read(options: { readonly from: number; readonly maxBytes: number }): Promise<SourceRead>;
}

const NOTHING = new Uint8Array(0);

/** Read a log as it is now; what it takes later is beyond the end. */
export function sourceOf(log: ReadableLog): ByteSource {
  const { total, artifact } = log;
  return {
    total,
    ...(artifact === undefined ? {} : { artifact }),
    read: async ({ from, to }) =>
      to > from
        ? await log.read({ from, maxBytes: to - from })
        : { from, bytes: NOTHING, gaps: [] },
  };
}

/** Fix the end of a source that may grow, so that counts and offsets fit together. */
export function snapshotOf(source: ByteSource): ByteSource {
  const { total, artifact } = source;
  return {
    total,
    ...(artifact === undefined ? {} : { artifact }),
    read: (range) => source.read(range),
  };
}
