import { clip } from "../clip.ts";
import { snapshotOf } from "../source/log-source.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import type { ByteSource } from "../source/source.ts";
import { after, type Budget, takeFirst, takeLast } from "./budget.ts";
import { type Ends, readEnds } from "./ends.ts";
import {
  type ExcerptOptions,
  type ExcerptPlan,
  type NextPlace,
  planOf,
} from "./excerpt-options.ts";
import { fileFooter } from "./footer.ts";
import { type Item, itemsOf } from "./item.ts";
import { omissionMarker, resumeMarker } from "./markers.ts";
import { type Middle, readMiddle, shortened } from "./middle.ts";

/** A line that was kept out of what is not shown, as it looks like an error. */
export interface KeptError {
  /** Its number, counted from 1; null where nobody counted the lines before it. */
  readonly line: number | null;
  /** Offset of its first byte. */
  readonly offset: number;
  /** The line, or as much of it as is shown around what looks like an error. */
  readonly text: string;
}

/** What of an output is worth a look, within a budget. */
export interface Excerpt {
  /** What to show: beginning, errors and end, with markers where something is left out. */
  readonly text: string;
  /** Whether anything was left out, be it the end of a long line. */
  readonly truncated: boolean;
  /** The kind of data, where it is no text. */
  readonly binary?: string;
  /** Bytes and lines there are; lines are null where nobody counted them. */
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
    /** Bytes between that do not exist any more, as far as they were met. */
    readonly lostBytes: number;
    /** Bytes between that nobody looked at, as they are beyond `maxScanBytes`: nothing is known of errors in them. */
    readonly unsearchedBytes: number;
  };
  readonly errors: readonly KeptError[];
}

/**
 * Take the excerpt of an output that fits a budget.
 *
 * What is read is a window at either end and, of the middle, at most `maxScanBytes`.
 *
 * @param log The output, which may still grow.
 * @param options The budget, in UTF-16 code units and in lines, and how it is spent.
 * @returns The text, never longer than `maxChars`, and what it leaves out.
 * @throws {TypeError} If a limit is none.
 * @throws {RangeError} If nobody knows the encoding.
 */
export async function excerpt(log: ByteSource, options: ExcerptOptions = {}): Promise<Excerpt> {
  const source = snapshotOf(log);
  const plan = planOf({ footer: fileFooter(source, options), ...options });
  const ends = await readEnds(source, plan);
  if (ends.binary !== undefined) return binaryExcerpt(source, ends.binary, plan);
  const fold = { fold: plan.foldRepeats };
  const head = itemsOf(ends.head, fold);
  const tail = itemsOf(ends.tail, fold);
  const total: Budget = { chars: plan.maxChars + 1, rows: plan.maxLines };
  if (ends.whole && fits(head, total)) {
    const clamped = head.some((item) => item.omittedColumns > 0);
    const budget = clamped ? withFooter(total, { source, plan }) : total;
    if (fits(head, budget)) return wholeExcerpt(source, { head, ends, plan, clamped });
  }
  return await partExcerpt(source, { head, tail, ends, plan });
}

interface Parts {
  readonly head: readonly Item[];
  readonly tail: readonly Item[];
  readonly ends: Ends;
  readonly plan: ExcerptPlan;
}

async function partExcerpt(source: ByteSource, parts: Parts): Promise<Excerpt> {
  const { ends, plan } = parts;
  const keeps = plan.maxScanBytes > 0 && plan.maxErrors > 0 &&
    plan.maxLines >= MIN_LINES_FOR_ERRORS;
  const budget = after(
    withFooter({ chars: plan.maxChars + 1, rows: plan.maxLines }, { source, plan }),
    longestMarkers(source.total, keeps).map((text) => ({ text, rows: 1 })),
  );
  const head = takeFirst(parts.head, {
    chars: Math.floor(budget.chars * plan.headShare),
    rows: Math.floor(budget.rows * plan.headShare),
  });
  const rest = ends.whole ? parts.head.slice(head.length) : parts.tail;
  const left = after(budget, head);
  const kept = keeps ? errorShare(budget) : NOTHING;
  const tail = takeLast(rest, { chars: left.chars - kept.chars, rows: left.rows - kept.rows });
  const middle = await readMiddle(source, { head, tail, rest, ends, plan, budget: kept });
  if (middle.errorCount > 0) return compose(source, { ...parts, head, tail }, middle);
  // What no error needs goes to the end.
  const longer = takeLast(rest, left);
  const more = longer.slice(0, longer.length - tail.length);
  return compose(source, { ...parts, head, tail: longer }, shortened(middle, more));
}

/** An excerpt of fewer lines needs them all for its beginning and its end. */
const MIN_LINES_FOR_ERRORS = 20;

const MIXED = { binary: "binary data" };

const NOTHING: Budget = { chars: 0, rows: 0 };

/** A tenth of the budget is for errors of the middle. */
function errorShare(budget: Budget): Budget {
  return { chars: Math.floor(budget.chars / 10), rows: Math.floor(budget.rows / 10) };
}

