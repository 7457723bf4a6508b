import type { ByteRange } from "../../stream/byte-range.ts";
import type { ByteSource } from "../source/source.ts";
import type { Budget } from "./budget.ts";
import type { Ends } from "./ends.ts";
import type { ExcerptPlan } from "./excerpt-options.ts";
import type { Item } from "./item.ts";
import { type FoundError, type Scan, scan, type ScanOptions } from "./scan.ts";

/** An error of the middle and how it is shown. */
export interface MiddleError {
  readonly line: number | null;
  readonly offset: number;
  readonly text: string;
  /** Number and text. */
  readonly row: string;
}

/** What is known of the part that is not shown. */
export interface Middle {
  /** Null when nobody counted them all. */
  readonly newlines: number | null;
  /** How many were counted at least. */
  readonly minNewlines: number;
  /** The number of the line at which the end begins. */
  readonly tailLine: number | null;
  readonly lostBytes: number;
  /** Bytes that nobody looked at. */
  readonly unsearchedBytes: number;
  /** Lines that look like errors, whether there is room for them or not. */
  readonly errorCount: number;
  readonly errors: readonly MiddleError[];
  readonly range: ByteRange;
  readonly scans: readonly Scan[];
}

/** What stands around the middle, and what may be spent on it. */
export interface MiddleOptions {
  readonly head: readonly Item[];
  readonly tail: readonly Item[];
  /** Lines from which the end was taken: those of them that were not are known without a look. */
  readonly rest: readonly Item[];
  readonly ends: Ends;
  readonly plan: ExcerptPlan;
  readonly budget: Budget;
}

/** UTF-16 code units shown of an error, around what makes it one. */
const ERROR_CHARS = 300;

/** Columns of a line that are judged: what says that it is an error may stand far to the right. */
const JUDGED_COLUMNS = 16_384;

/** Look at the middle as far as it is allowed: all of it, or what follows the head and precedes the tail. */
export async function readMiddle(source: ByteSource, options: MiddleOptions): Promise<Middle> {
  const { head, tail, plan } = options;
  const range = { from: head.at(-1)?.to ?? 0, to: tail[0]?.from ?? source.total };
  const scans = await scanned(source, range, plan);
  const all = scans[0]?.to === range.to && scans[0].gaps.length === 0;
  const newlines = countLines(source, options, all ? scans[0]?.newlines : undefined);
  const headNewlines = sum(head);
  const tailLine = newlines === null ? null : headNewlines + newlines + 1;
  const errors: MiddleError[] = [];
  for (const part of scans) {
    const place = { headLine: part.from === range.from ? headNewlines + 1 : null, tailLine, range };
    for (const error of part.errors) errors.push(numbered(error, part, place));
  }
  return {
    ...known(range, scans, newlines),
    tailLine,
    errorCount: scans.reduce((count, part) => count + part.errorCount, 0),
    errors: affordable(errors, options),
  };
}

/** What is known of the middle when the last lines of it are shown after all. */
export function shortened(middle: Middle, shown: readonly Item[]): Middle {
  const to = shown[0]?.from ?? middle.range.to;
  const fewer = sum(shown);
  // How many of them a scan counted that ends among them is not known, so none of them counts.
  const scans = middle.scans.map((part) => ({
    ...part,
    from: Math.min(part.from, to),
    to: Math.min(part.to, to),
    newlines: part.to > to ? Math.max(0, part.newlines - fewer) : part.newlines,
  }));
  const newlines = middle.newlines === null ? null : middle.newlines - fewer;
  return { ...middle, ...known({ from: middle.range.from, to }, scans, newlines) };
}

function known(range: ByteRange, scans: readonly Scan[], newlines: number | null) {
  return {
    range,
    scans,
    newlines,
    minNewlines: newlines ?? scans.reduce((count, part) => count + part.newlines, 0),
    lostBytes: sizeOf(scans.flatMap((part) => part.gaps)),
    unsearchedBytes: sizeOf([range]) - sizeOf(scans),
  };
}

async function scanned(source: ByteSource, range: ByteRange, plan: ExcerptPlan): Promise<Scan[]> {
  if (plan.maxScanBytes === 0 || range.to <= range.from) return [];
  const maxLineChars = Math.min(plan.maxLineColumns, ERROR_CHARS);
  const view = { ...plan.view, maxColumns: JUDGED_COLUMNS };
  const look = (part: ByteRange & Pick<ScanOptions, "cut">) =>
    scan(source, { ...part, maxErrors: plan.maxErrors, maxLineChars, view });
  if (range.to - range.from <= plan.maxScanBytes) return [await look(range)];
  // The first errors are often the cause and the last ones the reason why it ended.
  const half = Math.floor(plan.maxScanBytes / 2);
  return [
    await look({ from: range.from, to: range.from + half, cut: "after" }),
    await look({ from: range.to - half, to: range.to, cut: "before" }),
  ];
}

function countLines(
  source: ByteSource,
  { head, tail, rest, ends }: MiddleOptions,
  counted: number | undefined,
): number | null {
  if (source.lines !== undefined) return source.lines - sum(head) - sum(tail);
  if (counted !== undefined) return counted;
  if (ends.whole) return sum(rest) - sum(tail);
  return null;
}

interface Place {
  /** The number of the line at which the scan begins. */
  readonly headLine: number | null;
  /** The number of the line before which the middle ends. */
  readonly tailLine: number | null;
  readonly range: ByteRange;
}

/** Lines are counted from whichever side has no gap between. */
function numbered(error: FoundError, part: Scan, place: Place): MiddleError {
  const { offset, text } = error;
  const fromHead = place.headLine !== null && part.gaps.every((gap) => gap.from > offset);
  const fromTail = place.tailLine !== null && part.to === place.range.to &&
    part.gaps.every((gap) => gap.to <= offset);
  let line: number | null = null;
  if (fromHead && place.headLine !== null) line = place.headLine + error.index;
  else if (fromTail && place.tailLine !== null) {
    line = place.tailLine - (part.newlines - error.index);
  }
  return { line, offset, text, row: `${line ?? "?"}: ${text}` };
}

/** Each text once, from both sides of the middle inwards while the budget lasts. */
function affordable(
  errors: readonly MiddleError[],
  { budget, plan }: MiddleOptions,
): MiddleError[] {
  const seen = new Set<string>();
  const kept = new Set<MiddleError>();
  let { chars, rows } = budget;
  for (let i = 0; i < errors.length && rows > 0 && kept.size < plan.maxErrors; i++) {
    const error = errors[i % 2 === 0 ? i / 2 : errors.length - (i + 1) / 2];
    if (error === undefined || seen.has(error.text)) continue;
    seen.add(error.text);
    if (error.row.length + 1 > chars) continue;
    kept.add(error);
    chars -= error.row.length + 1;
    rows--;
  }
  return errors.filter((error) => kept.has(error));
}

function sizeOf(ranges: readonly ByteRange[]): number {
  return ranges.reduce((size, { from, to }) => size + to - from, 0);
}

function sum(items: readonly Item[]): number {
  return items.reduce((count, item) => count + item.newlines, 0);
}
