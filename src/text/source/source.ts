import type { ByteRange } from "../../stream/byte-range.ts";
import { shownValue } from "../../value/shown.ts";

/** What a {@linkcode ByteSource} still has from an offset on. */
export interface SourceRead {
  /** Offset of the first byte of {@linkcode bytes}, or of a gap that stands before it. */
  readonly from: number;
  /** The bytes of the range that still exist, in order and without the gaps; may end early. */
  readonly bytes: Uint8Array;
  /** The ranges within which nothing exists any more, ascending. */
  readonly gaps: readonly ByteRange[];
}

/** Bytes that are read by absolute offset, such as the output of a command. */
export interface ByteSource {
  /** How many bytes there ever were; those of gaps included. */
  readonly total: number;
  /** The file that has its first bytes, or all of them, where there is one. */
  readonly artifact?: { readonly path: string; readonly bytes: number } | undefined;
  /** Read from an offset on, one byte at least; reading consumes nothing. */
  read(options: { readonly from: number; readonly maxBytes: number }): Promise<SourceRead>;
}

/**
 * Fix the end of a source that may grow, so that counts and offsets fit together.
 *
 * @throws {TypeError} When it is none, as the output of a task that never ran.
 */
export function snapshotOf(source: ByteSource): ByteSource {
  if (typeof source?.total !== "number" || typeof source.read !== "function") {
    throw new TypeError(
      `Cannot read ${shownValue(source)}: it is no output, such as that of runtime.output(taskId)`,
    );
  }
  const { total, artifact } = source;
  return { total, artifact, read: (options) => source.read(options) };
}
