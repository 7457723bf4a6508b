import { Command } from "commander";
import type { CommandId } from "../../event/command.ts";
import type { Recorded } from "../../event/event.ts";
import { describeDamage } from "../../event/log/read-log.ts";
import { shown } from "../../value/shown.ts";
import { bytesOf } from "../../text/decode/inline.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { Cli } from "../cli.ts";
import { openLog } from "../../runtime/history/open-log.ts";
import { withFileSizes } from "../../runtime/state/tasks-now.ts";
import { TextView, type ViewLine } from "../../text/view/text-view.ts";
import { count } from "../option-values.ts";
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
  await using log = await openLog(path);
  const moment = log.at(Math.min(until, log.seq));
  const text = new ReplayText();
  if (!json) { for await (const recorded of moment.events) await stdio.out(text.of(recorded)); }
  for (const damage of log.damage) await stdio.err(`${describeDamage(damage)}\n`);
  // An empty file is no log.
  if (moment.seq === 0) {
    const range = until === Infinity ? "" : ` up to ${until}`;
    throw new Error(`Cannot replay "${path}": no event is in it${range}`);
  }
  const recorded = [...moment.tasks.current.byId.values()];
  // No event says how much a detached task had written by then.
  const table = until === Infinity ? withFileSizes(recorded) : recorded;
  if (json) return await stdio.out(`${JSON.stringify(table)}\n`);
  await stdio.out(`${text.rest()}\n${taskLines(table)}`);
}

/** A command may have several lines, and nothing of it is left out. */
const WHOLE = { keep: "\n\t", most: Infinity };

/** Shows events as text: each command, and below it its output as far as the events carry it. */
class ReplayText {
  readonly #commands = new Map<CommandId, string>();
  readonly #views = new Map<CommandId, TextView>();

  of({ event }: Recorded): string {
    switch (event.type) {
      case "command.requested":
        this.#commands.set(event.commandId, shown(event.command, WHOLE));
        return "";
      case "execution.started":
        return this.#command(event.commandId);
      case "task.detached":
        return `[its output is in ${shown(event.log, WHOLE)}]\n`;
      case "permission.denied":
        return `${this.#command(event.commandId)}${shown(event.reason, WHOLE)}\n`;
      case "output.appended": {
        const { commandId, from, to, inline } = event;
        const view = this.#views.get(commandId) ?? new TextView();
        this.#views.set(commandId, view);
        if (inline !== undefined) return linesText(view.push(bytesOf(inline)));
        return `${linesText(view.end())}[${to - from} bytes that the log does not hold]\n`;
      }
      case "execution.exited":
      case "execution.closed":
        return linesText(this.#views.get(event.commandId)?.end() ?? []);
      default:
        return "";
    }
  }

  /** Lines that never ended. */
  rest(): string {
    return [...this.#views.values()].map((view) => linesText(view.end())).join("");
  }

  #command(commandId: CommandId): string {
    return `$ ${this.#commands.get(commandId) ?? commandId}\n`;
  }
}

function linesText(lines: readonly ViewLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join("");
}
