import type { Clock } from "../../platform/clock.ts";
import { type ByteRange, joined } from "../../stream/byte-range.ts";
import { concatenated } from "../../stream/concatenated.ts";
import { checkLimits } from "../../value/check-limits.ts";
import type { Readable } from "./readable.ts";

/** What to read. */
export interface ReadOptions {
  /** The first offset; beyond the end it means the end. */
  readonly from: number;
  /** How many bytes at most; 64 KiB when absent. */
  readonly maxBytes?: number;
  /** How long to wait, in milliseconds, when there is nothing new; 0 when absent. */
  readonly waitMs?: number;
  /** What to wait for: any new byte, or the end of the stream. `more` when absent. */
  readonly until?: "more" | "end";
  /** Rejects the read with its reason. */
  readonly signal?: AbortSignal;
}

/** What was read. */
export interface ReadResult extends ByteRange {
  /** The bytes of the range, without those of its gaps. */
  readonly bytes: Uint8Array;
  /** Which parts of the range are gone. */
  readonly gaps: readonly ByteRange[];
  /** How many bytes there were when it was read. */
  readonly total: number;
  /** Nothing follows `total`. */
  readonly ended: boolean;
}

/**
 * Read a range of a log, waiting for it when that is asked for.
 *
 * Rejects with a `TypeError` when an offset or an amount is not a whole number.
 */
export async function readLog(
  log: Readable,
  clock: Clock,
  options: ReadOptions,
): Promise<ReadResult> {
  const { from, maxBytes = 64 * 1024, waitMs = 0, until = "more", signal } = options;
  checkLimits("read", { from });
  checkLimits("read", { maxBytes }, { least: 1 });
  signal?.throwIfAborted();
  const ready = () => log.ended || (until === "more" && log.total > from);
  if (waitMs > 0 && !ready()) await waitFor(log, clock, { waitMs, ready, signal });
  return take(log, Math.min(from, log.total), maxBytes);
}

interface Wait {
  readonly waitMs: number;
  readonly ready: () => boolean;
  readonly signal: AbortSignal | undefined;
}

function waitFor(log: Readable, clock: Clock, { waitMs, ready, signal }: Wait): Promise<void> {
  return new Promise((resolve, reject) => {
    let forget: () => unknown = () => {};
    const listen = () => {
      forget = log.onChange(() => ready() ? done() : listen());
    };
    const free = () => {
      forget();
      cancel();
      signal?.removeEventListener("abort", aborted);
    };
    const done = () => {
      free();
      resolve();
    };
    const aborted = () => {
      free();
      reject(signal?.reason);
    };
    const cancel = clock.after(waitMs, done);
    signal?.addEventListener("abort", aborted, { once: true });
    listen();
  });
}

/** Read what is there: from memory at once, so that nothing is overwritten meanwhile, then the rest from the file. */
export async function take(log: Readable, from: number, maxBytes: number): Promise<ReadResult> {
  const { total, ended } = log;
  const pieces: { range: ByteRange; bytes: Uint8Array; stored: boolean }[] = [];
  const gaps: ByteRange[] = [];
  let to = from;
  let left = maxBytes;
  for (const range of log.sources(from)) {
    if (left === 0) break;
    if (range.from > to) gaps.push({ from: to, to: range.from });
    const start = Math.max(to, range.from);
    to = Math.min(range.to, start + left);
    left -= to - start;
    const bytes = (range.stored ? undefined : log.peek(start, to)) ?? new Uint8Array(to - start);
    pieces.push({ range: { from: start, to }, bytes, stored: range.stored });
  }
  if (left > 0 && to < total) {
    gaps.push({ from: to, to: total });
    to = total;
  }
  const parts: Uint8Array[] = [];
  for (const { range, bytes, stored } of pieces) {
    const size = stored ? await log.readFile(bytes, range.from) : bytes.length;
    if (size < bytes.length) gaps.push({ from: range.from + size, to: range.to });
    parts.push(bytes.subarray(0, size));
  }
  return { from, to, bytes: concatenated(parts), gaps: joined(gaps), total, ended };
}
