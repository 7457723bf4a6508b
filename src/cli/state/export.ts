import { Command } from "commander";
import type { Recorded } from "../../event/event.ts";
import { readLog } from "../../event/log/read-log.ts";
import { fromCurrentDirectory } from "../../platform/environment/environment.ts";
import type { Stdio } from "../../platform/stdio.ts";
import { asciicast } from "../../text/asciicast.ts";
import type { ByteSource } from "../../text/source/source.ts";
import type { Cli } from "../cli.ts";
import { count } from "../option-values.ts";
import { openTaskOutput } from "./task-output.ts";

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
      const isWhole = await exportTask(fromCurrentDirectory(log), task, { ...options, stdio });
      exit(isWhole ? 0 : 1);
    });
}

/** Answers whether all of its output was there; in the recording, a marker says what is lost. */
async function exportTask(
  log: string,
  task: string,
  { stdio, ...options }: Omit<Options, "log" | "asciicast"> & { readonly stdio: Stdio },
): Promise<boolean> {
  const output = await openTaskOutput(log, task);
  let isWhole = true;
  const source: ByteSource = {
    total: output.total,
    read: async (range) => {
      const read = await output.read(range);
      if (read.gaps.length > 0) isWhole = false;
      return read;
    },
  };
  try {
    const events: Recorded[] = [];
    for await (const recorded of readLog(log)) {
      const { event } = recorded;
      if ("commandId" in event && event.commandId === task) events.push(recorded);
    }
    for await (const line of asciicast(events, source, options)) await stdio.out(line);
    return isWhole;
  } finally {
    await output.close();
  }
}
