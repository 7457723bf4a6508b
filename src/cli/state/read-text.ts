import { clampedText } from "../../text/excerpt/markers.ts";
import type { Lines } from "../../text/lines.ts";
import type { SearchResult } from "../../text/search/search.ts";
import type { ByteRange } from "../../stream/byte-range.ts";

/** Lines by number, from 1. */
export interface LineRange {
  readonly first: number;
  /** Inclusive; absent: so many as are shown at a time. */
  readonly last?: number;
}

/** What of an output was asked for. */
export interface Asked {
  readonly range: LineRange | undefined;
  readonly total: number;
}

/** Lines as a person reads them, with what is missing at its place. */
export function linesText(part: Lines, { range, total }: Asked): string {
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

/** Matches as a person reads them, with what is missing at its place. */
export function matchesText(found: SearchResult, apart: boolean): string {
  const { matches, gaps, endedBy, to, clampedLines } = found;
  const rows = matches.map(({ line, offset, text, before, after }, i) => {
    const place = line ?? `byte ${offset}`;
    const around = (text: string) => `  ${text}\n`;
    const row = `${before.map(around).join("")}${place}: ${text}\n${after.map(around).join("")}`;
    return { offset, text: apart && i > 0 ? `--\n${row}` : row };
  });
  const more = endedBy === "end" ? "" : `[there may be more: search on with --from ${to}]\n`;
  const clamped = clampedLines === 0
    ? ""
    : `[of ${clampedLines} long lines only the beginning was looked at]\n`;
  const none = rows.length === 0 ? "[no line matches]\n" : "";
  return `${inOrder(rows, gaps)}${none}${clamped}${more}`;
}

/** Rows with what is lost between them, each at its place. */
function inOrder(
  rows: readonly { readonly offset: number; readonly text: string }[],
  gaps: readonly ByteRange[],
): string {
  const lost = gaps.map((gap) => ({ offset: gap.from, text: lostText(gap) }));
  return [...rows, ...lost].sort((a, b) => a.offset - b.offset).map(({ text }) => text).join("");
}

export function lostText({ from, to }: ByteRange): string {
  return `[bytes ${from} to ${to} are lost]\n`;
}
