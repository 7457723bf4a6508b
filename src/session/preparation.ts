import type { CommandRequested } from "../event/command.ts";
import type { EnvValues } from "../event/env-values.ts";
import type { SessionPrepared } from "../event/session.ts";
import type { Clock } from "../platform/clock.ts";
import { messageOf } from "../platform/failure.ts";

/** What prepares a session before its first command. */
export interface PrepareSession {
  /** How long the commands that wait do so, in milliseconds. */
  readonly limitMs: number;
  /** Whether an earlier runtime had a session of this name. */
  readonly reason: SessionPrepared["reason"];
  /**
   * Begin; it can send the session commands that prepare it.
   *
   * @param signal Aborts when the time is over, or the session has closed.
   * @returns Variables for all commands of the session.
   */
  readonly run: (first: CommandRequested, signal: AbortSignal) => Promise<EnvValues | undefined>;
}

/** What takes part in the preparation of a session. */
export interface PreparationParts {
  readonly clock: Clock;
  /** Called once, unless the preparation is aborted first. */
  readonly over: (outcome: SessionPrepared) => void;
}

/**
 * Begin to prepare a session.
 *
 * @returns Aborts the preparation.
 */
export function beginPreparation(
  { limitMs, reason, run }: PrepareSession,
  first: CommandRequested,
  { clock, over }: PreparationParts,
): AbortController {
  const controller = new AbortController();
  const { signal } = controller;
  const finish = (outcome: Pick<SessionPrepared, "env" | "problem">) => {
    if (signal.aborted) return;
    over({ type: "session.prepared", sessionId: first.sessionId, reason, ...outcome });
    controller.abort();
  };
  const cancel = clock.after(limitMs, () => {
    finish({ problem: `Cannot wait for onSession: it took longer than ${limitMs} ms` });
  });
  signal.addEventListener("abort", cancel);
  run(first, signal).then(
    (env) => finish({ ...(env && { env }) }),
    (cause: unknown) => finish({ problem: messageOf(cause) }),
  );
  return controller;
}
