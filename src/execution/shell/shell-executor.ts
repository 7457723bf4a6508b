import type { SessionId } from "../../event/command.ts";
import type { Invocation, ShellInvocation } from "../../event/env.ts";
import { persistentDialects } from "../../shell/persistent/persistent-dialects.ts";
import type { PersistentDialect } from "../../shell/persistent/persistent-dialect.ts";
import type { Executor } from "../executor.ts";
import { markOf } from "../run/attached-options.ts";
import { RunningCommands } from "../run/running-commands.ts";
import { messageOf } from "../../platform/failure.ts";
import { lazy } from "../../platform/lazy.ts";
import type { ProcessIdentity } from "../../platform/process/processes.ts";
import { SessionShell } from "./session-shell.ts";
import { type ShellExecutorOptions, ShellRun } from "./shell-run.ts";

/** How an interactive shell is ended before the programs that it runs: it would go on with its line. It ignores TERM. */
const HANG_UP_FIRST = ["SIGHUP", "SIGTERM"];

/**
 * Run commands in persistent shells, one for each session, each command with an output pipe of its own
 * or, as executor `terminalShell`, on the terminal of the shell.
 */
export function shellExecutor(options: ShellExecutorOptions): Executor {
  const { shells, processes, clock, watchdog, load } = options;
  const runs = new RunningCommands();
  const answers = runs.answers();
  const parts = lazy(load ?? (() => Promise.reject(new Error("there are no terminals"))));
  const current = new Map<SessionId, SessionShell>();
  /** The shells that run, by pid, those of commands that went to the background included. */
  const living = new Map<number, ProcessIdentity>();
  let allGone = () => {};
  let closed = false;
  /** End the idle shell that was used longest ago, where another one could take the last files of the host. */
  const makeRoom = () => {
    if (living.size < shells.most) return;
    const idle = [...current.values()].find((shell) => shell.idle);
    idle?.release("it was idle, and other shells need the files that the host may open");
  };
  const shellOf = ({ sessionId }: ShellInvocation, dialect: PersistentDialect): SessionShell => {
    const known = current.get(sessionId);
    if (known?.place === undefined) makeRoom();
    if (known !== undefined) {
      // The last one that is used stands last.
      current.delete(sessionId);
      current.set(sessionId, known);
      return known;
    }
    const shell = new SessionShell({
      dialect,
      shells,
      processes,
      clock,
      terminals: () => parts.loaded?.terminals,
      mark: markOf(options, sessionId),
      onGroup: (leader) => {
        living.set(leader.pid, leader);
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
    if (closed) return "the runtime is closed";
    if (shells.unavailable !== undefined) return shells.unavailable;
    const dialect = persistentDialects[shell.dialect];
    const known = current.get(shell.sessionId)?.dialect;
    if (known !== undefined && known !== dialect) {
      return "the shell of its session is for lines of another dialect";
    }
    if (executor !== "terminalShell") {
      return typeof dialect !== "string" && typeof dialect.start === "string"
        ? dialect.start
        : dialect;
    }
    return typeof dialect !== "string" && dialect.terminal !== undefined
      ? dialect
      : `a shell for ${shell.dialect} is not kept on a terminal, only bash, zsh and fish are; ` +
        '"pty" without "executor" gives the command a terminal of its own';
  };
  return {
    name: "shell",
    capabilities: {
      terminal: load !== undefined,
      input: load !== undefined,
      persistent: shells.unavailable === undefined,
      detaches: false,
    },
    refuses: (invocation) => {
      const dialect = dialectOf(invocation);
      if (typeof dialect === "string") return dialect;
      const busy = invocation.shell && current.get(invocation.shell.sessionId)?.busy;
      return busy ? BUSY : undefined;
    },
    prepare: async (invocation) => {
      if (invocation.executor !== "terminalShell" || !isForShell(invocation)) return undefined;
      const { shell } = invocation;
      const dialect = dialectOf(invocation);
      if (typeof dialect === "string") return dialect;
      const known = shellOf(shell, dialect);
      try {
        await parts.load();
      } catch (cause) {
        return messageOf(cause);
      }
      if (current.get(shell.sessionId) !== known) return CLOSED;
      watchdog?.start();
      if (known.place !== "pipes") return known.prepare(invocation);
      const { begun } = known;
      const next = known.moveToTerminal();
      const problem = await next.prepare(invocation);
      if (problem !== undefined) return problem;
      const now = current.get(shell.sessionId);
      if (now === known && known.begun === begun && !known.busy) {
        known.end();
        current.set(shell.sessionId, next);
        return undefined;
      }
      next.end();
      // Where its command was cancelled, another one has had the shell since, or its terminal.
      if (now === known) return BUSY;
      return now?.place === "terminal" ? now.prepare(invocation) : CLOSED;
    },
    ...answers,
    run: (commandId, invocation, sinks) => {
      const { command, limits, executor, shell: { sessionId } = {} } = invocation;
      const interactive = executor === "terminalShell" ||
        (sessionId !== undefined && current.get(sessionId)?.place === "terminal");
      const ending = interactive ? HANG_UP_FIRST : undefined;
      return runs.attached({ ...options, commandId, limits, ending }, sinks, (run) => {
        const dialect = dialectOf(invocation);
        if (!isForShell(invocation) || typeof dialect === "string") {
          return run.failed(`Cannot run "${command}" in a shell: ${dialect}`);
        }
        const begin = () => {
          const { createEmulator } = parts.loaded ?? {};
          const inShell = new ShellRun(run, invocation, { ...options, createEmulator });
          shellOf(invocation.shell, dialect).begin(inShell);
        };
        if (executor !== "terminalShell" || parts.loaded !== undefined) return begin();
        const start = () => run.wanted() ? begin() : undefined;
        return parts.load().then(start, (cause) => run.failed(messageOf(cause)));
      });
    },
    // On pipes the shell is one of them, and its words say nothing of the command.
    readers: (commandId) => runs.get(commandId)?.screen && answers.readers(commandId),
    release: (sessionId, why) => {
      const shell = current.get(sessionId);
      if (shell === undefined) return;
      switch (why) {
        case "idle":
          return shell.release("it was idle");
        case "promoted":
          if (shell.busy) current.set(sessionId, shell.retire());
          return;
        case "closed":
          shell.end();
          current.delete(sessionId);
      }
    },
    close: async () => {
      closed = true;
      // A shell may hold an output itself, as after `exec 3>&1`.
      await runs.close(() => {
        current.clear();
        for (const leader of living.values()) processes.signal(leader, "SIGKILL");
      });
      if (living.size > 0) await new Promise<void>((resolve) => (allGone = resolve));
      shells.close();
    },
  };
}

const CLOSED = "the session was closed";
const BUSY = "the shell of its session is busy";

function isForShell(invocation: Invocation): invocation is ShellRun["invocation"] {
  return invocation.shell !== undefined;
}
