import { Command } from "commander";
import { lastValueFrom } from "rxjs";
import { serveInspector } from "../../integration/inspector/inspector.ts";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import { ownerOf } from "../../platform/owner/owner-lock.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Stdio } from "../../platform/stdio.ts";
import { openLog } from "../../runtime/history/open-log.ts";
import type { Cli } from "../cli.ts";
import { asUsage, count } from "../option-values.ts";
import { stopAt } from "../state/stop.ts";

/** How many of the newest events the time line reaches. */
const MOST_EVENTS = 100_000;

interface Options {
  readonly port?: number;
}

/** `shellflow inspect`: a page that shows what a log holds, as it is and as it was. */
export function inspectCommand({ stdio, exit }: Cli): Command {
  return new Command("inspect")
    .description("Serve a page that shows a log: sessions, tasks and terminals, at any moment.")
    .argument("[directory]", "where it is recorded", ".")
    .option("--port <n>", "on the loopback interface; any that is free when absent", count)
    .action(async (directory: string, options: Options) => {
      exit(await inspect(fromCurrentDirectory(directory), options, stdio));
    });
}

async function inspect(directory: string, options: Options, stdio: Stdio): Promise<number> {
  // A log that cannot be read is an error before anything is served.
  await using log = await openLog(directory, { follow: true, maxEvents: MOST_EVENTS });
  const inspected = Object.assign(log, {
    stop: (taskId: string) => stopAt(directory, taskId),
    // One on another machine may live.
    hasOwner: () => ownerOf(directory).then((owner) => owner !== undefined, () => true),
  });
  const signals = onStopSignals({});
  try {
    const ended = Promise.race([signals.stopped, lastValueFrom(log.events)]);
    await using inspector = await asUsage(serveInspector(inspected, options));
    await stdio.out(`${inspector.url}\n`);
    await stdio.err("Open this page in a browser; Ctrl-C ends it.\n");
    await ended;
    return signals.exitCode ?? 0;
  } finally {
    signals.forget();
  }
}
