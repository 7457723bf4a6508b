import { Buffer } from "node:buffer";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import type { NativeCalls } from "../native/native-calls.ts";
import type { FifoPool } from "./fifo-pool.ts";
import type { Waiter } from "./read-when-ready.ts";

// From the headers of Linux: a descriptor, the events that are wanted, and those that came.
const POLLFD_BYTES = 8;
const EVENTS = 4;
const CAME = 6;
const POLLIN = 1;

/** Waits for many pipes, in one thread. */
export interface ThreadWaiter extends Waiter {
  /** Release what is held, once nothing is waited for. */
  close(): void;
}

/**
 * Wait for all pipes by one call of `poll` at a time, as a thread for each would stall the pool of the
 * runtime.
 *
 * @param pool Gives the pipe that wakes the thread when there is another one to wait for.
 */
export function waitInThread(poll: NativeCalls["poll"], pool: FifoPool): ThreadWaiter {
  const calls = new Map<number, () => void>();
  let bell: number | undefined;
  /** The thread waits, and does not know of what has changed since. */
  let polling = false;
  let running = false;
  let closed = false;
  const ring = () => {
    if (polling && bell !== undefined) writeSync(bell, "\n");
    polling = false;
  };
  const open = () => {
    const held = pool.take();
    try {
      return openSync(`/proc/self/fd/${held}`, constants.O_RDWR | constants.O_NONBLOCK);
    } finally {
      closeSync(held);
    }
  };
  const round = async (bellFd: number) => {
    const fds = [bellFd, ...calls.keys()];
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
      if (fd === bellFd) readSync(fd, new Uint8Array(64));
      const call = calls.get(fd);
      calls.delete(fd);
      call?.();
    }
  };
  const rest = () => {
    if (!closed || running || bell === undefined) return;
    closeSync(bell);
    bell = undefined;
  };
  const run = async (bellFd: number) => {
    running = true;
    while (calls.size > 0) await round(bellFd);
    running = false;
    rest();
  };
  return {
    wait: (fd, call) => {
      calls.set(fd, call);
      if (running) ring();
      else void run(bell ??= open());
    },
    cancel: (fd) => {
      if (calls.delete(fd)) ring();
    },
    close: () => {
      closed = true;
      rest();
    },
  };
}
