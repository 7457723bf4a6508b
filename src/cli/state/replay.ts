import { Command } from "commander";
import type { CommandId } from "../../event/command.ts";
import { describeDamage } from "../../event/log/read-log.ts";
import { shown } from "../../value/shown.ts";
import type { OutputAppended } from "../../event/output.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import { blocks } from "../../text/source/blocks.ts";
import { bytesOf } from "../../text/decode/inline.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { Cli } from "../cli.ts";
import { openLog } from "../../runtime/history/open-log.ts";
import type { RecordedRuntime } from "../../runtime/history/recorded-runtime.ts";
import { withFileSize } from "../../runtime/state/tasks-now.ts";
import { hasEnded } from "../../task/task-view.ts";
import { TextView, type ViewLine } from "../../text/view/text-view.ts";
import { count, UsageError } from "../option-values.ts";
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
  { until, json = false }: Options,
  stdio: Stdio,
): Promise<void> {
  await using log = await openLog(path);
  const { seq, firstSeq } = log;
  if (until !== undefined && until > seq && seq > 0) {
    const there = `there are ${firstSeq} to ${seq}`;
    throw new UsageError(`Cannot replay "${path}" until event ${until}: ${there}`);
  }
  const moment = log.at(Math.min(until ?? seq, seq));
  if (!json) { for await (const part of replayText(moment)) await stdio.out(part); }
  for (const damage of log.damage) await stdio.err(`${describeDamage(damage)}\n`);
  // An empty file is no log.
  if (moment.seq === 0) {
    const range = until === undefined ? "" : ` up to ${until}`;
    throw new Error(`Cannot replay "${path}": no event is in it${range}`);
  }
  const recorded = [...moment.tasks.current.byId.values()];
  // No event says how much a detached task had written before its end.
  const table = recorded.map((task) =>
    until === undefined || hasEnded(task) ? withFileSize(task) : task
  );
  if (json) return await stdio.out(`${JSON.stringify(table)}\n`);
  await stdio.out(`\n${taskLines(table)}`);
}

/** A command may have several lines, and nothing of it is left out. */
const WHOLE = { keep: "\n\t", most: Infinity };

/** Events as text: each command, and below it its output, which events carry or a file holds. */
async function* replayText(moment: RecordedRuntime): AsyncGenerator<string, void, undefined> {
  const commands = new Map<CommandId, string>();
  const views = new Map<CommandId, TextView>();
  const title = (id: CommandId) => `$ ${commands.get(id) ?? id}\n`;
  for await (const { event } of moment.events) {
    switch (event.type) {
      case "command.requested":
        commands.set(event.commandId, shown(event.command, WHOLE));
        break;
      case "execution.started":
        yield title(event.commandId);
        break;
      case "task.detached":
        yield `[its output is in ${shown(event.log, WHOLE)}]\n`;
        break;
      case "permission.denied":
        yield `${title(event.commandId)}${shown(event.reason, WHOLE)}\n`;
        break;
      case "output.appended": {
        const view = views.get(event.commandId) ?? new TextView();
        views.set(event.commandId, view);
        yield* appendedText(event, view, moment);
        break;
      }
      case "execution.exited":
      case "execution.closed":
        yield linesText(views.get(event.commandId)?.end() ?? []);
    }
  }
  // Lines that never ended.
  for (const view of views.values()) yield linesText(view.end());
}

async function* appendedText(
  { commandId, from, to, inline }: OutputAppended,
  view: TextView,
  moment: RecordedRuntime,
): AsyncGenerator<string, void, undefined> {
  if (inline !== undefined) return yield linesText(view.push(bytesOf(inline)));
  let at = from;
  try {
    for await (const block of blocks(moment.output(commandId), { from, to })) {
      at = block.to;
      yield block.bytes === undefined ? missing(view, block) : linesText(view.push(block.bytes));
    }
  } catch {
    // A file that cannot be read is one that is not there.
  }
  if (at < to) yield missing(view, { from: at, to });
}

function missing(view: TextView, { from, to }: ByteRange): string {
  return `${linesText(view.end())}[${to - from} bytes that the log does not hold]\n`;
}

function linesText(lines: readonly ViewLine[]): string {
  return lines.map(({ text }) => `${text}\n`).join("");
}
