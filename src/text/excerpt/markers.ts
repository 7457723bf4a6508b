import type { ViewLine } from "../view/text-view.ts";
import type { Scan } from "./scan.ts";

/** What is left out at a place. */
export interface Omission extends Omit<Scan, "errors"> {
  readonly bytes: number;
  /** Whether data that is no text is among them. */
  readonly binary: boolean;
}

/** The line that stands where something is left out. */
export function omissionMarker(omission: Omission): string {
  const { bytes, lostBytes, unsearchedBytes, errorCount, binary } = omission;
  const parts = [linesOf(omission), `${plural(bytes, "byte")} omitted`];
  if (lostBytes > 0) parts.push(`${lostBytes} of them lost`);
  if (unsearchedBytes > 0) parts.push(`${unsearchedBytes} of them not searched`);
  if (binary) parts.push("binary data among them");
  if (errorCount > 0) {
    const least = unsearchedBytes > 0 ? "at least " : "";
    parts.push(`${least}${plural(errorCount, "line")} looking like errors`);
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
