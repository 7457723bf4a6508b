import { clampedText } from "../../text/excerpt/markers.ts";
import type { Lines } from "../../text/lines.ts";
import { inOrder } from "../../text/search/search-text.ts";

/** Lines by number, from 1. */
export interface LineRange {
  readonly first: number;
  /** Inclusive; absent: so many as are shown at a time. */
  readonly last?: number;
}

/** Lines as a person reads them, with what is missing at its place. */
export function linesText(
  part: Lines,
  { range, total }: { readonly range: LineRange | undefined; readonly total: number },
): string {
  const rows = part.lines.map((line) => ({ offset: line.from, text: `${clampedText(line)}\n` }));
  const more = part.atEnd ? "" : `[read on with --from ${part.to} of ${total}]\n`;
  return `${inOrder(rows, part.gaps)}${more}${shortText(part, range)}`;
}

/** Says that a byte to begin at is not there; nothing when it is. */
export function beyondText(from: number, total: number): string {
  return from > total ? `[there is no byte ${from}: there are ${total} bytes]\n` : "";
}

/** Which of the lines that were asked for there are not. */
function shortText({ totalLines, gaps, lines }: Lines, range: LineRange | undefined): string {
  if (range === undefined) return "";
  if (gaps.some(({ from }) => from < (lines[0]?.from ?? Infinity))) {
    return "[lines were counted without those that are lost]\n";
  }
  if (totalLines === null) return "";
  const missing = range.first > totalLines ? range.first : range.last;
  if (missing === undefined || missing <= totalLines) return "";
  return `[there is no line ${missing}: there are ${totalLines} lines]\n`;
}
