import { binaryKind, binaryStretch } from "../binary.ts";
import { blocks } from "../source/blocks.ts";
import { concatenated } from "../../stream/concatenated.ts";
import { fromIndex, Newlines, type Run } from "../source/newlines.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import type { ByteSource } from "../source/source.ts";
import { openBytes } from "../source/window-start.ts";
import { TextView, type TextViewOptions, type ViewLine } from "../view/text-view.ts";
import { textView } from "../view/text-window.ts";
import type { ExcerptPlan } from "./excerpt-options.ts";

/** The lines at the beginning and at the end of an output, as far as its windows reach. */
export interface Ends {
  readonly head: readonly ViewLine[];
  readonly tail: readonly ViewLine[];
  /** Whether `head` is the whole. */
  readonly whole: boolean;
  /** Whether the last byte ends a line. */
  readonly closed: boolean;
  /** What kind of data the output is, where it begins with what is no text. */
  readonly binary?: string;
  /** Whether some of the windows is no text: neither it nor what lies between is among the lines. */
  readonly mixed: boolean;
}

/** Read the windows at both ends of a source: what they cost is their size, not that of the source. */
export async function readEnds(source: ByteSource, plan: ExcerptPlan): Promise<Ends> {
  const { total } = source;
  const newlines = new Newlines(plan.view);
  const whole = total <= plan.windowBytes;
  const headBytes = whole ? total : Math.floor(plan.windowBytes * plan.headShare);
  const tailBytes = Math.ceil(plan.windowBytes - headBytes);
  const first = await runs(source, { from: 0, to: headBytes });
  // A newline more than the window tells whether the window begins at a line.
  const tailFrom = Math.max(0, total - tailBytes - newlines.bytes);
  const last = whole ? first : await runs(source, { from: tailFrom, to: total });
  const start = first.find(({ from }) => from === 0);
  const end = last.findLast(({ from, bytes }) => from + bytes.length === total);
  const closed = end !== undefined && newlines.afterLast(end) === end.bytes.length;
  // Two-byte encodings are full of NULs; whoever names one knows what the output is.
  const asIs = newlines.bytes === 2;
  const binary = asIs || start === undefined ? undefined : binaryKind(start.bytes, { start: true });
  if (binary !== undefined) {
    return { head: [], tail: [], whole: false, closed, binary, mixed: true };
  }
  const text = asIs ? { start, end, mixed: false } : textOf(start, end);
  if (whole && start !== undefined && text.start === text.end) {
    return { head: linesOf(start, plan), tail: [], whole: true, closed, mixed: false };
  }
  return {
    head: text.start === undefined ? [] : headLines(text.start, plan, newlines),
    tail: text.end === undefined ? [] : tailLines(text.end, plan, newlines),
    whole: total === 0,
    closed,
    mixed: text.mixed,
  };
}

/** The stretches of a range that exist, each in one piece. */
async function runs(source: ByteSource, range: ByteRange): Promise<Run[]> {
  const found: { from: number; parts: Uint8Array[]; to: number }[] = [];
  for await (const { from, to, bytes } of blocks(source, range)) {
    if (bytes === undefined) continue;
    const last = found.at(-1);
    if (last?.to !== from) found.push({ from, parts: [bytes], to });
    else {
      last.parts.push(bytes);
      last.to = to;
    }
  }
  return found.map(({ from, parts }) => ({ from, bytes: concatenated(parts) }));
}

interface Text {
  readonly start: Run | undefined;
  readonly end: Run | undefined;
  readonly mixed: boolean;
}

/** Of both windows, what comes before the first and after the last byte that is no text. */
function textOf(start: Run | undefined, end: Run | undefined): Text {
  const first = start && binaryStretch(start.bytes);
  const last = start === end ? first : end && binaryStretch(end.bytes);
  return {
    start: start && first ? { ...start, bytes: start.bytes.subarray(0, first.from) } : start,
    end: end && last ? fromIndex(end, last.to) : end,
    mixed: first !== undefined || last !== undefined,
  };
}

function headLines(run: Run, plan: ExcerptPlan, newlines: Newlines): ViewLine[] {
  const whole = newlines.afterLast(run);
  if (whole > 0) return linesOf({ ...run, bytes: run.bytes.subarray(0, whole) }, plan);
  // A line longer than the window is shown by its first bytes; those of a cut character wait.
  return textView(run.bytes.subarray(0, plan.maxLineColumns), { ...plan.view }).lines.map(unclosed);
}

function tailLines(run: Run, plan: ExcerptPlan, newlines: Newlines): ViewLine[] {
  const start = run.from === 0 ? 0 : newlines.after(run);
  if (start > 0 && start < run.bytes.length || run.from === 0) {
    return linesOf(fromIndex(run, start), plan);
  }
  const most = Math.max(0, run.bytes.length - newlines.bytes);
  const cut = run.bytes.length - Math.min(plan.maxLineColumns, most);
  const { from, bytes } = fromIndex(run, cut - openBytes(run.bytes.subarray(0, cut), plan.view));
  return [...textView(bytes, { ...plan.view, from, last: true }).lines];
}

function linesOf(run: Run, plan: ExcerptPlan): ViewLine[] {
  const options: TextViewOptions = { ...plan.view, from: run.from };
  const view = new TextView(options);
  return [...view.push(run.bytes), ...view.end()];
}

function unclosed(line: ViewLine): ViewLine {
  return { ...line, end: "end" };
}
