import type { ViewLine } from "../view/text-view.ts";
import { clampedText } from "./markers.ts";

/** What an excerpt shows or leaves out as one: a line, or a line and how often it repeats. */
export interface Item {
  readonly text: string;
  /** Lines that the text takes. */
  readonly rows: number;
  readonly from: number;
  readonly to: number;
  /** How many lines end in it: a last line without its newline ends as well. */
  readonly lines: number;
  /** Columns beyond the limit of a line. */
  readonly omittedColumns: number;
}

/** What may still be shown. */
export interface Budget {
  /** UTF-16 code units, with a newline for each item. */
  readonly chars: number;
  readonly rows: number;
}

/**
 * Make items of lines: those that repeat the one before become a count.
 *
 * @param total How many bytes the output has.
 */
export function itemsOf(lines: readonly ViewLine[], total: number): Item[] {
  const items: Item[] = [];
  for (let at = 0; at < lines.length;) {
    let next = at + 1;
    while (repeats(lines[at], lines[next])) next++;
    items.push(...folded(lines.slice(at, next).map((line) => itemOf(line, total))));
    at = next;
  }
  return items;
}

function repeats(line: ViewLine | undefined, next: ViewLine | undefined): boolean {
  // Lines of which a part is not known may differ in it.
  return line !== undefined && next !== undefined && line.text === next.text &&
    line.omittedColumns === 0 && next.omittedColumns === 0;
}

function itemOf(line: ViewLine, total: number): Item {
  const { omittedColumns, from, to, end } = line;
  const text = clampedText(line);
  const rows = text.split("\n").length;
  return { text, rows, from, to, lines: end === "newline" || to === total ? 1 : 0, omittedColumns };
}

function folded(run: Item[]): Item[] {
  const [first] = run;
  const last = run.at(-1);
  if (first === undefined || last === undefined || run.length === 1) return run;
  const marker = `<previous line repeated ${run.length - 1} additional times>`;
  // A marker that is no shorter than what it replaces is no gain.
  if ((run.length - 1) * (first.text.length + 1) <= marker.length + 1) return run;
  const text = `${first.text}\n${marker}`;
  return [{ ...first, text, rows: first.rows + 1, to: last.to, lines: linesOf(run) }];
}

/** Take items from the front while the budget lasts. */
export function takeFirst(items: readonly Item[], budget: Budget): Item[] {
  let left = budget;
  const end = items.findIndex((item) => {
    left = after(left, [item]);
    return left.chars < 0 || left.rows < 0;
  });
  return items.slice(0, end < 0 ? items.length : end);
}

/** Take items from the end while the budget lasts; they keep their order. */
export function takeLast(items: readonly Item[], budget: Budget): Item[] {
  return takeFirst([...items].reverse(), budget).reverse();
}

/** What is left of a budget behind items; below 0 where it does not suffice. */
export function after(budget: Budget, items: readonly Item[]): Budget {
  let { chars, rows } = budget;
  for (const item of items) {
    chars -= item.text.length + 1;
    rows -= item.rows;
  }
  return { chars, rows };
}

/** How many lines end in items. */
export function linesOf(items: readonly Item[]): number {
  return items.reduce((count, item) => count + item.lines, 0);
}
