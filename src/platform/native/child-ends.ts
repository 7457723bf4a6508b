import process from "node:process";
import { isMainThread } from "node:worker_threads";
import type { CLibrary } from "./c-library.ts";
import type { NativeCalls } from "./native-calls.ts";
import type { ExitStatus } from "../process/processes.ts";
import { deliverBy } from "../deliver-now.ts";
import { signalName } from "../process/signals/signal-numbers.ts";

/** How often to look without a signal, in milliseconds: only the main thread gets signals. */
const LOOK_MS = isMainThread ? 1_000 : 10;

/** What looks when a child has ended; one listener for the process, as more than ten of them cause a warning. */
const looks = new Set<() => void>();
const lookAll = () => looks.forEach((look) => look());
deliverBy(lookAll);

/** Reports the ends of children that the runtime does not know. */
export class ChildEnds {
  readonly #calls: Pick<NativeCalls, "collect">;
  readonly #living = new Map<number, (status: ExitStatus) => void>();
  readonly #look = () => this.#collectAll();
  /**
   * Keeps the event loop alive while a child lives, which a listener for signals does not, and finds
   * a child whose status another part of this process took.
   */
  #timer: ReturnType<typeof setInterval> | undefined;

  constructor(calls: Pick<NativeCalls, "collect">) {
    this.#calls = calls;
  }

  /**
   * Start a child, and call once when it has ended, which is never at once.
   *
   * @param start Starts it and returns its pid; it may throw.
   */
  start(start: () => number, ended: (status: ExitStatus) => void): number {
    // Before the start: the signal of an earlier end would be lost.
    if (this.#timer === undefined) {
      this.#timer = setInterval(this.#look, LOOK_MS);
      if (looks.size === 0) process.on("SIGCHLD", lookAll);
      looks.add(this.#look);
    }
    try {
      const pid = start();
      this.#living.set(pid, ended);
      return pid;
    } finally {
      this.#restIfIdle();
    }
  }

  /** One signal may stand for the ends of many. */
  #collectAll(): void {
    for (const [pid, ended] of this.#living) {
      const status = this.#calls.collect(pid);
      if (status === undefined) continue;
      this.#living.delete(pid);
      ended(status);
    }
    this.#restIfIdle();
  }

  #restIfIdle(): void {
    if (this.#living.size > 0) return;
    clearInterval(this.#timer);
    this.#timer = undefined;
    looks.delete(this.#look);
    if (looks.size === 0) process.off("SIGCHLD", lookAll);
  }
}

// From the headers of Linux, the same on all processors.
const WNOHANG = 1;
const ECHILD = 10;

/** How a child ended, without waiting for it. */
export function collecting(library: CLibrary): NativeCalls["collect"] {
  const status = new Int32Array(1);
  return (pid) => {
    const found = library.waitpid(pid, status, WNOHANG);
    if (found === pid) return statusOf(status[0] ?? 0);
    // Another part of this process has taken its status, as one does that waits for any child.
    if (found < 0 && library.errno() === ECHILD) return { code: null, signal: null };
    return undefined;
  };
}

/** The low seven bits are the signal, and those above eight the code. */
function statusOf(status: number): ExitStatus {
  const number = status & 0x7f;
  if (number === 0) return { code: (status >> 8) & 0xff, signal: null };
  return { code: null, signal: signalName(number) };
}
