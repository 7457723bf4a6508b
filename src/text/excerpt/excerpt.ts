import type { ByteRange } from "../../stream/byte-range.ts";
import { clip } from "../clip.ts";
import { type ByteSource, snapshotOf } from "../source/source.ts";
import { readEnds } from "./ends.ts";
import {
  type ExcerptOptions,
  type ExcerptPlan,
  HEAD_SHARE,
  type NextPlace,
  planOf,
} from "./excerpt-options.ts";
import { after, type Budget, type Item, itemsOf, linesOf, takeFirst, takeLast } from "./items.ts";
import { omissionMarker, resumeMarker } from "./markers.ts";
import { type KeptError, type Scan, scan } from "./scan.ts";

/** What of an output is worth a look, within a budget. */
export interface Excerpt {
  /** What to show: beginning, errors and end, with markers where something is left out. */
  readonly text: string;
  /** Whether anything was left out, be it the end of a long line. */
  readonly truncated: boolean;
  /** The kind of data, where it is no text. */
  readonly binary?: string;
  /** Bytes and lines there are; lines are null where they were not all counted. */
  readonly total: { readonly bytes: number; readonly lines: number | null };
  /** The bytes whose lines are shown at the beginning and at the end. */
  readonly shown: { readonly head: ByteRange; readonly tail: ByteRange };
  /** What lies between, and the columns of shown lines that were too long. */
  readonly omitted: {
    readonly bytes: number;
    readonly lines: number | null;
    /** How many lines were counted at least: all, unless `lines` is null. */
    readonly minLines: number;
    readonly columns: number;
    /** Bytes between that do not exist any more, as far as they were read. */
    readonly lostBytes: number;
    /** Bytes between that were not read, as they are beyond `maxScanBytes`: there may be errors in them. */
    readonly unsearchedBytes: number;
  };
  readonly errors: readonly KeptError[];
}

/** An excerpt of fewer lines needs them all for its beginning and its end. */
const MIN_LINES_FOR_ERRORS = 20;

/** UTF-16 code units shown of an error, around what makes it one. */
const ERROR_CHARS = 300;

/**
 * Take the excerpt of an output that fits a budget.
 *
 * What is read is a window at either end and, of the middle, at most `maxScanBytes`.
 *
 * @param log The output, which may still grow.
 * @param options The budget, in UTF-16 code units and in lines, and how it is spent.
 * @returns The text, never longer than `maxChars`, and what it leaves out.
 * @throws {TypeError} If an option cannot be used.
 * @throws {RangeError} If there is no such encoding.
 */
export async function excerpt(log: ByteSource, options: ExcerptOptions = {}): Promise<Excerpt> {
  const source = snapshotOf(log);
  const { total } = source;
  const plan = planOf(source, options);
  const ends = await readEnds(source, plan);
  if (ends.binary !== undefined) return binaryExcerpt(total, ends.binary, plan);
  const head = itemsOf(ends.head, total);
  const tail = itemsOf(ends.tail, total);
  if (ends.whole) {
    const footer = columnsOf(head) > 0 ? footerLength(total, plan) : 0;
    const left = after({ chars: plan.maxChars + 1 - footer, rows: plan.maxLines }, head);
    if (left.chars >= 0 && left.rows >= 0) return composed({ total, plan, head, tail: [] });
  }
  // Of the beginning and the end what the budget allows, and what is found between.
  const { maxChars, maxLines, maxScanBytes } = plan;
  const keeps = maxScanBytes > 0 && maxLines >= MIN_LINES_FOR_ERRORS;
  const budget = {
    chars: maxChars + 1 - footerLength(total, plan) - markersLength(total, keeps),
    rows: maxLines - (keeps ? 2 : 1),
  };
  const first = takeFirst(head, share(budget, HEAD_SHARE));
  const forErrors = share(budget, keeps ? 0.1 : 0);
  const rest = ends.whole ? head.slice(first.length) : tail;
  const left = after(budget, first);
  const last = takeLast(rest, {
    chars: left.chars - forErrors.chars,
    rows: left.rows - forErrors.rows,
  });
  // What says that a line is an error may stand far to the right.
  const { maxColumns: _, ...view } = plan.view;
  const found = await scan(source, {
    from: first.at(-1)?.to ?? 0,
    to: last[0]?.from ?? total,
    firstLine: linesOf(first) + 1,
    maxScanBytes,
    maxLineChars: Math.min(plan.maxLineColumns, ERROR_CHARS),
    view,
  });
  // Where nothing between looks like an error, the end has that share, and the row of its marker.
  const none = found.errorCount === 0 && found.lines !== null;
  const end = none ? takeLast(rest, { ...left, rows: left.rows + (keeps ? 1 : 0) }) : last;
  const between = found.lines === null ? null : found.lines + linesOf(last) - linesOf(end);
  // Lines that were in a window were counted, also where they were not searched.
  const lines = ends.whole ? linesOf(rest) - linesOf(end) : between;
  const errors = errorsWithin(found.errors, forErrors);
  const middle = { ...found, lines, minLines: lines ?? found.minLines, errors, binary: ends.mixed };
  return composed({ total, plan, head: first, tail: end, middle });
}

