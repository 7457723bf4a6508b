import { Buffer } from "node:buffer";
import { readSync, writeSync } from "node:fs";
import { deliverBy } from "../deliver-now.ts";
import type { NativeCalls } from "../native/native-calls.ts";
import type { Waiter } from "./read-when-ready.ts";

// From the headers of Linux: a descriptor, the events that are wanted, and those that came.
const POLLFD_BYTES = 8;
const EVENTS = 4;
const CAME = 6;
const POLLIN = 1;

// One thread for the process: Deno has 32 threads for calls that block, for all that it does.
const calls = new Map<number, () => void>();
/** Kept for the life of the process: later no descriptor may be left for it. */
let wakePipe: number | undefined;
/** The thread waits, and does not know of what has changed since. */
let polling = false;
let running = false;
deliverBy(callAll);

/**
 * Wait for all pipes of the process by one call of `poll` at a time, as a thread for each would stall
 * the pool of the runtime.
 *
 * @param openWakePipe Opens the pipe that wakes the thread when there is another one to wait for.
 */
export function waitInThread(poll: NativeCalls["poll"], openWakePipe: () => number): Waiter {
  return {
    wait: (fd, call) => {
      wakePipe ??= openWakePipe();
      calls.set(fd, call);
      if (running) wake();
      else void run(poll, wakePipe);
    },
    cancel: (fd) => {
      if (calls.delete(fd)) wake();
    },
  };
}

/** Without a look at which has something: those that have nothing wait again. */
function callAll(): void {
  for (const [fd, call] of [...calls]) {
    // One that was called before may have cancelled it.
    if (calls.get(fd) !== call) continue;
    calls.delete(fd);
    call();
  }
}

function wake(): void {
  if (polling && wakePipe !== undefined) writeSync(wakePipe, "\n");
  polling = false;
}

async function run(poll: NativeCalls["poll"], wakePipe: number): Promise<void> {
  running = true;
  while (calls.size > 0) await round(poll, wakePipe);
  running = false;
}

async function round(poll: NativeCalls["poll"], wakePipe: number): Promise<void> {
  const fds = [wakePipe, ...calls.keys()];
  const list = Buffer.allocUnsafeSlow(fds.length * POLLFD_BYTES).fill(0);
  for (const [i, fd] of fds.entries()) {
    list.writeInt32LE(fd, i * POLLFD_BYTES);
    list.writeInt16LE(POLLIN, i * POLLFD_BYTES + EVENTS);
  }
  polling = true;
  await poll(list, fds.length);
  polling = false;
  for (const [i, fd] of fds.entries()) {
    if (list.readInt16LE(i * POLLFD_BYTES + CAME) === 0) continue;
    if (fd === wakePipe) readSync(fd, new Uint8Array(64));
    const call = calls.get(fd);
    calls.delete(fd);
    call?.();
  }
}
