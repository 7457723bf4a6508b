import type { StopCause } from "../../event/command.ts";
import type { Outcome } from "../../event/execution.ts";
import type { ExitStatus } from "../../platform/process/processes.ts";
import { knownSignal } from "../../platform/process/signals/signal-numbers.ts";

/** Why a command was ended, and by which limit. */
export interface Stop {
  readonly by: StopCause;
  readonly limitMs?: number;
}

/** What was sent to a command from here. */
export interface Sent {
  /** Why it was ended, if that came before its exit. */
  readonly stop?: Stop | undefined;
  /** The signals that were sent on request. */
  readonly signals?: ReadonlySet<string>;
}

const names = (short: string) => short.split(" ").map((name) => `SIG${name}`);

/** Signals whose default is to dump core. */
const DUMPS_CORE: ReadonlySet<string> = new Set(
  names("QUIT ILL TRAP ABRT BUS FPE SEGV XCPU XFSZ SYS"),
);

/** Signals whose default is not to end a process. */
const ENDS_NOTHING: ReadonlySet<string> = new Set(
  names("CHLD CONT STOP TSTP TTIN TTOU URG WINCH"),
);

/**
 * Decide how a command ended.
 *
 * The cause of its stop decides first: a command that was timed out is `timedOut`, also when it
 * handled the signal and exited with a code of its own.
 *
 * @param status What the system reports of the process.
 */
export function outcomeOf(
  { code, signal }: ExitStatus,
  { stop, signals = NONE }: Sent = {},
): Outcome {
  switch (stop?.by) {
    case "timeout":
      return { type: "timedOut", limitMs: stop.limitMs ?? 0 };
    case "idle":
      return { type: "idleTimedOut", limitMs: stop.limitMs ?? 0 };
    case "abort":
    case "close":
      return { type: "aborted", by: stop.by };
    case "outputLimit":
      return { type: "outputLimited" };
    default:
  }
  if (signal !== null) {
    return {
      type: "signaled",
      signal,
      by: stop?.by ?? (signals.has(signal) ? "user" : "unknown"),
      coreDump: DUMPS_CORE.has(signal),
    };
  }
  if (code === null) {
    return { type: "unknown", reason: "The system reported neither a code nor a signal" };
  }
  const guessed = guessedSignal(code);
  const by = stop?.by ?? (guessed !== undefined && signals.has(guessed) ? "user" : undefined);
  return {
    type: "exited",
    code,
    ...(guessed !== undefined && { guessedSignal: guessed }),
    ...(by !== undefined && { by }),
  };
}

/**
 * The status of a process whose parent is a shell that reports a code.
 *
 * The code of a signal that was sent from here is no guess.
 */
export function statusOf(code: number, { stop, signals = NONE }: Sent): ExitStatus {
  const guessed = guessedSignal(code);
  const ours = guessed !== undefined && (stop !== undefined || signals.has(guessed));
  return ours ? { code: null, signal: guessed } : { code, signal: null };
}

/** A shell reports a signal that ended a program as 128 and its number. */
function guessedSignal(code: number): string | undefined {
  const name = knownSignal(code - 128);
  return name === undefined || ENDS_NOTHING.has(name) ? undefined : name;
}

const NONE: ReadonlySet<string> = new Set();