function compose(source: ByteSource, { head, tail, ends, plan }: Parts, middle: Middle): Excerpt {
  const headTo = head.at(-1)?.to ?? 0;
  const tailFrom = tail[0]?.from ?? source.total;
  const bytes = tailFrom - headTo;
  const open = tail.length === 0 && bytes > 0 ? unclosed(source, ends) : 0;
  const lines = middle.newlines === null ? null : middle.newlines + open;
  const minLines = middle.minNewlines + open;
  const known = newlinesOf(head) + newlinesOf(tail);
  const counted = source.lines ?? (middle.newlines === null ? null : known + middle.newlines);
  const { lostBytes, unsearchedBytes, errorCount: errors } = middle;
  const omission = { lines, minLines, bytes, lostBytes, unsearchedBytes, errors };
  const rows = [
    ...head.map((item) => item.text),
    omissionMarker({ ...omission, ...(ends.mixed ? MIXED : {}) }),
    ...middle.errors.map((error) => error.row),
    ...(middle.errors.length > 0 && tail.length > 0 ? [resumeMarker(middle.tailLine)] : []),
    ...tail.map((item) => item.text),
  ];
  const columns = [...head, ...tail].reduce((sum, item) => sum + item.omittedColumns, 0);
  return {
    text: finished(rows.join("\n"), { line: newlinesOf(head) + 1, byte: headTo }, plan),
    truncated: true,
    total: {
      bytes: source.total,
      lines: counted === null ? null : counted + unclosed(source, ends),
    },
    shown: { head: { from: 0, to: headTo }, tail: { from: tailFrom, to: source.total } },
    omitted: { bytes, lines, minLines, columns, lostBytes, unsearchedBytes },
    errors: middle.errors.map(({ line, offset, text }) => ({ line, offset, text })),
  };
}

const NONE: Excerpt["omitted"] = {
  bytes: 0,
  lines: 0,
  minLines: 0,
  columns: 0,
  lostBytes: 0,
  unsearchedBytes: 0,
};

interface Whole extends Omit<Parts, "tail"> {
  readonly clamped: boolean;
}

function wholeExcerpt(source: ByteSource, { head, ends, plan, clamped }: Whole): Excerpt {
  const { total } = source;
  const text = head.map((item) => item.text).join("\n");
  const columns = head.reduce((sum, item) => sum + item.omittedColumns, 0);
  const newlines = source.lines ?? newlinesOf(head);
  return {
    text: clamped ? finished(text, firstClamped(head), plan) : text,
    truncated: clamped,
    total: { bytes: total, lines: newlines + unclosed(source, ends) },
    shown: { head: { from: 0, to: total }, tail: { from: total, to: total } },
    omitted: { ...NONE, columns },
    errors: [],
  };
}

function binaryExcerpt(source: ByteSource, kind: string, plan: ExcerptPlan): Excerpt {
  const { total, lines } = source;
  return {
    text: finished(`[${kind}, ${total} bytes, not shown as text]`, { line: null, byte: 0 }, plan),
    truncated: true,
    binary: kind,
    total: { bytes: total, lines: lines ?? null },
    shown: { head: { from: 0, to: 0 }, tail: { from: total, to: total } },
    omitted: {
      ...NONE,
      bytes: total,
      lines: lines ?? null,
      minLines: lines ?? 0,
      unsearchedBytes: total,
    },
    errors: [],
  };
}

function fits(items: readonly Item[], budget: Budget): boolean {
  const left = after(budget, items);
  return left.chars >= 0 && left.rows >= 0;
}

interface Footed {
  readonly source: ByteSource;
  readonly plan: ExcerptPlan;
}

/** What follows is not known yet, but no number of it is longer than that of the end. */
function withFooter(budget: Budget, { source, plan }: Footed): Budget {
  const end = source.total + 1;
  const lengths = [0, end].map((byte) => plan.footer({ line: end, byte }).length);
  const length = Math.max(...lengths);
  return length === 0 ? budget : { ...budget, chars: budget.chars - length - 1 };
}

/** The first line of which not all is shown. */
function firstClamped(items: readonly Item[]): NextPlace {
  const first = items.findIndex((item) => item.omittedColumns > 0);
  return { line: newlinesOf(items.slice(0, first)) + 1, byte: items[first]?.from ?? 0 };
}

/** How to read on matters more than the last line of what is shown, so a budget cuts that first. */
function finished(text: string, next: NextPlace, plan: ExcerptPlan): string {
  const whole = plan.footer(next);
  if (whole === "") return clip(text, plan.maxChars);
  const footer = clip(whole, plan.maxChars);
  const body = clip(text, plan.maxChars - footer.length - 1);
  return body === "" ? footer : `${body}\n${footer}`;
}

/** Longest that the markers can become, whatever is found. */
function longestMarkers(total: number, keeps: boolean): string[] {
  const bytes = { bytes: total, lostBytes: total, unsearchedBytes: total };
  const counts = { ...bytes, errors: keeps ? total : 0, ...MIXED };
  const omission = [{ lines: total, minLines: 0 }, { lines: null, minLines: 0 }, {
    lines: null,
    minLines: total,
  }].map((lines) => omissionMarker({ ...counts, ...lines }));
  const resume = keeps ? [total, null].map(resumeMarker) : [];
  return [longest(omission), ...(keeps ? [longest(resume)] : [])];
}

function longest(texts: readonly string[]): string {
  return texts.reduce((long, text) => text.length > long.length ? text : long, "");
}

/** A last line without its newline is a line all the same. */
function unclosed(source: ByteSource, ends: Ends): number {
  return !ends.closed && source.total > 0 ? 1 : 0;
}

function newlinesOf(items: readonly Item[]): number {
  return items.reduce((count, item) => count + item.newlines, 0);
}
