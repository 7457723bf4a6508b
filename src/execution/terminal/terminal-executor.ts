import { Observable } from "rxjs";
import type { CommandId } from "../../event/command.ts";
import type { ExecutionEvent } from "../../event/execution.ts";
import type { Screen } from "../../screen/screen.ts";
import type { Executor } from "../executor.ts";
import type { AttachedOptions } from "../run/attached-options.ts";
import { messageOf } from "../../platform/failure.ts";
import { CommandRun } from "../run/command-run.ts";
import { RunningCommands } from "../run/running-commands.ts";
import { startOnTerminal, type TerminalParts } from "./terminal-run.ts";

/** What the terminal executor needs. */
export interface TerminalExecutorOptions extends AttachedOptions {
  /** Load what opens terminals and shows their screens. */
  readonly load: () => Promise<TerminalParts>;
}

/** An interactive shell ignores TERM; the end of its terminal ends it. */
const ENDING = ["SIGTERM", "SIGHUP"];

/** Run each command on a terminal of its own. */
export function terminalExecutor({ load, ...options }: TerminalExecutorOptions): Executor {
  let parts: TerminalParts | undefined;
  let loading: Promise<TerminalParts> | undefined;
  const loaded = () => loading ??= load().then((all) => parts = all);
  const runs = new RunningCommands();
  const screens = new Map<CommandId, Screen>();
  return {
    name: "terminal",
    capabilities: { terminal: true, input: true, persistent: false, detaches: false },
    run: (commandId, invocation, sinks) =>
      new Observable<ExecutionEvent>((subscriber) => {
        const { limits } = invocation;
        const run = new CommandRun({ ...options, commandId, limits, subscriber, ending: ENDING });
        runs.add(run);
        options.watchdog?.start();
        const start = (all: TerminalParts) => {
          if (!run.wanted()) return;
          const screen = startOnTerminal(run, invocation, { ...options, ...all });
          if (screen === undefined) return;
          screens.set(commandId, screen);
          void run.finished.then(() => {
            screens.delete(commandId);
            screen.close();
          });
        };
        if (!run.open(sinks)) return;
        if (parts !== undefined) start(parts);
        else {
          loaded().then(start, (cause) => run.failed(messageOf(cause)))
            .catch((cause) => subscriber.error(cause));
        }
        return () => void run.stop({ by: "abort" });
      }),
    prepare: () => loaded().then(() => undefined, messageOf),
    readers: (commandId) => runs.readers(commandId),
    screen: (commandId) => screens.get(commandId),
    send: (commandId, message) => runs.send(commandId, message),
    sweep: async (commandId) => await runs.get(commandId)?.stop({ by: "stop" }) ?? [],
    close: () => runs.close(),
  };
}
