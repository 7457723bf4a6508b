import type { ViewLine } from "../view/text-view.ts";
import { clampedText } from "./markers.ts";

/** What an excerpt shows or leaves out as one: a line, or a line and how often it repeats. */
export interface Item {
  readonly text: string;
  /** Lines that the text takes. */
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  /** Newlines among the bytes. */
  readonly newlines: number;
  /** Columns beyond the limit of a line. */
  readonly omittedColumns: number;
}

/** Make items of lines, with a count in the place of lines that repeat the one before. */
export function itemsOf(lines: readonly ViewLine[], options: { fold: boolean }): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < lines.length;) {
    let next = at + 1;
    while (options.fold && repeats(lines[at], lines[next])) next++;
    const run = lines.slice(at, next).map(itemOf);
    items.push(...folded(run));
    at = next;
  }
  return items;
}

function repeats(line: ViewLine | undefined, next: ViewLine | undefined): boolean {
  // Lines of which a part is not known cannot be told to be the same.
  return line !== undefined && next !== undefined && line.text === next.text &&
    line.omittedColumns === 0 && next.omittedColumns === 0;
}

function itemOf(line: ViewLine): Item {
  const { omittedColumns, from, to } = line;
  const text = clampedText(line);
  return { text, rows: 1, from, to, newlines: line.end === "newline" ? 1 : 0, omittedColumns };
}

function folded(run: Item[]): Item[] {
  const first = run[0];
  const last = run[run.length - 1];
  if (first === undefined || last === undefined || run.length === 1) return run;
  const marker = `<previous line repeated ${run.length - 1} additional times>`;
  // A marker that is no shorter than what it replaces is no gain.
  if ((run.length - 1) * (first.text.length + 1) <= marker.length + 1) return run;
  const newlines = run.reduce((count, item) => count + item.newlines, 0);
  return [{
    ...first,
    text: `${first.text}\n${marker}`,
    rows: 2,
    to: last.to,
    newlines,
  }];
}
