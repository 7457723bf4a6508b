import { constants, openSync } from "node:fs";
import { lookAtIntervals } from "./look-at-intervals.ts";
import type { PipeEvents, PipeReader } from "./pipe-reader.ts";
import { pollInEventLoop } from "./poll-in-event-loop.ts";

/** Whether the event loop can wait for a FIFO; Deno waits for the pipes of its own children only. */
export const POLLS_PIPES: boolean = !("Deno" in globalThis);

/** Start to read a FIFO, given a path under which it can be opened once more. */
export function readPipe(path: string, events: PipeEvents): PipeReader {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  return POLLS_PIPES ? pollInEventLoop(fd, events) : lookAtIntervals(fd, events);
}
