import { lookAtIntervals } from "./look-at-intervals.ts";
import type { PipeEvents, PipeReader } from "./pipe-reader.ts";
import { pollInEventLoop } from "./poll-in-event-loop.ts";
import { mayWait, waitInThreadPool } from "./wait-in-thread-pool.ts";

/** Whether the event loop can wait for a pipe; a chunk is then handed over in the turn in which it was read. */
export const POLLS_PIPES: boolean = !("Deno" in globalThis);

/**
 * Start to read a pipe, given a path under which it can be opened once more.
 *
 * Node polls it in its event loop. Deno's sockets take no pipe: there the first readers wait in
 * its thread pool, and those beyond some dozens look at intervals, since a pool
 * full of waiting reads would stall every other file operation.
 */
export function readPipe(path: string, events: PipeEvents): PipeReader {
  if (POLLS_PIPES) return pollInEventLoop(path, events);
  return mayWait() ? waitInThreadPool(path, events) : lookAtIntervals(path, events);
}
