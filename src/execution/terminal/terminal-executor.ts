import type { Executor } from "../executor.ts";
import type { AttachedOptions } from "../run/attached-options.ts";
import { messageOf } from "../../platform/failure.ts";
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
  let loading: Promise<TerminalParts> | undefined;
  const loaded = () => loading ??= load();
  const runs = new RunningCommands();
  return {
    name: "terminal",
    capabilities: { terminal: true, input: true, persistent: false, detaches: false },
    ...runs.answers(),
    run: (commandId, invocation, sinks) =>
      runs.attached(
        { ...options, commandId, limits: invocation.limits, ending: ENDING },
        sinks,
        (run) =>
          loaded().then((parts) => {
            if (run.wanted()) startOnTerminal(run, invocation, { ...options, ...parts });
          }, (cause) => run.failed(messageOf(cause))),
      ),
    prepare: () => loaded().then(() => undefined, messageOf),
  };
}
