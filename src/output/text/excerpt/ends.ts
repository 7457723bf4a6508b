import { binaryKind } from "../binary.ts";
import { blocks } from "../blocks.ts";
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
  const whole = total <= plan.windowBytes;
  const headBytes = whole ? total : Math.floor(plan.windowBytes * plan.headShare);
  const tailBytes = Math.ceil(plan.windowBytes - headBytes);
  const first = await runs(source, { from: 0, to: headBytes });
  // One byte more than the window tells whether the window begins at a line.
  const last = whole ? first : await runs(source, { from: total - tailBytes - 1, to: total });
  const start = first.find((run) => run.from === 0);
  const end = last.findLast((run) => run.to === total);
  const binary = kinds({ start, end, encoding: plan.view.encoding });
  const closed = end?.bytes.at(-1) === 0x0a;
  if (whole && start !== undefined && start === end) {
    return { head: linesOf(start, plan), tail: [], whole: true, closed, binary };
  }
  return {
    head: start === undefined ? [] : headLines(start, plan),
    tail: end === undefined || end === start ? [] : tailLines(end, plan),
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
  return found.map(({ from, parts, to }) => ({ from, to, bytes: joined(parts, to - from) }));
}

function joined(parts: readonly Uint8Array[], length: number): Uint8Array {
  const only = parts[0];
  if (parts.length === 1 && only !== undefined) return only;
  const bytes = new Uint8Array(length);
  let at = 0;
  for (const part of parts) {
    bytes.set(part, at);
    at += part.length;
  }
  return bytes;
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

function headLines(run: Run, plan: ExcerptPlan): ViewLine[] {
  const whole = run.bytes.lastIndexOf(0x0a) + 1;
  if (whole > 0) return linesOf({ ...run, bytes: run.bytes.subarray(0, whole) }, plan);
  // A line longer than the window is shown by its first bytes; those of a cut character wait.
  return textView(run.bytes.subarray(0, plan.maxLineColumns), { ...plan.view }).lines.map(unclosed);
}

function tailLines(run: Run, plan: ExcerptPlan): ViewLine[] {
  const start = run.from === 0 ? 0 : run.bytes.indexOf(0x0a) + 1;
  if (start > 0 && start < run.bytes.length || run.from === 0) {
    return linesOf({ ...run, from: run.from + start, bytes: run.bytes.subarray(start) }, plan);
  }
  const bytes = run.bytes.subarray(-Math.min(plan.maxLineColumns, run.bytes.length - 1));
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
