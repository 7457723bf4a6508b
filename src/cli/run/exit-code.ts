import { signalNumber } from "../../platform/process/signals/signal-numbers.ts";
import type { RunResult } from "../../runtime/call/result.ts";

/**
 * The exit code that reports to a shell how a command ended: its own, 128 + n for a signal, 124 for a
 * timeout, 126 for a denial, and 1 when it never ran for another reason.
 */
export function exitCodeOf({ outcome }: Pick<RunResult, "outcome">): number {
  switch (outcome.type) {
    case "exited":
      return outcome.code;
    case "signaled":
      return 128 + (signalNumber(outcome.signal) ?? 0);
    case "timedOut":
    case "idleTimedOut":
      return 124;
    case "denied":
      return 126;
    case "detached":
      return 0;
    default:
      return 1;
  }
}