interface Composed {
  readonly total: number;
  readonly plan: ExcerptPlan;
  readonly head: readonly Item[];
  readonly tail: readonly Item[];
  /** What lies between, and whether some of it is no text; absent where nothing is left out. */
  readonly middle?: Middle;
}

interface Middle extends Scan {
  readonly binary: boolean;
}

function composed({ total, head, tail, plan, middle }: Composed): Excerpt {
  const clamped = head.findIndex((item) => item.omittedColumns > 0);
  const headTo = middle === undefined ? total : head.at(-1)?.to ?? 0;
  const tailFrom = tail[0]?.from ?? total;
  const bytes = tailFrom - headTo;
  const { errors, errorCount: _, binary: __, ...omitted } = middle ?? NOTHING;
  const tailLine = omitted.lines === null ? null : linesOf(head) + omitted.lines + 1;
  const between = middle === undefined ? [] : [
    omissionMarker({ ...middle, bytes }),
    ...errors.map(rowOf),
    ...(errors.length > 0 && tail.length > 0 ? [resumeMarker(tailLine)] : []),
  ];
  const textsOf = (items: readonly Item[]) => items.map((item) => item.text);
  const text = [...textsOf(head), ...between, ...textsOf(tail)].join("\n");
  const shown = middle === undefined ? head.slice(0, clamped) : head;
  const next = { line: linesOf(shown) + 1, byte: shown.at(-1)?.to ?? 0 };
  const truncated = middle !== undefined || clamped >= 0;
  return {
    text: truncated ? withFooter(text, next, plan) : text,
    truncated,
    total: { bytes: total, lines: tailLine === null ? null : tailLine - 1 + linesOf(tail) },
    shown: { head: { from: 0, to: headTo }, tail: { from: tailFrom, to: total } },
    omitted: { ...omitted, bytes, columns: columnsOf([...head, ...tail]) },
    errors,
  };
}

const NOTHING: Middle = {
  lines: 0,
  minLines: 0,
  lostBytes: 0,
  unsearchedBytes: 0,
  errorCount: 0,
  errors: [],
  binary: false,
};

function binaryExcerpt(total: number, kind: string, plan: ExcerptPlan): Excerpt {
  const middle = { ...NOTHING, lines: null, unsearchedBytes: total, binary: true };
  return {
    ...composed({ total, plan, head: [], tail: [], middle }),
    text: withFooter(`[${kind}, ${total} bytes, not shown as text]`, { line: null, byte: 0 }, plan),
    binary: kind,
  };
}

/** Errors from both sides of the middle inwards while the budget lasts, in their order. */
function errorsWithin(errors: readonly KeptError[], budget: Budget): readonly KeptError[] {
  const kept = new Set<KeptError>();
  let { chars, rows } = budget;
  for (let i = 0; i < errors.length && rows > 0; i++) {
    const error = errors[i % 2 === 0 ? i / 2 : errors.length - (i + 1) / 2];
    const length = error === undefined ? Infinity : rowOf(error).length + 1;
    if (error === undefined || length > chars) continue;
    kept.add(error);
    chars -= length;
    rows--;
  }
  return errors.filter((error) => kept.has(error));
}

function rowOf({ line, text }: KeptError): string {
  return `${line ?? "?"}: ${text}`;
}

function share({ chars, rows }: Budget, part: number): Budget {
  return { chars: Math.floor(chars * part), rows: Math.floor(rows * part) };
}

/** What follows is not known yet, but no number in it is longer than that of the end. */
function footerLength(total: number, { footer }: ExcerptPlan): number {
  const end = total + 1;
  const length = Math.max(...[0, end].map((byte) => footer({ line: end, byte }).length));
  return length === 0 ? 0 : length + 1;
}

/** Longest that the markers can become, whatever is found. */
function markersLength(total: number, keeps: boolean): number {
  const all = { bytes: total, lostBytes: total, unsearchedBytes: total, lines: null, binary: true };
  const omission = [0, total].map((minLines) =>
    omissionMarker({ ...all, minLines, errorCount: keeps ? total : 0 }).length
  );
  const resume = [null, total].map((line) => resumeMarker(line).length);
  return Math.max(...omission) + 1 + (keeps ? Math.max(...resume) + 1 : 0);
}

/** How to read on matters more than the last line of what is shown, so a budget cuts that first. */
function withFooter(text: string, next: NextPlace, plan: ExcerptPlan): string {
  const whole = plan.footer(next);
  if (whole === "") return clip(text, plan.maxChars);
  const footer = clip(whole, plan.maxChars);
  const body = clip(text, plan.maxChars - footer.length - 1);
  return body === "" ? footer : `${body}\n${footer}`;
}

function columnsOf(items: readonly Item[]): number {
  return items.reduce((sum, item) => sum + item.omittedColumns, 0);
}
