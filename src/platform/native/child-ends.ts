import process from "node:process";
import { isMainThread } from "node:worker_threads";
import type { CLibrary } from "./c-library.ts";
import type { NativeCalls } from "./native-calls.ts";
import type { ExitStatus } from "../process/processes.ts";
import { deliverBy } from "../deliver-now.ts";
import { signalName } from "../process/signals/signal-numbers.ts";

/** How often to look without a signal, in milliseconds: only the main thread gets signals. */
const LOOK_MS = isMainThread ? 1_000 : 10;

/** A child that the runtime does not know. */
interface NativeChild {
  readonly collect: NativeCalls["collect"];
  readonly ended: (status: ExitStatus) => void;
}

/** By pid, those of all runtimes: more than ten listeners for a signal cause a warning. */
const living = new Map<number, NativeChild>();
deliverBy(collectAll);

/**
 * Keeps the event loop alive while a child lives, which a listener for signals does not, and finds a
 * child whose status another part of this process took.
 */
let timer: ReturnType<typeof setInterval> | undefined;

/**
 * Start a child, and call once when it has ended, which is never at once.
 *
 * @param start Starts it and returns its pid; it may throw.
 */
export function startNativeChild(start: () => number, child: NativeChild): number {
  // Before the start: the signal of an earlier end would be lost.
  if (timer === undefined) {
    timer = setInterval(collectAll, LOOK_MS);
    process.on("SIGCHLD", collectAll);
  }
  try {
    const pid = start();
    living.set(pid, child);
    return pid;
  } finally {
    stopIfIdle();
  }
}

/** One signal may stand for the ends of many. */
function collectAll(): void {
  for (const [pid, { collect, ended }] of living) {
    const status = collect(pid);
    if (status === undefined) continue;
    living.delete(pid);
    ended(status);
  }
  stopIfIdle();
}

function stopIfIdle(): void {
  if (living.size > 0) return;
  clearInterval(timer);
  timer = undefined;
  process.off("SIGCHLD", collectAll);
}

// From the headers of Linux, the same on all processors.
const WNOHANG = 1;
const ECHILD = 10;

/** How a child ended, without waiting for it. */
export function exitCollector(library: CLibrary): NativeCalls["collect"] {
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
