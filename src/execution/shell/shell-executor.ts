import { Observable } from "rxjs";
import type { CommandId, SessionId } from "../../event/command.ts";
import type { Invocation, ShellInvocation } from "../../event/env.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import { persistentDialects } from "../../shell/persistent/persistent-dialects.ts";
import type { PersistentDialect } from "../../shell/persistent/persistent-dialect.ts";
import type { Executor } from "../executor.ts";
import { markOf } from "../run/attached-options.ts";
import { CommandRun } from "../run/command-run.ts";
import { RunningCommands } from "../run/running-commands.ts";
import { messageOf } from "../../platform/failure.ts";
import { HANG_UP_FIRST, type TerminalParts } from "../terminal/terminal-run.ts";
import { SessionShell } from "./session-shell.ts";
import { type ShellExecutorOptions, ShellRun } from "./shell-run.ts";

/**
 * Run commands in persistent shells, one for each session, each command with an output pipe of its own
 * or, as executor `terminalShell`, on the terminal of the shell.
 */
export function shellExecutor(options: ShellExecutorOptions): Executor {
  const { shells, processes, clock, watchdog, load } = options;
  const runs = new RunningCommands();
  const onTerminals = new Map<CommandId, ShellRun>();
  let parts: TerminalParts | undefined;
  let loading: Promise<TerminalParts> | undefined;
  const loaded = async () => {
    if (load === undefined) throw new Error("there are no terminals");
    return parts ??= await (loading ??= load());
  };
  const current = new Map<SessionId, SessionShell>();
  /** The shells of commands that went to the background. */
  const retired = new Set<SessionShell>();
  /** Those that are to take the place of shells without a terminal. */
  const starting = new Set<SessionShell>();
  const living = new Set<number>();
  let allGone = () => {};
  const shellOf = ({ sessionId }: ShellInvocation, dialect: PersistentDialect): SessionShell => {
    const known = current.get(sessionId);
    if (known !== undefined) return known;
    const shell = new SessionShell({
      dialect,
      shells,
      processes,
      clock,
      terminals: () => parts?.terminals,
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
  /** The dialect of the shell that an invocation is for, or why it has none. */
  const dialectOf = ({ shell, executor }: Invocation): PersistentDialect | string => {
    if (shell === undefined) return "it is not for the shell of a session";
    const dialect = shells.unavailable ?? persistentDialects[shell.dialect];
    if (executor !== "terminalShell" || shells.unavailable !== undefined) return dialect;
    return typeof dialect !== "string" && dialect.terminal !== undefined
      ? dialect
      : `a shell for ${shell.dialect} is not kept on a terminal, only bash and zsh are; ` +
        '"pty" without "executor" gives the command a terminal of its own';
  };
  return {
    name: "shell",
    capabilities: {
      terminal: load !== undefined,
      input: true,
      persistent: true,
      detaches: false,
    },
    refuses: (invocation) => {
      const dialect = dialectOf(invocation);
      if (typeof dialect === "string") return dialect;
      const busy = invocation.shell && current.get(invocation.shell.sessionId)?.busy;
      return busy ? "the shell of its session is busy" : undefined;
    },
    prepare: async ({ shell, ...rest }) => {
      if (rest.executor !== "terminalShell" || shell === undefined) return undefined;
      const dialect = dialectOf({ ...rest, shell });
      if (typeof dialect === "string") return dialect;
      try {
        await loaded();
      } catch (cause) {
        return messageOf(cause);
      }
      watchdog?.start();
      const known = shellOf(shell, dialect);
      const invocation = { ...rest, shell };
      if (known.place !== "pipes") return known.prepare(invocation);
      const next = known.moveToTerminal();
      starting.add(next);
      const problem = await next.prepare(invocation);
      starting.delete(next);
      if (problem !== undefined) return problem;
      if (current.get(shell.sessionId) !== known) {
        next.end();
        return "the session was closed";
      }
      known.end();
      current.set(shell.sessionId, next);
      return undefined;
    },
    run: (commandId, { shell, ...rest }, sinks) =>
      new Observable<ExecutionEvent>((subscriber) => {
        const { limits, executor } = rest;
        const interactive = executor === "terminalShell" ||
          (shell && current.get(shell.sessionId)?.place === "terminal");
        const ending = interactive ? HANG_UP_FIRST : undefined;
        const run = new CommandRun({ ...options, commandId, limits, subscriber, ending });
        const dialect = dialectOf({ ...rest, ...(shell && { shell }) });
        if (shell === undefined || typeof dialect === "string") {
          return run.failed(`Cannot run "${rest.command}" in a shell: ${dialect}`);
        }
        runs.add(run);
        watchdog?.start();
        const begin = () => {
          const { createEmulator } = parts ?? {};
          const inShell = new ShellRun(run, { ...rest, shell }, { ...options, createEmulator });
          if (executor === "terminalShell") {
            onTerminals.set(commandId, inShell);
            void run.finished.then(() => onTerminals.delete(commandId));
          }
          shellOf(shell, dialect).begin(inShell);
        };
        if (run.open(sinks)) {
          if (executor !== "terminalShell" || parts !== undefined) begin();
          else {
            loaded().then(begin, (cause) => run.failed(messageOf(cause)))
              .catch((cause) => subscriber.error(cause));
          }
        }
        return () => void run.stop({ by: "abort" });
      }),
    readers: (commandId) => onTerminals.has(commandId) ? runs.readers(commandId) : undefined,
    screen: (commandId) => onTerminals.get(commandId)?.screen,
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
        for (const shell of [...current.values(), ...retired, ...starting]) shell.end();
      });
      current.clear();
      if (living.size > 0) await new Promise<void>((resolve) => (allGone = resolve));
      shells.close();
    },
  };
}
