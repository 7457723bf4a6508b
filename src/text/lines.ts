import * as v from "valibot";
import { type ByteRange, joined } from "../stream/byte-range.ts";
import type { DecodingOptions } from "./decode/decode.ts";
import { checkFields } from "../value/check-fields.ts";
import { isLimit } from "../value/check-limits.ts";
import { limit as limitField, viewFields } from "./option-fields.ts";
import { blocks } from "./source/blocks.ts";
import { type ByteSource, snapshotOf } from "./source/source.ts";
import { windowEnd, windowStart } from "./source/window.ts";
import { type RenderOptions, TextView, type ViewLine } from "./view/text-view.ts";

/** Which lines to read. */
export interface LinesOptions extends DecodingOptions, RenderOptions {
  /** The first line, counted from 1; all bytes before it are read to find it. */
  readonly fromLine?: number;
  /**
   * Offset to begin at instead, such as the `to` of an earlier answer. Inside an escape sequence,
   * the answer begins where that does, and inside a character where that ends.
   */
  readonly from?: number;
  /** @default {500} */
  readonly maxLines?: number;
  /** Bytes read of the lines, whatever they show. @default {262_144} */
  readonly maxBytes?: number;
}

/** Lines of an output, and where to read on. */
export interface Lines {
  readonly lines: readonly ViewLine[];
  /** The number of the first line; null when the reading began at an offset or lines before it are lost. */
  readonly firstLine: number | null;
  readonly from: number;
  /** Offset after what the lines show: `from` of the next reading. */
  readonly to: number;
  /** Whether nothing follows now. */
  readonly atEnd: boolean;
  /** Whether the last line is only a part, as it is longer than `maxBytes`. */
  readonly partial: boolean;
  /** What was lost on the way, in order; ranges that touch are one. */
  readonly gaps: readonly ByteRange[];
  /** How many lines there are now; null unless the reading knew the number of its first line and came to the end. */
  readonly totalLines: number | null;
}

const schema = v.strictObject(
  {
    ...viewFields,
    fromLine: v.optional(v.custom<number>(
      (value) => isLimit(value, { least: 1 }) && value !== Infinity,
      "it must be a whole number, 1 or more",
    )),
    from: v.optional(limitField),
    maxLines: v.optional(limitField),
    maxBytes: v.optional(limitField),
  } satisfies Record<keyof LinesOptions, v.GenericSchema>,
);

/**
 * Read lines of an output, by number or by offset.
 *
 * Ends between lines where it can; a line longer than `maxBytes` is given in parts, and no part
 * ends inside a character. A gap ends a line, and what follows it begins a new one.
 *
 * @param log The output, which may still grow: what it takes later is not read.
 * @param options Where to begin, as the number of a line or as an offset in bytes, and how much to read.
 * @returns The lines, and the offset at which to read on.
 * @throws {TypeError} If an option cannot be used.
 * @throws {RangeError} If there is no such encoding.
 *
 * @example Read some lines of the output of a command, and then those that follow
 * ```ts
 * import { createRuntime, lines } from "shellflow";
 *
 * await using runtime = await createRuntime({ rules: { allow: ["Bash(seq *)"] } });
 * const { taskId } = await runtime.run("seq 100000");
 * const log = runtime.output(taskId);
 * if (log === undefined) throw new Error("it did not run");
 * const some = await lines(log, { fromLine: 70_000, maxLines: 2 });
 * const more = await lines(log, { from: some.to, maxLines: 1 });
 * const texts = [...some.lines, ...more.lines].map(({ text }) => text);
 * if (texts.join() !== "70000,70001,70002") throw new Error(`unexpected: ${texts}`);
 * ```
 */
export async function lines(log: ByteSource, options: LinesOptions = {}): Promise<Lines> {
  checkFields(schema, options, "Cannot read lines with");
  const { from, maxLines = 500, maxBytes = 262_144 } = options;
  const source = snapshotOf(log);
  const start = await startOf(source, options);
  // From the offset that was asked for, which a sequence that begins before it must not use up.
  const asked = Math.max(start.from, from ?? 0);
  const limit = await windowEnd(source, asked + Math.max(4, maxBytes), options);
  const gaps: ByteRange[] = [...start.gaps];
  const found: ViewLine[] = [];
  let view = new TextView({ ...options, from: start.from });
  for await (const block of blocks(source, { from: start.from, to: limit })) {
    if (found.length >= maxLines) break;
    if (block.bytes !== undefined) found.push(...view.push(block.bytes));
    else {
      gaps.push({ from: block.from, to: block.to });
      found.push(...view.end());
      view = new TextView({ ...options, from: block.to });
    }
  }
  const answer = (shown: readonly ViewLine[], to: number, partial = false): Lines => ({
    lines: shown,
    firstLine: start.line,
    from: start.from,
    to,
    atEnd: to >= source.total,
    partial,
    gaps: joined(gaps.filter((gap) => gap.from < to)),
    totalLines: to < source.total || gaps.length > 0
      ? null
      : start.count ?? (start.line === null ? null : start.line - 1 + shown.length),
  });
  if (maxLines === 0) return answer([], start.from);
  const last = found[maxLines - 1];
  if (last !== undefined && (found.length > maxLines || last.to < limit)) {
    return answer(found.slice(0, maxLines), last.to);
  }
  if (limit >= source.total) return answer([...found, ...view.end()], source.total);
  if (found.length > 0) return answer(found, view.lineFrom);
  const part = view.end();
  return answer(part, limit, part.length > 0);
}

interface Start {
  readonly from: number;
  readonly line: number | null;
  readonly gaps: readonly ByteRange[];
  /** How many lines there are, when they are fewer than was asked for. */
  readonly count?: number;
}

async function startOf(source: ByteSource, options: LinesOptions): Promise<Start> {
  const { from, fromLine = 1 } = options;
  if (from === undefined) return await atLine(source, fromLine, options);
  const start = await windowStart(source, from, options);
  return { from: start, line: from === 0 ? 1 : null, gaps: [] };
}

async function atLine(
  source: ByteSource,
  wanted: number,
  { encoding }: DecodingOptions,
): Promise<Start> {
  if (wanted === 1) return { from: 0, line: 1, gaps: [] };
  const gaps: ByteRange[] = [];
  const decoding = encoding === undefined ? {} : { encoding };
  let view = new TextView(decoding);
  let line = 1;
  for await (const block of blocks(source, { from: 0, to: source.total })) {
    if (block.bytes === undefined) {
      gaps.push({ from: block.from, to: block.to });
      view = new TextView({ ...decoding, from: block.to });
      continue;
    }
    for (const { to } of view.push(block.bytes)) {
      // Lines that were lost were not counted, so the number would be too small.
      if (++line === wanted) return { from: to, line: gaps.length === 0 ? line : null, gaps };
    }
  }
  const count = line - (view.lineFrom === source.total ? 1 : 0);
  return { from: source.total, line: null, gaps, count };
}
