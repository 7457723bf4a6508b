import type { ByteRange } from "../../stream/byte-range.ts";
import type { Match } from "./matches.ts";
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
  let shownTo = 0;
  const rows = matches.map((match, i) => {
    const { line, offset, text } = match;
    const { before, after } = aroundOnce(match, { shownTo, next: matches[i + 1]?.line ?? null });
    const joins = line !== null && i > 0 && line - before.length === shownTo + 1;
    shownTo = line === null ? 0 : line + after.length;
    const place = line ?? `byte ${offset}`;
    const around = (text: string) => `  ${text}\n`;
    const row = `${before.map(around).join("")}${place}: ${text}\n${after.map(around).join("")}`;
    return { offset, text: apart && i > 0 && !joins ? `--\n${row}` : row };
  });
  const more = endedBy === "end" ? "" : `[${moreFrom(to)}]\n`;
  const clamped = clampedLines === 0
    ? ""
    : `[of ${clampedLines} long lines only the beginning was looked at]\n`;
  const none = rows.length === 0 ? "[no line matches]\n" : "";
  return `${inOrder(rows, gaps)}${none}${clamped}${more}`;
}

/** The lines around a match that neither the match before it nor the next one shows, where their numbers are known. */
function aroundOnce(
  { line, before, after }: Match,
  { shownTo, next }: { readonly shownTo: number; readonly next: number | null },
): Pick<Match, "before" | "after"> {
  if (line === null) return { before, after };
  return {
    before: before.slice(Math.max(0, before.length - Math.max(0, line - 1 - shownTo))),
    after: next === null ? after : after.slice(0, Math.max(0, next - line - 1)),
  };
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
