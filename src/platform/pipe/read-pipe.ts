import { isMainThread } from "node:worker_threads";
import type { PipeEvents, PipeReader } from "./pipe-reader.ts";
import { pollInEventLoop } from "./poll-in-event-loop.ts";
import { readWhenReady, waitAtIntervals, type Waiter } from "./read-when-ready.ts";

/** Whether the event loop can wait for a FIFO; Deno waits for the pipes of its own children only. */
export const POLLS_PIPES: boolean = !("Deno" in globalThis);

/**
 * Whether an opened descriptor may be handed to a socket: a worker of Node closes every descriptor at
 * its end that it has opened, though the socket has closed it and its number is another file's.
 */
export const POLLS_OPENED: boolean = POLLS_PIPES && isMainThread;

/**
 * Start to read a FIFO by a descriptor that does not block, which is closed at the end.
 *
 * @param waiter Waits for it where the event loop cannot.
 */
export function readPipe(
  fd: number,
  events: PipeEvents,
  waiter: Waiter = waitAtIntervals(),
): PipeReader {
  return POLLS_OPENED ? pollInEventLoop(fd, events) : readWhenReady(fd, events, waiter);
}
