import type { Recorded, RuntimeEvent } from "../../event/event.ts";
import type { OutputLimited } from "../../event/output.ts";
import type { Stdio } from "../../platform/stdio.ts";
import { oneLine } from "../../text/clip.ts";
import { shown } from "../../value/shown.ts";

/** What each event of a command repeats, and what is long. */
const LEFT_OUT = ["type", "commandId", "sessionId", "order", "analysis", "invocation"];

/** A list or a record without anything in it. */
const isEmpty = (value: unknown) =>
  typeof value === "object" && value !== null && Object.keys(value).length === 0;

/** How much of the facts of an event is shown, in UTF-16 code units. */
const MOST_CHARS = 300;

/**
 * Prints events on standard error, in lines for a person such as `+3 ms  permission.granted  by "rule"`;
 * but not that there is output, which is printed itself.
 */
export function eventPrinter({ err }: Pick<Stdio, "err">): (recorded: Recorded) => void {
  let began: number | undefined;
  return ({ at, event }) => {
    began ??= at;
    if (event.type === "output.appended") return;
    const facts = Object.entries(event.type === "command.admitted" ? event.order : event)
      .filter(([name, value]) => !LEFT_OUT.includes(name) && !isEmpty(value))
      .map(([name, value]) => `${name} ${JSON.stringify(value)}`);
    const words = oneLine(shown(facts.join(", "), { most: Infinity }), MOST_CHARS);
    err(`+${at - began} ms  ${event.type}  ${words}`.trimEnd() + "\n").catch(() => {}); // no reader
  };
}

/**
 * Prints on standard error what was asked for and is not so: why a command has no terminal, and, where
 * its output is recorded, why some of that is not.
 */
export function lackPrinter(
  { err }: Pick<Stdio, "err">,
  { recorded }: { readonly recorded: boolean },
): (recorded: Recorded) => void {
  return ({ event }) => {
    const lack = event.type === "execution.fellBack" && event.from === "terminal"
      ? `Runs without a terminal: ${event.reason}`
      : recorded
      ? notRecorded(event)
      : undefined;
    if (lack !== undefined) err(`${lack}\n`).catch(() => {}); // no reader
  };
}

/** What each quota means, which is in bytes. */
const QUOTAS = {
  command: (bytes: number) => `a command may keep ${bytes} bytes`,
  runtime: (bytes: number) => `all commands may keep ${bytes} bytes`,
  disk: (bytes: number) => `the disk keeps ${bytes} bytes free`,
} satisfies Record<OutputLimited["scope"], (bytes: number) => string>;

function notRecorded(event: RuntimeEvent): string | undefined {
  const reason = event.type === "output.spillFailed"
    ? event.reason
    : event.type === "output.limited"
    ? QUOTAS[event.scope](event.limitBytes)
    : undefined;
  return reason === undefined ? undefined : `Not all of the output is recorded: ${reason}`;
}
