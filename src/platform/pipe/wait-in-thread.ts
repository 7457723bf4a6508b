import { Buffer } from "node:buffer";
import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { deliverBy } from "../deliver-now.ts";
import type { NativeCalls } from "../native/native-calls.ts";
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

/** The one thread of this process: Deno has 32 threads for calls that block, for all that it does. */
let thread: WaitingThread | undefined;
deliverBy(() => thread?.callAll());

/**
 * Wait for all pipes of the process by one call of `poll` at a time, as a thread for each would stall
 * the pool of the runtime.
 *
 * @param take Gives the pipe that wakes the thread when there is another one to wait for.
 */
export function waitInThread(poll: NativeCalls["poll"], take: () => number): ThreadWaiter {
  const own = thread ??= new WaitingThread(poll);
  own.users++;
  let closed = false;
  return {
    wait: (fd, call) => own.wait(fd, call, take),
    cancel: (fd) => own.cancel(fd),
    close: () => {
      if (closed) return;
      closed = true;
      if (--own.users > 0) return;
      if (thread === own) thread = undefined;
      own.rest();
    },
  };
}

class WaitingThread {
  users = 0;
  readonly #poll: NativeCalls["poll"];
  readonly #calls = new Map<number, () => void>();
  #bell: number | undefined;
  /** The thread waits, and does not know of what has changed since. */
  #polling = false;
  #running = false;

  constructor(poll: NativeCalls["poll"]) {
    this.#poll = poll;
  }

  wait(fd: number, call: () => void, take: () => number): void {
    this.#calls.set(fd, call);
    if (this.#running) this.#ring();
    else void this.#run(this.#bell ??= openBell(take()));
  }

  cancel(fd: number): void {
    if (this.#calls.delete(fd)) this.#ring();
  }

  /** Without a look at which has something: those that have nothing wait again. */
  callAll(): void {
    for (const [fd, call] of [...this.#calls]) {
      // One that was called before may have cancelled it.
      if (this.#calls.get(fd) !== call) continue;
      this.#calls.delete(fd);
      call();
    }
  }

  rest(): void {
    if (this.users > 0 || this.#running || this.#bell === undefined) return;
    closeSync(this.#bell);
    this.#bell = undefined;
  }

  #ring(): void {
    if (this.#polling && this.#bell !== undefined) writeSync(this.#bell, "\n");
    this.#polling = false;
  }

  async #run(bell: number): Promise<void> {
    this.#running = true;
    while (this.#calls.size > 0) await this.#round(bell);
    this.#running = false;
    this.rest();
  }

  async #round(bell: number): Promise<void> {
    const fds = [bell, ...this.#calls.keys()];
    const list = Buffer.allocUnsafeSlow(fds.length * POLLFD_BYTES).fill(0);
    for (const [i, fd] of fds.entries()) {
      list.writeInt32LE(fd, i * POLLFD_BYTES);
      list.writeInt16LE(POLLIN, i * POLLFD_BYTES + EVENTS);
    }
    this.#polling = true;
    await this.#poll(list, fds.length);
    this.#polling = false;
    for (const [i, fd] of fds.entries()) {
      if (list.readInt16LE(i * POLLFD_BYTES + CAME) === 0) continue;
      if (fd === bell) readSync(fd, new Uint8Array(64));
      const call = this.#calls.get(fd);
      this.#calls.delete(fd);
      call?.();
    }
  }
}

function openBell(held: number): number {
  try {
    return openSync(`/proc/self/fd/${held}`, constants.O_RDWR | constants.O_NONBLOCK);
  } finally {
    closeSync(held);
  }
}
