import type { Ending } from "../../runtime/result.ts";
import type { Task } from "../../task/task.ts";

/** Tasks as a table for people, a line each. */
export function taskLines(tasks: readonly Task[]): string {
  const rows = tasks.map((task) => [
    task.id,
    endOf(task),
    `${task.totalBytes} B`,
    task.durationMs === undefined ? "-" : `${task.durationMs} ms`,
    oneLine(task.command),
  ]);
  const table = [["TASK", "END", "OUTPUT", "TIME", "COMMAND"], ...rows];
  const widths = [0, 1, 2, 3].map((column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0))
  );
  return table.map((row) =>
    row.map((cell, column) => {
      const width = widths[column];
      if (width === undefined) return cell;
      return column === 2 || column === 3 ? cell.padStart(width) : cell.padEnd(width);
    }).join("  ") + "\n"
  ).join("");
}

function endOf({ outcome, status }: Task): string {
  return outcome === undefined ? status : nameOf(outcome);
}

/** How a task ended, in a word or two. */
export function nameOf(outcome: Ending): string {
  switch (outcome.type) {
    case "exited":
      return `exited ${outcome.code}`;
    case "signaled":
      return outcome.signal;
    case "aborted":
      return `aborted by ${outcome.by}`;
    default:
      return outcome.type;
  }
}

function oneLine(command: string): string {
  const line = command.replaceAll(/\s+/g, " ").trim();
  return line.length > 60 ? `${line.slice(0, 59)}…` : line;
}
