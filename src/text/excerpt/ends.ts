import { binaryKind, binaryStretch } from "../binary.ts";
import { decoderOf, unitBytes } from "../decode/decode.ts";
import type { ByteSource } from "../source/source.ts";
import { firstBytes, lastBytes } from "../source/blocks.ts";
import { openBytes } from "../source/window.ts";
import { TextView, type ViewLine } from "../view/text-view.ts";
import { textView } from "../view/text-window.ts";
import { type ExcerptPlan, HEAD_SHARE } from "./excerpt-options.ts";

/** The lines at the beginning and at the end of an output, as far as its windows reach. */
export interface Ends {
  readonly head: readonly ViewLine[];
  readonly tail: readonly ViewLine[];
  /** Whether `head` is the whole. */
  readonly whole: boolean;
  /** What kind of data the output is, where it begins with what is no text. */
  readonly binary?: string;
  /** Whether one of the windows has data that is no text: it is not among the lines. */
  readonly mixed: boolean;
}

/** Read the windows at both ends of a source: what they cost is their size, not that of the source. */
export async function readEnds(source: ByteSource, plan: ExcerptPlan): Promise<Ends> {
  const { total } = source;
  const windowBytes = 4 * plan.maxChars;
  const headBytes = total <= windowBytes ? total : Math.floor(windowBytes * HEAD_SHARE);
  const tailBytes = total <= windowBytes ? total : Math.ceil(windowBytes - headBytes);
  const first = await firstBytes(source, { from: 0, to: headBytes });
  const whole = first.length === total;
  const last = whole ? first : await lastBytes(source, { from: total - tailBytes, to: total });
  // Two-byte encodings are full of NULs; where one is named, the output is text.
  const isText = unitBytes(decoderOf(plan.view)) === 2;
  const binary = isText ? undefined : binaryKind(first, { start: true });
  if (binary !== undefined) {
    return { head: [], tail: [], whole: false, binary, mixed: true };
  }
  const inFirst = isText ? undefined : binaryStretch(first);
  const inLast = whole || isText ? inFirst : binaryStretch(last);
  const mixed = inFirst !== undefined || inLast !== undefined;
  if (whole && !mixed) return { head: linesOf(first, 0, plan), tail: [], whole, mixed };
  const tailFrom = inLast?.to ?? 0;
  return {
    head: headLines(first.subarray(0, inFirst?.from), plan),
    tail: tailLines(last.subarray(tailFrom), total - last.length + tailFrom, plan),
    whole: false,
    mixed,
  };
}

function headLines(bytes: Uint8Array, plan: ExcerptPlan): readonly ViewLine[] {
  const lines = new TextView(plan.view).push(bytes);
  // A line longer than the window is shown by its first bytes; those of a cut character are left out.
  return lines.length > 0
    ? lines
    : textView(bytes.subarray(0, plan.maxLineColumns), plan.view).lines;
}

function tailLines(bytes: Uint8Array, from: number, plan: ExcerptPlan): readonly ViewLine[] {
  const [first, ...lines] = linesOf(bytes, from, plan);
  if (from === 0 && first !== undefined) return [first, ...lines];
  // The first line began before the window. Where there is no other, its last bytes are shown.
  if (lines.length > 0) return lines;
  const cut = Math.max(0, bytes.length - plan.maxLineColumns);
  const start = cut - openBytes(bytes.subarray(0, cut), plan.view);
  const options = { ...plan.view, from: from + start, last: true };
  return textView(bytes.subarray(start), options).lines;
}

function linesOf(bytes: Uint8Array, from: number, plan: ExcerptPlan): ViewLine[] {
  const view = new TextView({ ...plan.view, from });
  return [...view.push(bytes), ...view.end()];
}
