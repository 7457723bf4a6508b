import { shown } from "../../value/shown.ts";

/** How much of a command a row shows. */
export const COMMAND_CHARS = 60;

export interface Cell {
  readonly text: string;
  /** Numbers stand below each other at their end. */
  readonly right?: boolean;
}

/** Rows as lines of text, in columns; the last one has no width. Control characters are escaped. */
export function table(cells: readonly (readonly Cell[])[]): string {
  const rows = cells.map((row) =>
    row.map((cell) => ({ ...cell, text: shown(cell.text, { most: Infinity }) }))
  );
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from(
    { length: Math.max(0, count - 1) },
    (_, column) => Math.max(...rows.map((row) => row[column]?.text.length ?? 0)),
  );
  const lines = rows.map((row) =>
    row.map(({ text, right = false }, column) => {
      const width = widths[column] ?? 0;
      return right ? text.padStart(width) : text.padEnd(width);
    }).join("  ")
  );
  return lines.map((line) => `${line}\n`).join("");
}
