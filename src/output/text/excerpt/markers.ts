/** What a marker tells of. */
export interface Omission {
  /** Null when nobody counted them. */
  readonly lines: number | null;
  readonly bytes: number;
  readonly lostBytes: number;
  /** Lines that look like errors. */
  readonly errors: number;
  /** The kind of data that ends the output, where it is no text. */
  readonly binary?: string;
}

/** The line that stands where something is left out. */
export function omissionMarker({ lines, bytes, lostBytes, errors, binary }: Omission): string {
  const parts = [lines === null ? "an unknown number of lines" : plural(lines, "line")];
  parts.push(`${plural(bytes, "byte")} omitted`);
  if (lostBytes > 0) parts.push(`${lostBytes} of them lost`);
  if (binary !== undefined) parts.push(`ending in ${binary}`);
  if (errors > 0) parts.push(`${plural(errors, "line")} looking like errors`);
  return `[... ${parts.join(", ")} ...]`;
}

/** The line between errors of the middle and the end. */
export function resumeMarker(line: number | null): string {
  return line === null ? "[... the end follows ...]" : `[... line ${line} follows ...]`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? "" : "s"}`;
}
