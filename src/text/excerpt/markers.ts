import type { ViewLine } from "../view/text-view.ts";

/** What is left out at a place. */
export interface Omission {
  /** Null when they were not all counted. */
  readonly lines: number | null;
  /** How many were counted at least. */
  readonly minLines: number;
  readonly bytes: number;
  /** Bytes of them that do not exist any more. */
  readonly lostBytes: number;
  /** Bytes of them that were not searched for errors. */
  readonly unsearchedBytes: number;
  /** Lines that look like errors. */
  readonly errors: number;
  /** Whether data that is no text is among them. */
  readonly binary: boolean;
}

/** The line that stands where something is left out. */
export function omissionMarker(omission: Omission): string {
  const { bytes, lostBytes, unsearchedBytes, errors, binary } = omission;
  const parts = [linesOf(omission), `${plural(bytes, "byte")} omitted`];
  if (lostBytes > 0) parts.push(`${lostBytes} of them lost`);
  if (unsearchedBytes > 0) parts.push(`${unsearchedBytes} of them not searched`);
  if (binary) parts.push("binary data among them");
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
