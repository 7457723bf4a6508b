import type { Stdio } from "../../platform/stdio.ts";
import { outcomeText } from "../../notification/notice-text.ts";
import type { RunResult } from "../../runtime/call/result.ts";
import { signalNumber } from "../../platform/process/signals/signal-numbers.ts";

/** Print what a person should know besides the output and the exit code. */
export async function remark(
  result: RunResult,
  { stdio, background }: { readonly stdio: Stdio; readonly background: "ended" | "kept" },
): Promise<void> {
  const { taskId, outcome, leftovers, refusal } = result;
  if (outcome.type === "detached") {
    const { log, pidFile } = outcome;
    await stdio.out(`task ${taskId}\nlog ${log}\npid file ${pidFile}\n`);
  }
  // A host of one's own is ended by a signal, which its exit code tells.
  const byHost = background === "kept" && outcome.type === "aborted" && outcome.by === "close";
  const why = byHost ? "Ended with the host of its session" : remarkOn(result);
  if (why !== undefined) await stdio.err(`${why}\n`);
  if (refusal !== undefined) await stdio.err(`${refusal}\n`);
  if (outcome.type !== "exited" || leftovers.length === 0) return;
  const names = leftovers.map(({ pid, command }) => `${command} (${pid})`).join(", ");
  await stdio.err(`Left running${background === "ended" ? ", and ended now" : ""}: ${names}\n`);
}

function remarkOn({ outcome }: RunResult): string | undefined {
  switch (outcome.type) {
    case "timedOut":
    case "idleTimedOut":
    case "signaled":
      return outcomeText(outcome).replace(/^./, (letter) => letter.toUpperCase());
    default:
      return "reason" in outcome ? outcome.reason : undefined;
  }
}

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
