import { Command } from "commander";
import type { CommandId } from "../../event/command.ts";
import type { Recorded } from "../../event/event.ts";
import { describeDamage } from "../../event/log/read-log.ts";
import { shown } from "../../value/shown.ts";
import type { OutputAppended } from "../../event/output.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import { blocks } from "../../text/source/blocks.ts";
import type { ByteSource } from "../../text/source/source.ts";
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
  const text = new ReplayText((taskId) => moment.output(taskId));
  if (!json) {
    for await (const recorded of moment.events) {
      for await (const part of text.of(recorded)) await stdio.out(part);
    }
  }
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

/** Shows events as text: each command, and below it its output, which events carry or a file holds. */
class ReplayText {
  readonly #output: (taskId: CommandId) => ByteSource;
  readonly #commands = new Map<CommandId, string>();
  readonly #views = new Map<CommandId, TextView>();

  constructor(output: (taskId: CommandId) => ByteSource) {
    this.#output = output;
  }

  async *of({ event }: Recorded): AsyncGenerator<string, void, undefined> {
    switch (event.type) {
      case "command.requested":
        this.#commands.set(event.commandId, shown(event.command, WHOLE));
        return;
      case "execution.started":
        return yield this.#command(event.commandId);
      case "task.detached":
        return yield `[its output is in ${shown(event.log, WHOLE)}]\n`;
      case "permission.denied":
        return yield `${this.#command(event.commandId)}${shown(event.reason, WHOLE)}\n`;
      case "output.appended":
        return yield* this.#appended(event);
      case "execution.exited":
      case "execution.closed":
        return yield linesText(this.#views.get(event.commandId)?.end() ?? []);
    }
  }

  async *#appended(
    { commandId, from, to, inline }: OutputAppended,
  ): AsyncGenerator<string, void, undefined> {
    const view = this.#views.get(commandId) ?? new TextView();
    this.#views.set(commandId, view);
    if (inline !== undefined) return yield linesText(view.push(bytesOf(inline)));
    let at = from;
    try {
      for await (const block of blocks(this.#output(commandId), { from, to })) {
        at = block.to;
        yield block.bytes === undefined ? missing(view, block) : linesText(view.push(block.bytes));
      }
    } catch {
      // A file that cannot be read is one that is not there.
    }
    if (at < to) yield missing(view, { from: at, to });
  }

  /** Lines that never ended. */
  rest(): string {
    return [...this.#views.values()].map((view) => linesText(view.end())).join("");
  }

  #command(commandId: CommandId): string {
    return `$ ${this.#commands.get(commandId) ?? commandId}\n`;
  }
}

function missing(view: TextView, { from, to }: ByteRange): string {
  return `${linesText(view.end())}[${to - from} bytes that the log does not hold]\n`;
}

function linesText(lines: readonly ViewLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join("");
}
