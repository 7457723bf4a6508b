import { shown } from "../../value/shown.ts";

/** How much of a command a row shows. */
export const COMMAND_CHARS = 60;

/**
 * Rows as lines of text, in columns. Control characters are escaped.
 *
 * @param rows The first one has the titles of the columns.
 * @param right The titles of columns of numbers, which stand below each other at their end.
 */
export function table(
  rows: readonly (readonly string[])[],
  right: readonly string[] = [],
): string {
  const cells = rows.map((row) => row.map((text) => shown(text, { most: Infinity })));
  const [titles = []] = cells;
  const columns = titles.map((title, column) => ({
    isRight: right.includes(title),
    width: Math.max(...cells.map((row) => row[column]?.length ?? 0)),
  }));
  const lines = cells.map((row) =>
    columns.map(({ isRight, width }, column) => {
      const text = row[column] ?? "";
      return isRight ? text.padStart(width) : text.padEnd(width);
    }).join("  ").trimEnd()
  );
  return lines.map((line) => `${line}\n`).join("");
}
