import type { ByteLog } from "../../output/byte-log.ts";
import { HEAD_BYTES, TAIL_BYTES } from "../../output/byte-logs.ts";
import type { ReadResult } from "../../output/read/read-bytes.ts";
import { concatenated } from "../../stream/concatenated.ts";
import type { ReadTaskOptions } from "./readers.ts";

/** An output as far as a result shows it. */
export type ShownOutput = Pick<ByteLog, "artifact" | "peek" | "sources" | "total">;

/**
 * Read the beginning and the end of an output that is in no memory, as a memory would hold them: that
 * of a detached command, or of one that an earlier host ran.
 *
 * @param path The file that has all of it, where one is known.
 */
export async function storedOutput(
  read: (options: ReadTaskOptions) => Promise<ReadResult>,
  path: string | undefined,
): Promise<ShownOutput> {
  const first = beginning(await read({ maxBytes: HEAD_BYTES }));
  const { total } = first;
  const from = Math.max(first.to, total - TAIL_BYTES);
  const last = end(await read({ from, maxBytes: TAIL_BYTES }));
  const parts = first.to === last.from
    ? [{ from: 0, to: total, bytes: concatenated([first.bytes, last.bytes]) }]
    : [first, last];
  return {
    total,
    artifact: path === undefined ? undefined : { path, bytes: total },
    sources: () =>
      parts.filter(({ from, to }) => to > from).map(({ from, to }) => ({
        from,
        to,
        stored: false,
      })),
    peek(from, to) {
      if (from >= to) return new Uint8Array(0);
      const part = parts.find((part) => part.from <= from && to <= part.to);
      return part?.bytes.subarray(from - part.from, to - part.from);
    },
  };
}

/** What stands before the first gap. */
function beginning({ from, bytes, gaps: [gap], to, total }: ReadResult) {
  const known = (gap?.from ?? to) - from;
  return { from, to: from + known, bytes: bytes.subarray(0, known), total };
}

/** What stands behind the last gap. */
function end({ from, to, bytes, gaps }: ReadResult) {
  const start = gaps.at(-1)?.to ?? from;
  return { from: start, to, bytes: bytes.subarray(bytes.length - (to - start)) };
}
