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

/** The one thread of this process: Deno has 32 threads for calls that block, for all that it does. */
let thread: WaitingThread | undefined;
deliverBy(() => thread?.callAll());

/**
 * Wait for all pipes of the process by one call of `poll` at a time, as a thread for each would stall
 * the pool of the runtime.
 *
 * @param openBell Opens the pipe that wakes the thread when there is another one to wait for.
 */
export function waitInThread(poll: NativeCalls["poll"], openBell: () => number): Waiter {
  const own = thread ??= new WaitingThread(poll);
  return {
    wait: (fd, call) => own.wait(fd, call, openBell),
    cancel: (fd) => own.cancel(fd),
  };
}

class WaitingThread {
  readonly #poll: NativeCalls["poll"];
  readonly #calls = new Map<number, () => void>();
  /** Kept for the life of the process: later no descriptor may be left for it. */
  #bell: number | undefined;
  /** The thread waits, and does not know of what has changed since. */
  #polling = false;
  #running = false;

  constructor(poll: NativeCalls["poll"]) {
    this.#poll = poll;
  }

  wait(fd: number, call: () => void, openBell: () => number): void {
    const bell = this.#bell ??= openBell();
    this.#calls.set(fd, call);
    if (this.#running) this.#ring();
    else void this.#run(bell);
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

  #ring(): void {
    if (this.#polling && this.#bell !== undefined) writeSync(this.#bell, "\n");
    this.#polling = false;
  }

  async #run(bell: number): Promise<void> {
    this.#running = true;
    while (this.#calls.size > 0) await this.#round(bell);
    this.#running = false;
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
