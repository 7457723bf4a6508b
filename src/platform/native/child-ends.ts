import process from "node:process";
import { clearInterval, setInterval } from "node:timers";
import { isMainThread } from "node:worker_threads";
import type { ExitStatus } from "../process/processes.ts";
import type { NativeCalls } from "./native-calls.ts";

/** How often to look without a signal, in milliseconds: only the main thread hears of signals. */
const LOOK_MS = isMainThread ? 1_000 : 10;

/** Who wants to hear of a signal: one listener is for all, as a process warns of many. */
const listening = new Set<() => void>();
const hear = () => {
  for (const look of listening) look();
};

function listen(look: () => void): void {
  if (listening.size === 0) process.on("SIGCHLD", hear);
  listening.add(look);
}

function unlisten(look: () => void): void {
  if (listening.delete(look) && listening.size === 0) process.off("SIGCHLD", hear);
}

/** Tells of the ends of children that the runtime knows nothing of. */
export class ChildEnds {
  readonly #calls: Pick<NativeCalls, "collect" | "anyEnded">;
  readonly #living = new Map<number, (status: ExitStatus) => void>();
  readonly #look = () => this.look();
  readonly #tick = () => {
    if (this.#living.size === 0) return this.#stopLooking();
    // One by one: of a child whose end somebody else took nothing else tells.
    this.#collectAll();
    this.#rest();
  };
  #closed = false;
  /** Keeps the event loop alive as long as a child lives, which a listener for signals does not. */
  #timer: NodeJS.Timeout | undefined;

  constructor(calls: Pick<NativeCalls, "collect" | "anyEnded">) {
    this.#calls = calls;
  }

  /** To be called before a child starts: of one that ends earlier nothing tells, or it is forgotten where SIGCHLD is ignored. */
  listen(): void {
    this.#closed = false;
    listen(this.#look);
  }

  /** Call once when a child has ended; never at once. */
  add(pid: number, call: (status: ExitStatus) => void): void {
    this.#living.set(pid, call);
    this.#timer ??= setInterval(this.#tick, LOOK_MS);
    this.#timer.ref();
  }

  /** Tell of all that have ended; one signal may stand for many. */
  look(): void {
    while (this.#living.size > 0) {
      const pid = this.#calls.anyEnded();
      if (pid === undefined) break;
      if (this.#collect(pid)) continue;
      // One of the runtime's, behind which those of ours cannot be seen.
      this.#collectAll();
      break;
    }
    this.#rest();
  }

  /** Let go of everything once no child lives. */
  close(): void {
    this.#closed = true;
    this.#rest();
  }

  #collectAll(): void {
    for (const pid of this.#living.keys()) this.#collect(pid);
  }

  #collect(pid: number): boolean {
    const call = this.#living.get(pid);
    const status = call && this.#calls.collect(pid);
    if (status === undefined) return false;
    this.#living.delete(pid);
    call?.(status);
    return true;
  }

  #rest(): void {
    if (this.#living.size > 0) return;
    this.#timer?.unref();
    if (!this.#closed) return;
    this.#stopLooking();
    unlisten(this.#look);
  }

  #stopLooking(): void {
    clearInterval(this.#timer);
    this.#timer = undefined;
  }
}
