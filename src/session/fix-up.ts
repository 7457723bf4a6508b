import type { Command, Statement } from "unbash";
import { readText } from "../command/syntax.ts";

/** A line without what only shortens its output. */
export interface FixedLine {
  readonly line: string;
  /** What was taken away, as it was written. */
  readonly removed: readonly string[];
}

/**
 * Take a trailing `| head` or `| tail`, and a `2>&1` that changes nothing, from a line of one command.
 *
 * It changes the exit status, as the pipe's last member no longer decides it, and it keeps the whole
 * output, which an excerpt shortens better. Only plain lines are touched.
 *
 * @returns `undefined` where there is nothing to take away.
 */
export function fixUp(line: string): FixedLine | undefined {
  const { script, doubts } = readText(line);
  const [statement, ...others] = script?.commands ?? [];
  if (statement === undefined || others.length > 0 || doubts.length > 0) return undefined;
  if (statement.background || line.slice(statement.end).trim() !== "") return undefined;
  const removed: string[] = [];
  let end = statement.end;
  const last = lastOf(statement);
  if (last !== undefined && isCut(last)) {
    end = line.lastIndexOf("|", last.pos);
    removed.push(line.slice(end, statement.end));
  }
  const rest = line.slice(0, end).trimEnd();
  const merged = / +2>&1$/.exec(rest);
  // In a pipeline it says what goes into the pipe.
  const alone = statement.command.type === "Command" && statement.command.redirects.length === 1;
  if (merged !== null && (removed.length > 0 || alone)) {
    removed.unshift(merged[0].trim());
  }
  return removed.length === 0
    ? undefined
    : { line: rest.slice(0, merged?.index ?? rest.length), removed };
}

function lastOf({ command }: Statement): Command | undefined {
  const last = command.type === "Pipeline" && command.operators.every((each) => each === "|") &&
      command.prefixes.length === 0 && command.commands.length === 2
    ? command.commands[1]
    : undefined;
  return last?.type === "Command" ? last : undefined;
}

/** `head` or `tail` with nothing but a count. */
function isCut({ name, prefix, suffix }: Command): boolean {
  return /^(?:head|tail)$/.test(name?.text ?? "") && prefix.length === 0 &&
    suffix.every((word) =>
      word.type === "Word" && /^(?:-n|-?\d+|-n\d+|--lines=\d+)$/.test(word.text)
    );
}
