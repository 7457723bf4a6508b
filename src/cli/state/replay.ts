import { Command } from "commander";
import type { CommandId } from "../../event/command.ts";
import { fold } from "../../event/project.ts";
import type { Recorded } from "../../event/event.ts";
import { readLog } from "../../event/log/read-log.ts";
import { bytesOf } from "../../text/decode/inline.ts";
import { stdio } from "../../platform/stdio.ts";
import { tasks } from "../../task/tasks.ts";
import { count } from "../options.ts";
import { taskLines } from "./task-lines.ts";

interface Options {
  readonly until?: number;
  readonly json?: boolean;
}

/** `shellflow replay`: what a log tells, as it was. */
export function replayCommand(exit: (code: number) => void): Command {
  return new Command("replay")
    .description("Print the output and the tasks of a recorded log as they were.")
    .argument("<log>", "the directory or the file of the log")
    .option("--until <seq>", "as they were after this event", count)
    .option("--json", "print the tasks as one JSON array")
    .action(async (path: string, options: Options) => {
      await replay(path, options);
      exit(0);
    });
}

async function replay(path: string, { until = Infinity, json = false }: Options): Promise<void> {
  const events: Recorded[] = [];
  for await (const recorded of readLog(path)) {
    if (recorded.seq > until) break;
    events.push(recorded);
    if (!json) await show(recorded);
  }
  // An empty file is no log, and a log in which nothing happened is not what anybody asks for.
  if (events.length === 0) throw new Error(`Cannot replay "${path}": no event is in it`);
  const table = [...fold(tasks, events).byId.values()];
  if (json) return await stdio.out(`${JSON.stringify(table)}\n`);
  await stdio.out(`\n${taskLines(table)}`);
}

const lines = new Map<CommandId, string>();

/** The output as far as the events carry it, below the command that it is of. */
async function show({ event }: Recorded): Promise<void> {
  if (event.type === "command.requested") lines.set(event.commandId, event.command);
  if (event.type === "execution.started") {
    await stdio.out(`$ ${lines.get(event.commandId) ?? event.commandId}\n`);
  }
  if (event.type === "permission.denied") {
    await stdio.out(`$ ${lines.get(event.commandId) ?? event.commandId}\n${event.reason}\n`);
  }
  if (event.type !== "output.appended") return;
  if (event.inline !== undefined) return await stdio.out(bytesOf(event.inline));
  await stdio.out(`[${event.to - event.from} bytes that the log does not hold]\n`);
}
