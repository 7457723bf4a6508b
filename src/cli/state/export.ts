import { Command } from "commander";
import { firstValueFrom, toArray } from "rxjs";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import type { Stdio } from "../../platform/stdio.ts";
import { asciicast } from "../../text/asciicast.ts";
import type { ByteSource } from "../../text/source/source.ts";
import type { Cli } from "../cli.ts";
import { asUsage, count } from "../option-values.ts";
import { openLog } from "../../runtime/history/open-log.ts";

interface Options {
  readonly log?: string;
  readonly asciicast: boolean;
  readonly columns?: number;
  readonly rows?: number;
  readonly encoding?: string;
}

/** `shellflow export`: a recorded task in the format of another program. */
export function exportCommand({ stdio, exit }: Cli): Command {
  return new Command("export")
    .description("Print the recording of a task in a format that other programs play.")
    .argument("<task>", "its id, as ps prints it")
    .requiredOption("--asciicast", "as asciicast v3, for players such as asciinema")
    .option("--log <directory>", "where it is recorded; default this directory")
    .option("--columns <n>", "the width; that of its terminal, or 80, when absent", count)
    .option("--rows <n>", "the height; that of its terminal, or 24, when absent", count)
    .option("--encoding <label>", "how its bytes are text; utf-8 when absent")
    .action(async (task: string, { log = ".", asciicast: _, ...options }: Options) => {
      const directory = fromCurrentDirectory(log);
      const isWhole = await asUsage(exportTask(directory, task, { ...options, stdio }));
      exit(isWhole ? 0 : 1);
    });
}

/** Answers whether all of its output was there; in the recording, a marker says what is lost. */
async function exportTask(
  log: string,
  task: string,
  { stdio, ...options }: Omit<Options, "log" | "asciicast"> & { readonly stdio: Stdio },
): Promise<boolean> {
  await using recorded = await openLog(log);
  const output = recorded.output(task);
  let isWhole = true;
  const source: ByteSource = {
    ...output,
    read: async (range) => {
      const read = await output.read(range);
      if (read.gaps.length > 0) isWhole = false;
      return read;
    },
  };
  const events = await firstValueFrom(recorded.select({ taskId: task }).pipe(toArray()));
  for await (const line of asciicast(events, source, options)) await stdio.out(line);
  return isWhole;
}
