import { Observable } from "rxjs";
import type { SessionId } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Shells } from "../../platform/shell/shells.ts";
import { persistenceOf } from "../../shell/persistent/persistent-dialects.ts";
import type { Executor } from "../executor.ts";
import type { AttachedOptions } from "../run/attached-options.ts";
import { Runs } from "../run/runs.ts";
import { SessionShell } from "./session-shell.ts";
import { ShellRun } from "./shell-run.ts";

/** What the shell executor needs. */
export interface ShellExecutorOptions extends AttachedOptions {
  readonly shells: Shells;
}

/** Run commands in the shells that their sessions keep alive, each with an output pipe of its own. */
export function shellExecutor(options: ShellExecutorOptions): Executor {
  const { shells, processes, clock, runtimeId, outerMark, watchdog } = options;
  const { graceMs = 5_000, haste, background = "keep" } = options;
  const runs = new Runs<ShellRun>();
  const kept = new Map<SessionId, SessionShell>();
  const living = new Set<number>();
  let allGone = () => {};
  const markOf = (id: string) =>
    outerMark === undefined ? `${runtimeId}/${id}` : `${outerMark} ${runtimeId}/${id}`;
  const shellOf = (sessionId: SessionId, persistence: SessionShellPersistence): SessionShell => {
    const known = kept.get(sessionId);
    if (known !== undefined) return known;
    const shell = new SessionShell({
      persistence,
      shells,
      processes,
      mark: markOf(sessionId),
      onGroup: (leader) => {
        living.add(leader.pid);
        watchdog?.register(leader);
      },
      onGroupGone: (group) => {
        living.delete(group);
        watchdog?.release(group);
        if (living.size === 0) allGone();
      },
    });
    kept.set(sessionId, shell);
    return shell;
  };
  return {
    name: "shell",
    capabilities: { terminal: false, input: false, persistent: true, detaches: false },
    serves: ({ shell }) => {
      if (shell === undefined) return "it is not for the shell of a session";
      if (shells.unavailable !== undefined) return shells.unavailable;
      const persistence = persistenceOf(shell.dialect);
      if (typeof persistence === "string") return persistence;
      return kept.get(shell.sessionId)?.busy ? "the shell of its session is busy" : undefined;
    },
    run: (commandId, { shell, ...rest }, sinks) =>
      new Observable<ExecutionEvent>((subscriber) => {
        const persistence = shell && persistenceOf(shell.dialect);
        if (shell === undefined || persistence === undefined || typeof persistence === "string") {
          const reason = `Cannot run "${rest.command}" in a shell: ${
            persistence ?? "none is named"
          }`;
          subscriber.next({ type: "execution.failed", commandId, reason });
          return subscriber.complete();
        }
        const run = new ShellRun(subscriber, {
          commandId,
          invocation: { ...rest, shell },
          limits: rest.limits,
          shells,
          shell: shellOf(shell.sessionId, persistence),
          processes,
          clock,
          sinks,
          graceMs,
          haste,
          background,
          mark: markOf(commandId),
          onFinished: () => runs.forget(commandId),
        });
        runs.add(commandId, run);
        watchdog?.start();
        run.start();
        return () => void run.stop({ by: "abort" });
      }),
    send: (commandId, message) => runs.send(commandId, message) ?? false,
    release: (sessionId, why) => {
      const shell = kept.get(sessionId);
      if (why === "idle") return shell?.release("it was idle");
      // A later session of the same name is another one, and gets nothing of it.
      shell?.end();
      kept.delete(sessionId);
    },
    close: async () => {
      // A shell may hold an output itself, as after `exec 3>&1`.
      await runs.close(() => {
        for (const shell of kept.values()) shell.end();
      });
      kept.clear();
      if (living.size > 0) await new Promise<void>((resolve) => (allGone = resolve));
      shells.close();
    },
  };
}

type SessionShellPersistence = Exclude<ReturnType<typeof persistenceOf>, string>;
