import { Observable } from "rxjs";
import type { SessionId } from "../../event/command.ts";
import type { ShellInvocation } from "../../event/env.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import { persistentDialects } from "../../shell/persistent/persistent-dialects.ts";
import type { PersistentDialect } from "../../shell/persistent/persistent-dialect.ts";
import type { Executor } from "../executor.ts";
import { markOf } from "../run/attached-options.ts";
import { CommandRun } from "../run/command-run.ts";
import { RunningCommands } from "../run/running-commands.ts";
import { SessionShell } from "./session-shell.ts";
import { type ShellExecutorOptions, ShellRun } from "./shell-run.ts";

/** Run commands in persistent shells, one for each session, each command with an output pipe of its own. */
export function shellExecutor(options: ShellExecutorOptions): Executor {
  const { shells, processes, watchdog } = options;
  const runs = new RunningCommands();
  const current = new Map<SessionId, SessionShell>();
  /** The shells of commands that went to the background. */
  const retired = new Set<SessionShell>();
  const living = new Set<number>();
  let allGone = () => {};
  const shellOf = ({ sessionId }: ShellInvocation, dialect: PersistentDialect): SessionShell => {
    const known = current.get(sessionId);
    if (known !== undefined) return known;
    const shell = new SessionShell({
      dialect,
      shells,
      processes,
      mark: markOf(options, sessionId),
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
    current.set(sessionId, shell);
    return shell;
  };
  return {
    name: "shell",
    capabilities: { terminal: false, input: true, persistent: true, detaches: false },
    refuses: ({ shell }) => {
      if (shell === undefined) return "it is not for the shell of a session";
      if (shells.unavailable !== undefined) return shells.unavailable;
      const dialect = persistentDialects[shell.dialect];
      if (typeof dialect === "string") return dialect;
      return current.get(shell.sessionId)?.busy ? "the shell of its session is busy" : undefined;
    },
    run: (commandId, { shell, ...rest }, sinks) =>
      new Observable<ExecutionEvent>((subscriber) => {
        const { limits } = rest;
        const run = new CommandRun({ ...options, commandId, limits, subscriber });
        const dialect = shell && persistentDialects[shell.dialect];
        if (shell === undefined || dialect === undefined || typeof dialect === "string") {
          return run.failed(
            `Cannot run "${rest.command}" in a shell: ${dialect ?? "none is named"}`,
          );
        }
        runs.add(run);
        watchdog?.start();
        if (run.open(sinks)) {
          shellOf(shell, dialect).begin(new ShellRun(run, { ...rest, shell }, options));
        }
        return () => void run.stop({ by: "abort" });
      }),
    send: (commandId, message) => runs.send(commandId, message),
    sweep: async (commandId) => await runs.get(commandId)?.stop({ by: "stop" }) ?? [],
    release: (sessionId, why) => {
      const shell = current.get(sessionId);
      if (shell === undefined) return;
      switch (why) {
        case "idle":
          return shell.release("it was idle");
        case "promoted":
          if (!shell.busy) return;
          for (const other of retired) if (!other.busy) retired.delete(other);
          retired.add(shell);
          return void current.set(sessionId, shell.retire());
        case "closed":
          shell.end();
          current.delete(sessionId);
      }
    },
    close: async () => {
      // A shell may hold an output itself, as after `exec 3>&1`.
      await runs.close(() => {
        for (const shell of [...current.values(), ...retired]) shell.end();
      });
      current.clear();
      if (living.size > 0) await new Promise<void>((resolve) => (allGone = resolve));
      shells.close();
    },
  };
}
