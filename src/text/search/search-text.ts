import type { ByteRange } from "../../stream/byte-range.ts";
import type { SearchResult } from "./search.ts";

/**
 * The matches of a search as text, with what is missing at its place.
 *
 * @param apart Matches have other lines around them.
 * @param more Says that there may be more from an offset on.
 */
export function searchText(
  found: SearchResult,
  { apart, more: moreFrom }: { readonly apart: boolean; readonly more: (to: number) => string },
): string {
  const { matches, gaps, endedBy, to, clampedLines } = found;
  const rows = matches.map(({ line, offset, text, before, after }, i) => {
    const place = line ?? `byte ${offset}`;
    const around = (text: string) => `  ${text}\n`;
    const row = `${before.map(around).join("")}${place}: ${text}\n${after.map(around).join("")}`;
    return { offset, text: apart && i > 0 ? `--\n${row}` : row };
  });
  const more = endedBy === "end" ? "" : `[${moreFrom(to)}]\n`;
  const clamped = clampedLines === 0
    ? ""
    : `[of ${clampedLines} long lines only the beginning was looked at]\n`;
  const none = rows.length === 0 ? "[no line matches]\n" : "";
  return `${inOrder(rows, gaps)}${none}${clamped}${more}`;
}

/** Rows with what is lost between them, each at its place. */
export function inOrder(
  rows: readonly { readonly offset: number; readonly text: string }[],
  gaps: readonly ByteRange[],
): string {
  const lost = gaps.map((gap) => ({ offset: gap.from, text: lostText(gap) }));
  return [...rows, ...lost].sort((a, b) => a.offset - b.offset).map(({ text }) => text).join("");
}

/** Says what is lost, at its place. */
export function lostText({ from, to }: ByteRange): string {
  return `[bytes ${from} to ${to} are lost]\n`;
}
