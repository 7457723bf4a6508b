import { binaryKind } from "../binary.ts";
import { blocks } from "../blocks.ts";
import { joined } from "../joined.ts";
import { Newlines } from "../newlines.ts";
import type { ByteRange, ByteSource } from "../source.ts";
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
  /** What kind of binary data begins or ends the output. */
  readonly binary: { readonly head?: string; readonly tail?: string };
}

interface Run extends ByteRange {
  readonly bytes: Uint8Array;
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
  const start = first.find((run) => run.from === 0);
  const end = last.findLast((run) => run.to === total);
  const binary = kinds({ start, end, encoding: plan.view.encoding });
  const closed = end !== undefined && newlines.afterLast(end) === end.bytes.length;
  if (whole && start !== undefined && start === end) {
    return { head: linesOf(start, plan), tail: [], whole: true, closed, binary };
  }
  return {
    head: start === undefined ? [] : headLines(start, plan, newlines),
    tail: end === undefined || end === start ? [] : tailLines(end, plan, newlines),
    whole: total === 0,
    closed,
    binary,
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
  return found.map(({ from, parts, to }) => ({ from, to, bytes: joined(parts) }));
}

interface Samples {
  readonly start: Run | undefined;
  readonly end: Run | undefined;
  readonly encoding: string | undefined;
}

function kinds({ start, end, encoding }: Samples): Ends["binary"] {
  // Two-byte encodings are full of NULs; whoever names one knows what the output is.
  if (/^(utf-?16|ucs-?2|unicode)/i.test(encoding ?? "")) return {};
  const head = start && binaryKind(start.bytes, { start: true });
  const tail = end && binaryKind(end.bytes.subarray(-8192), { start: false });
  return { ...(head === undefined ? {} : { head }), ...(tail === undefined ? {} : { tail }) };
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
    return linesOf({ from: run.from + start, bytes: run.bytes.subarray(start) }, plan);
  }
  const most = Math.max(0, run.bytes.length - newlines.bytes);
  const bytes = run.bytes.subarray(run.bytes.length - Math.min(plan.maxLineColumns, most));
  const from = run.to - bytes.length;
  return [...textView(bytes, { ...plan.view, from, last: true }).lines];
}

function linesOf(run: Pick<Run, "from" | "bytes">, plan: ExcerptPlan): ViewLine[] {
  const options: TextViewOptions = { ...plan.view, from: run.from };
  const view = new TextView(options);
  return [...view.push(run.bytes), ...view.end()];
}

function unclosed(line: ViewLine): ViewLine {
  return { ...line, end: "end" };
}
