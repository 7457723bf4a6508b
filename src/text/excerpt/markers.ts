import type { ViewLine } from "../view/text-view.ts";

/** What a marker tells of. */
export interface Omission {
  /** Null when nobody counted them all. */
  readonly lines: number | null;
  /** How many were counted at least. */
  readonly minLines: number;
  readonly bytes: number;
  readonly lostBytes: number;
  /** Bytes that nobody looked at. */
  readonly unsearchedBytes: number;
  /** Lines that look like errors. */
  readonly errors: number;
  /** The kind of data among them that is no text. */
  readonly binary?: string;
}

/** The line that stands where something is left out. */
export function omissionMarker(omission: Omission): string {
  const { bytes, lostBytes, unsearchedBytes, errors, binary } = omission;
  const parts = [linesOf(omission), `${plural(bytes, "byte")} omitted`];
  if (lostBytes > 0) parts.push(`${lostBytes} of them lost`);
  if (unsearchedBytes > 0) parts.push(`${unsearchedBytes} of them not searched`);
  if (binary !== undefined) parts.push(`${binary} among them`);
  if (errors > 0) {
    const least = unsearchedBytes > 0 ? "at least " : "";
    parts.push(`${least}${plural(errors, "line")} looking like errors`);
  }
  return `[... ${parts.join(", ")} ...]`;
}

function linesOf({ lines, minLines }: Omission): string {
  if (lines !== null) return plural(lines, "line");
  return minLines > 0 ? `at least ${plural(minLines, "line")}` : "an unknown number of lines";
}

/** A line, and how much of it is left out where it is too long. */
export function clampedText(
  { text, omittedColumns }: Pick<ViewLine, "text" | "omittedColumns">,
): string {
  if (omittedColumns === 0) return text;
  return `${text} [... ${plural(omittedColumns, "column")} omitted ...]`;
}

/** The line between errors of the middle and the end. */
export function resumeMarker(line: number | null): string {
  return line === null ? "[... the end follows ...]" : `[... line ${line} follows ...]`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
