import type { ByteSource, SourceRead } from "./source.ts";

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
  return snapshotOf({
    total: log.total,
    ...(log.artifact === undefined ? {} : { artifact: log.artifact }),
    read: async ({ from, to }) =>
      to > from
        ? await log.read({ from, maxBytes: to - from })
        : { from, bytes: NOTHING, gaps: [] },
  });
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
