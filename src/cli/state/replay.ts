import { Command } from "commander";
import type { CommandId } from "../../event/command.ts";
import { fold } from "../../event/project.ts";
import type { Recorded } from "../../event/event.ts";
import { describeDamage, type LogDamage, readLog } from "../../event/log/read-log.ts";
import { shown } from "../../event/shown.ts";
import { bytesOf } from "../../output/inline.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { Cli } from "../cli.ts";
import { tasks } from "../../task/tasks.ts";
import { count } from "../options.ts";
import { taskLines } from "./task-lines.ts";

interface Options {
  readonly until?: number;
  readonly json?: boolean;
}

/** `shellflow replay`: what a log tells, as it was. */
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
  const damages: LogDamage[] = [];
  for await (const recorded of readLog(path, { onDamage: (damage) => damages.push(damage) })) {
    if (recorded.seq > until) break;
    events.push(recorded);
    if (!json) await stdio.out(textOf(recorded, lines));
  }
  for (const damage of damages) await stdio.err(`${describeDamage(damage)}\n`);
  // An empty file is no log, and a log in which nothing happened is not what anybody asks for.
  if (events.length === 0) throw new Error(`Cannot replay "${path}": no event is in it`);
  const table = [...fold(tasks, events).byId.values()];
  if (json) return await stdio.out(`${JSON.stringify(table)}\n`);
  await stdio.out(`\n${taskLines(table)}`);
}

/** A line may have several lines, and nothing of it is left out. */
const WHOLE = { keep: "\n\t", most: Infinity };

/** The output as far as the events carry it, below its command. */
function textOf({ event }: Recorded, lines: Map<CommandId, string>): string | Uint8Array {
  const command = (id: CommandId) => shown(lines.get(id) ?? id, WHOLE);
  if (event.type === "command.requested") lines.set(event.commandId, event.command);
  if (event.type === "execution.started") {
    return `$ ${command(event.commandId)}\n`;
  }
  if (event.type === "permission.denied") {
    return `$ ${command(event.commandId)}\n${shown(event.reason, WHOLE)}\n`;
  }
  if (event.type !== "output.appended") return "";
  if (event.inline !== undefined) return bytesOf(event.inline);
  return `[${event.to - event.from} bytes that the log does not hold]\n`;
}
