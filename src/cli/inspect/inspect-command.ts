import { Command } from "commander";
import { firstValueFrom, Subject, tap } from "rxjs";
import { readLog } from "../../event/log/read-log.ts";
import type { Inspected } from "../../integration/inspector/inspection.ts";
import { serveInspector } from "../../integration/inspector/inspector.ts";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import { onStopSignals } from "../../platform/process/signals/stop-signals.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { OpenBytes } from "../../runtime/state/recorded-output.ts";
import type { SourceRead } from "../../text/source/source.ts";
import type { Cli } from "../cli.ts";
import { asUsage, count } from "../option-values.ts";
import { stopAt } from "../state/stop.ts";
import { openTaskOutput } from "../state/task-output.ts";
import { followedLog } from "./followed-log.ts";

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
  for await (const _ of readLog(directory)) break;
  const outputs = new RecordedOutputs(directory);
  const failed = new Subject<never>();
  const inspected: Inspected = {
    events: followedLog(directory).pipe(tap({ error: (cause) => failed.error(cause) })),
    read: (taskId, range) => outputs.read(taskId, range),
    stop: (taskId) => stopAt(directory, taskId),
  };
  const signals = onStopSignals({});
  try {
    const ended = Promise.race([signals.stopped, firstValueFrom(failed)]);
    await using inspector = await asUsage(serveInspector(inspected, options));
    await stdio.out(`${inspector.url}\n`);
    await stdio.err("Open this page in a browser; Ctrl-C ends it.\n");
    await ended;
    return signals.exitCode ?? 0;
  } finally {
    signals.forget();
    await outputs.close();
  }
}

/** At most so many outputs stay open. */
const MOST_OPEN = 8;

/** Reads what the tasks of a log wrote; to open an output may take a look at the whole log. */
class RecordedOutputs {
  readonly #directory: string;
  readonly #opened = new Map<string, Promise<OpenBytes>>();

  constructor(directory: string) {
    this.#directory = directory;
  }

  async read(
    taskId: string,
    range: { readonly from: number; readonly maxBytes: number },
  ): Promise<SourceRead> {
    const known = this.#opened.get(taskId);
    const bytes = await known?.catch(() => undefined);
    const read = await bytes?.read(range);
    // An owner answers beyond what there was when it was opened, and a log does not.
    if (read !== undefined && (read.bytes.length > 0 || range.from < (bytes?.total ?? 0))) {
      return read;
    }
    // Another read may have opened it again meanwhile.
    const now = this.#opened.get(taskId);
    const opened = now === known || now === undefined ? this.#open(taskId) : now;
    return await (await opened).read(range);
  }

  #open(taskId: string): Promise<OpenBytes> {
    const opened = openTaskOutput(this.#directory, taskId);
    this.#forget(taskId);
    this.#opened.set(taskId, opened);
    const [oldest = taskId] = this.#opened.keys();
    if (this.#opened.size > MOST_OPEN) this.#forget(oldest);
    return opened;
  }

  #forget(taskId: string): Promise<void> | undefined {
    const bytes = this.#opened.get(taskId);
    this.#opened.delete(taskId);
    return bytes?.then((bytes) => bytes.close()).catch(() => {});
  }

  async close(): Promise<void> {
    await Promise.all([...this.#opened.keys()].map((taskId) => this.#forget(taskId)));
  }
}
