import { Command } from "commander";
import type { CommandId } from "../../event/command.ts";
import { fold } from "../../event/project.ts";
import type { Recorded } from "../../event/event.ts";
import { readLog } from "../../event/log/read-log.ts";
import { bytesOf } from "../../text/decode/inline.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { Cli } from "../cli.ts";
import { tasks } from "../../task/tasks.ts";
import { count } from "../options.ts";
import { taskLines } from "./task-lines.ts";

interface Options {
  readonly until?: number;
  readonly json?: boolean;
}

/** `shellflow replay`: what a log holds, as it was. */
export function replayCommand({ stdio, exit }: Cli): Command {
  return new Command("replay")
    .description("Print the output and the tasks of a recorded log as they were.")
    .argument("<log>", "the directory or the file of the log")
    .option("--until <seq>", "as they were after this event", count)
    .option("--json", "print the tasks as one JSON array")
    .action(async (path: string, options: Options) => {
      await replay(path, options, stdio);
      exit(0);
    });
}

async function replay(
  path: string,
  { until = Infinity, json = false }: Options,
  stdio: Stdio,
): Promise<void> {
  const lines = new Map<CommandId, string>();
  const events: Recorded[] = [];
  for await (const recorded of readLog(path)) {
    if (recorded.seq > until) break;
    events.push(recorded);
    if (!json) await stdio.out(shown(recorded, lines));
  }
  // An empty file is no log.
  if (events.length === 0) throw new Error(`Cannot replay "${path}": no event is in it`);
  const table = [...fold(tasks, events).byId.values()];
  if (json) return await stdio.out(`${JSON.stringify(table)}\n`);
  await stdio.out(`\n${taskLines(table)}`);
}

/** The output as far as the events carry it, below its command. */
function shown({ event }: Recorded, lines: Map<CommandId, string>): string | Uint8Array {
  if (event.type === "command.requested") lines.set(event.commandId, event.command);
  if (event.type === "execution.started") {
    return `$ ${lines.get(event.commandId) ?? event.commandId}\n`;
  }
  if (event.type === "permission.denied") {
    return `$ ${lines.get(event.commandId) ?? event.commandId}\n${event.reason}\n`;
  }
  if (event.type !== "output.appended") return "";
  if (event.inline !== undefined) return bytesOf(event.inline);
  return `[${event.to - event.from} bytes that the log does not hold]\n`;
}
