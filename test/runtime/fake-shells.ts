import { Observable } from "rxjs";
import type { ShellState } from "../../src/event/command.ts";
import type { Invocation } from "../../src/event/env.ts";
import type { Executor } from "../../src/execution/executor.ts";

/** An executor in whose shells nothing runs. */
export interface FakeShells extends Executor {
  /** What was run, with the session whose shell ran it. */
  readonly ran: string[];
  readonly invocations: Invocation[];
  readonly released: string[];
  /** End a command that waits. */
  readonly finish: (command: string) => void;
}

/**
 * Shells of a small language: `go DIR` moves, `report JSON` has the names, `wait` ends when it is
 * told to, `starting` never begins; all else ends at once.
 */
export function fakeShells(): FakeShells {
  const ran: string[] = [];
  const invocations: Invocation[] = [];
  const released: string[] = [];
  const states = new Map<string, ShellState>();
  const waiting = new Map<string, () => void>();
  return {
    ran,
    invocations,
    released,
    finish: (command) => waiting.get(command)?.(),
    name: "shell",
    capabilities: { terminal: false, input: false, persistent: true, detaches: false },
    run: (commandId, invocation) =>
      new Observable((subscriber) => {
        const { command, cwd, shell } = invocation;
        invocations.push(invocation);
        ran.push(`${shell?.sessionId ?? "process"}: ${command}`);
        const [word = "", rest = ""] = command.split(/ (.*)/s);
        if (word === "starting") return;
        subscriber.next({ type: "execution.started", commandId, executor: "shell", pid: 0 });
        const end = () => {
          if (shell !== undefined && word === "report") {
            states.set(shell.sessionId, JSON.parse(rest));
          }
          const after = shell && {
            cwd: word === "go" ? rest : cwd,
            state: states.get(shell.sessionId) ?? {},
          };
          subscriber.next({
            type: "execution.exited",
            commandId,
            outcome: { type: "exited", code: 0 },
            durationMs: 0,
            leftovers: [],
            ...(after && { shell: after }),
          });
          subscriber.next({ type: "execution.closed", commandId, leftovers: [] });
          subscriber.complete();
        };
        if (word === "wait") waiting.set(command, end);
        else end();
      }),
    send: (_, { type }) => {
      if (type === "stop") { for (const end of waiting.values()) end(); }
      return true;
    },
    release: (sessionId, why) => {
      released.push(`${sessionId} ${why}`);
      states.delete(sessionId);
    },
    close: () => Promise.resolve(),
  };
}
