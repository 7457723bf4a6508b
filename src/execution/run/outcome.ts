import type { StopCause } from "../../event/command.ts";
import type { Outcome } from "../../event/execution.ts";
import type { ExitStatus } from "../../platform/process/processes.ts";
import {
  REAL_TIME_SIGNALS,
  SIGNAL_NUMBERS,
} from "../../platform/process/signals/signal-numbers.ts";

/** Why a command was told to end, and by which limit. */
export interface Stop {
  readonly by: StopCause;
  readonly limitMs?: number;
}

/** What was done to a command from here. */
export interface Asked {
  /** Who asked for its end, if anybody did before it came. */
  readonly stop?: Stop | undefined;
  /** The signals that the user had sent to it. */
  readonly sent?: ReadonlySet<string>;
}

/** Signals whose default is to dump core. */
const DUMPS_CORE = new Set([
  "SIGQUIT",
  "SIGILL",
  "SIGTRAP",
  "SIGABRT",
  "SIGBUS",
  "SIGFPE",
  "SIGSEGV",
  "SIGXCPU",
  "SIGXFSZ",
  "SIGSYS",
]);

/** Signals whose default is to end a process, without a dump. */
const ENDS = [
  "SIGHUP",
  "SIGINT",
  "SIGKILL",
  "SIGPIPE",
  "SIGALRM",
  "SIGTERM",
  "SIGUSR1",
  "SIGUSR2",
  "SIGVTALRM",
  "SIGPROF",
  "SIGIO",
  "SIGPWR",
  "SIGSTKFLT",
];

/** The signals that a shell tells of as 128 + n, by n. */
const BY_NUMBER: ReadonlyMap<number, string> = new Map([
  ...[...DUMPS_CORE, ...ENDS].flatMap((name): [number, string][] => {
    const number = SIGNAL_NUMBERS[name];
    return number === undefined ? [] : [[number, name]];
  }),
  ...REAL_TIME_SIGNALS,
]);

/**
 * Tell how a command ended.
 *
 * Who asked for the end decides first: a command that was timed out is `timedOut`, also when it
 * caught the signal and left with a code of its own.
 *
 * @param status What the system said of the process.
 */
export function outcomeOf(
  { code, signal }: ExitStatus,
  { stop, sent = NOTHING }: Asked = {},
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
      by: stop?.by ?? (sent.has(signal) ? "user" : "unknown"),
      coreDump: DUMPS_CORE.has(signal),
    };
  }
  if (code === null) {
    return { type: "unknown", reason: "The system told neither a code nor a signal" };
  }
  const guessed = guessedSignal(code);
  const by = stop?.by ?? (guessed !== undefined && sent.has(guessed) ? "user" : undefined);
  return {
    type: "exited",
    code,
    ...(guessed !== undefined && { guessedSignal: guessed }),
    ...(by !== undefined && { by }),
  };
}

/**
 * What the system would have said of a process, if a shell waited for it and tells its code.
 *
 * The code of a signal that was sent from here is no guess.
 */
export function statusOf(code: number, { stop, sent = NOTHING }: Asked): ExitStatus {
  const guessed = guessedSignal(code);
  const ours = guessed !== undefined && (stop !== undefined || sent.has(guessed));
  return ours ? { code: null, signal: guessed } : { code, signal: null };
}

function guessedSignal(code: number): string | undefined {
  return BY_NUMBER.get(code - 128);
}

const NOTHING: ReadonlySet<string> = new Set();
