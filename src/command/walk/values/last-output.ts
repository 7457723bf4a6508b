import { joinedLines, type Lines, NOTHING } from "../../program/output/output-lines.ts";
import { linesOfCommand } from "../../program/inspect.ts";
import type { Started } from "../../program/starts.ts";
import { NUMBER, PART } from "../../words/placeholders.ts";
import { TO_OUTPUT } from "./last-command.ts";
import type { Printed, Walker } from "../walker.ts";

/** What the command that was walked last has printed, whatever the values of its words were. */
export function linesPrinted({ printed, context }: Walker): Lines | undefined {
  if (printed.length === 0) return undefined;
  const lines = printed.map(printedBy).reduce(joinedLines, NOTHING);
  if (lines === undefined || !context.distrusts) return lines;
  // Names stay names, whatever they hold.
  return { ...lines, fields: lines.fields.map((field) => field?.some(isKind) ? undefined : field) };
}

const KINDS = new RegExp(`[${NUMBER}${PART}]`);

function isKind(text: string): boolean {
  return KINDS.test(text);
}

function printedBy({ reading: { redirects }, words, inspection }: Printed) {
  // With errors among them they are any text.
  const alone = !redirects.some(({ operator, target }) =>
    /^(?:>&|&>)/.test(operator) || (operator.startsWith(">") && TO_OUTPUT.test(target ?? "/proc"))
  );
  return alone && inspection.started.every(printsNames)
    ? linesOfCommand(inspection, words[0] ?? "")
    : undefined;
}

/** Whether a command prints some of the names that it is given, and nothing else. */
function printsNames({ words: [name, ...words] }: Started): boolean {
  const short = /^-[A-Za-z]*l[A-Za-z]*$|^--files-with-matches$/;
  return /^[ef]?grep$/.test(name ?? "") && words.some((word) => short.test(word));
}
