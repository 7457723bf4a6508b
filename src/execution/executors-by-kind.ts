import { concat, defer, from, mergeMap, type Observable, of } from "rxjs";
import type { ExecutorKind } from "../event/command.ts";
import type { Invocation } from "../event/env.ts";
import type { ExecutionEvent } from "../event/execution.ts";
import type { Leftover } from "../event/leftover.ts";
import type { Sandbox } from "../platform/process/containment.ts";
import type { Executor } from "./executor.ts";

/** The executors of a runtime. */
export interface ExecutorTable {
  /** One for each kind; where a kind is absent, a process of its own runs the command. */
  readonly kinds:
    & { readonly process: Executor }
    & Readonly<Partial<Record<ExecutorKind, Executor>>>;
  /** Why a kind is absent. */
  readonly absent?: Readonly<Partial<Record<ExecutorKind, string>>>;
  /** Runs the commands that outlive the host, and follows those of earlier hosts; absent: there are none. */
  readonly detached?: (Executor & Required<Pick<Executor, "adopt">>) | undefined;
  /** Whether new commands may be detached; default `true`. */
  readonly detaches?: boolean;
  /** What holds every command. */
  readonly sandbox?: Sandbox | undefined;
}

/** What runs a command that an executor of some kind cannot run. */
const INSTEAD = { terminalShell: "shell", shell: "process", terminal: "process" } as const;

/**
 * Make one executor of a table of them: each command goes to the executor of its kind.
 *
 * What that one refuses goes to the next kind, and at last gets a process of its own, after
 * `execution.fellBack` for each step. It is asked before anything of the command is sent: nothing ever
 * runs twice.
 */
export function executorsByKind(
  { kinds, absent = {}, detached, detaches = detached !== undefined, sandbox }: ExecutorTable,
): Executor {
  const { process, ...others } = kinds;
  const own = [...new Set(Object.values(others))];
  const all = [...own, process, ...(detached === undefined ? [] : [detached])];
  const some = (can: "terminal" | "input" | "persistent") =>
    all.some(({ capabilities }) => capabilities[can]);
  const refuses = (invocation: Invocation): string | undefined => {
    const { executor: kind } = invocation;
    const executor = kinds[kind];
    if (executor !== undefined) return executor.refuses?.(invocation);
    return absent[kind] ?? `there is no ${kind} executor`;
  };
  return {
    name: process.name,
    capabilities: {
      terminal: some("terminal"),
      input: some("input"),
      persistent: some("persistent"),
      detaches,
      splits: process.capabilities.splits === true,
      inherits: process.capabilities.inherits === true,
      ...(sandbox && { sandbox }),
    },
    run: (commandId, invocation, sinks) =>
      defer(() => {
        if (invocation.detach && detached !== undefined) {
          return detached.run(commandId, invocation, sinks);
        }
        const run = (invocation: Invocation): Observable<ExecutionEvent> => {
          const { executor: kind } = invocation;
          if (kind === "process") return process.run(commandId, invocation, sinks);
          const executor = kinds[kind];
          const runUnless = (reason: string | undefined): Observable<ExecutionEvent> => {
            if (reason === undefined && executor !== undefined) {
              return executor.run(commandId, invocation, sinks);
            }
            const instead = inPlaceOf(invocation, INSTEAD[kind]);
            const to = instead.executor === "process" ? process.name : instead.executor;
            const fellBack = { type: "execution.fellBack", from: kind, to } as const;
            return concat(
              of({ ...fellBack, commandId, reason: reason ?? "" }),
              defer(() => run(instead)),
            );
          };
          const reason = refuses(invocation);
          if (reason !== undefined || executor?.prepare === undefined) return runUnless(reason);
          return from(executor.prepare(invocation)).pipe(mergeMap(runUnless));
        };
        return run(invocation);
      }),
    ...(detached && { adopt: (adoption) => detached.adopt(adoption) }),
    refuses,
    screen: (commandId) =>
      own.map((each) => each.screen?.(commandId)).find((one) => one !== undefined),
    readers: (commandId) =>
      all.map((each) => each.readers?.(commandId)).find((one) => one !== undefined),
    send: (commandId, message) => all.some((executor) => executor.send(commandId, message)),
    sweep: async (commandId) => {
      const survivors: Leftover[] = [];
      for (const executor of all) survivors.push(...await executor.sweep?.(commandId) ?? []);
      return survivors;
    },
    release: (sessionId, why) => {
      for (const executor of own) executor.release?.(sessionId, why);
    },
    close: async () => {
      // The process executor last: it looks for what left the commands of all.
      await detached?.close();
      for (const executor of own) await executor.close();
      await process.close();
    },
  };
}

/** The same without a terminal, or for a process of its own, which gets what would be typed on its standard input. */
function inPlaceOf(
  { shell, terminal, ...rest }: Invocation,
  executor: "shell" | "process",
): Invocation {
  const kept = executor === "shell" && shell !== undefined ? { shell } : {};
  return { ...rest, ...kept, executor, ...(terminal && { input: true }) };
}
