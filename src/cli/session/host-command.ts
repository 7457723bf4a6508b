import { Command } from "commander";
import { messageOf } from "../../platform/failure.ts";
import { leaveDirectory } from "../../platform/environment/environment.ts";
import { OwnedError, ownerOf } from "../../platform/owner/owner-lock.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { Cli } from "../cli.ts";
import { control } from "../../runtime/control/protocol.ts";
import { withOwner } from "../../runtime/control/with-owner.ts";
import { createRuntime } from "../../runtime/create.ts";
import type { Runtime } from "../../runtime/runtime.ts";
import { seconds } from "../option-values.ts";
import { untilGone } from "./until-gone.ts";
import { sessionDirectory } from "./session-request.ts";

/** What a host reports to its starter, as a line of JSON. */
export interface HostReport {
  /** Absent: the directory has an owner, this process or another one. */
  readonly error?: string;
}

interface Options {
  readonly log?: string;
  readonly idle: number;
  readonly stop?: boolean;
}

/** `shellflow host`: the process that keeps the shells of sessions alive; `run --session` starts it. */
export function hostCommand({ stdio, exit }: Cli): Command {
  return new Command("host")
    .description(
      "Keep the shells of sessions, until they were unused for a while; run --session starts it.",
    )
    .option("--log <directory>", "where they are recorded; default that of the user's sessions")
    .option("--idle <seconds>", "how long it waits for commands; 0 means for ever", seconds, 900)
    .option("--stop", "end the host of the directory instead, with all that it runs")
    .action(async ({ log, idle, stop }: Options) => {
      const directory = sessionDirectory(log);
      exit(stop ? await stopHost(directory) : await host(directory, idle, stdio));
    });
}

async function host(log: string, idleSeconds: number, stdio: Stdio): Promise<number> {
  // A host that was started by hand may have no reader.
  const report = (report: HostReport) => stdio.out(`${JSON.stringify(report)}\n`).catch(() => {});
  let end = () => {};
  const ended = new Promise<void>((resolve) => {
    end = resolve;
  });
  // The directory in which it was started may be removed.
  leaveDirectory("/");
  let runtime: Runtime;
  try {
    runtime = await createRuntime({
      log,
      cwd: "/",
      env: { inherit: "all" },
      guests: { idleMs: idleSeconds * 1000, onEnd: end },
    });
  } catch (cause) {
    await report(cause instanceof OwnedError ? {} : { error: messageOf(cause) });
    return cause instanceof OwnedError ? 0 : 1;
  }
  const stopped = onStopSignals({ stop: end, stopNow: () => void runtime.close({ now: true }) });
  // Sockets and the processes of commands do not keep a runtime's own process going.
  const alive = setInterval(() => {}, 2 ** 30);
  await report({});
  await ended;
  await runtime.close();
  clearInterval(alive);
  stopped.forget();
  return 0;
}

async function stopHost(directory: string): Promise<number> {
  const owner = await ownerOf(directory);
  if (owner === undefined) {
    throw new Error(`Cannot stop the host of "${directory}": there is none`);
  }
  await withOwner(directory, (owner) => owner.request(control.end, {}));
  await untilGone(directory, owner.pid);
  return 0;
}
