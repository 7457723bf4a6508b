import { blocks } from "./source/blocks.ts";
import { concatenated } from "../stream/concatenated.ts";
import { type ByteRange, joined } from "../stream/byte-range.ts";
import { checkLimits } from "./limits.ts";
import { snapshotOf } from "./source/log-source.ts";
import { Newlines } from "./source/newlines.ts";
import type { ByteSource } from "./source/source.ts";
import type { RenderOptions } from "./view/text-view.ts";
import type { DecodingOptions } from "./decode/decode.ts";
import { TextView, type ViewLine } from "./view/text-view.ts";
import { WholeCharacters } from "./decode/whole-characters.ts";
import { firstBytes, windowStart } from "./source/window-start.ts";

/** Which lines to read. */
export interface LinesOptions extends DecodingOptions, RenderOptions {
  /** The first line, counted from 1; finding it costs a look at all bytes before it. */
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

/**
 * Read lines of an output, by number or by offset.
 *
 * Ends between lines where it can; a line longer than `maxBytes` is given in parts, and no part
 * ends inside a character. A gap ends a line, and what follows it begins a new one.
 *
 * @param log The output, which may still grow: what it takes later is not read.
 * @param options Where to begin, as the number of a line or as an offset in bytes, and how much to read.
 * @returns The lines, and the offset at which to read on.
 * @throws {TypeError} If a limit, an offset or the number of the first line is none.
 * @throws {RangeError} If nobody knows the encoding.
 *
 * @example Read some lines of the output of a command, and then those that follow
 * ```ts
 * import { createRuntime, lines, sourceOf } from "shellflow";
 *
 * await using runtime = await createRuntime({ rules: { allow: ["Bash(seq *)"] } });
 * const { taskId } = await runtime.run("seq 100000");
 * const log = runtime.output(taskId);
 * if (log === undefined) throw new Error("it did not run");
 * const some = await lines(sourceOf(log), { fromLine: 70_000, maxLines: 2 });
 * const more = await lines(sourceOf(log), { from: some.to, maxLines: 1 });
 * const texts = [...some.lines, ...more.lines].map(({ text }) => text);
 * if (texts.join() !== "70000,70001,70002") throw new Error(`unexpected: ${texts}`);
 * ```
 */
export async function lines(log: ByteSource, options: LinesOptions = {}): Promise<Lines> {
  const { from, maxLines: rows, maxBytes, maxColumns } = options;
  checkLimits("read lines", { from, maxLines: rows, maxBytes, maxColumns });
  checkLine(options.fromLine);
  const source = snapshotOf(log);
  const start = await startOf(source, options);
  const maxLines = options.maxLines ?? 500;
  const total = source.total;
  // From the offset that was asked for, which a sequence that begins before it must not use up.
  const asked = Math.max(start.from, options.from ?? 0);
  const limit = Math.min(total, asked + Math.max(4, options.maxBytes ?? 262_144));
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
  return await ended(source, { found, view, start, limit, maxLines, gaps, options });
}

interface Start {
  readonly from: number;
  readonly line: number | null;
  readonly gaps: readonly ByteRange[];
  /** How many lines there are, when they are fewer than was asked for. */
  readonly count?: number;
}

interface Reading {
  readonly found: readonly ViewLine[];
  readonly view: TextView;
  readonly start: Start;
  readonly limit: number;
  readonly maxLines: number;
  readonly gaps: readonly ByteRange[];
  readonly options: LinesOptions;
}

async function ended(source: ByteSource, reading: Reading): Promise<Lines> {
  const { found, view, start, limit, maxLines, gaps, options } = reading;
  const answer = (shown: readonly ViewLine[], to: number, partial: boolean): Lines => ({
    lines: shown,
    firstLine: start.line,
    from: start.from,
    to,
    atEnd: to >= source.total,
    partial,
    gaps: joined(gaps.filter((gap) => gap.from < to)),
    totalLines: to < source.total || gaps.length > 0 ? null : start.count ?? countOf(start, shown),
  });
  const cut = found[maxLines - 1];
  if (maxLines <= 0) return answer([], start.from, false);
  if (cut !== undefined && (found.length > maxLines || cut.to < limit)) {
    return answer(found.slice(0, maxLines), cut.to, false);
  }
  if (limit >= source.total) return answer([...found, ...view.end()], source.total, false);
  if (found.length > 0) return answer(found, view.lineFrom, false);
  const part = await partOf(source, { from: view.lineFrom, to: limit }, options);
  return answer(part.lines, part.to, part.to < limit || part.lines.length > 0);
}

/** How many lines there are when these are the last; null where nobody knows how many come before. */
function countOf({ line }: Start, shown: readonly ViewLine[]): number | null {
  if (line === null) return null;
  // Frames are parts of the line that follows, which may show nothing.
  const open = shown.at(-1)?.end === "frame" ? 1 : 0;
  return line - 1 + shown.filter(({ end }) => end !== "frame").length + open;
}

/** The beginning of a line that is too long, cut between characters. */
async function partOf(source: ByteSource, range: ByteRange, options: LinesOptions) {
  const shown = new WholeCharacters(options).push(await firstBytes(source, range));
  const view = new TextView({ ...options, from: range.from });
  return { lines: [...view.push(shown), ...view.end()], to: view.at };
}

async function startOf(source: ByteSource, options: LinesOptions): Promise<Start> {
  if (options.from !== undefined) {
    const from = await windowStart(source, options.from, options);
    return { from, line: options.from === 0 ? 1 : null, gaps: [] };
  }
  const line = options.fromLine ?? 1;
  return await atLine(source, line, new Newlines(options));
}

function checkLine(fromLine: number | undefined): void {
  checkLimits("read lines", { fromLine });
  if (fromLine !== 0 && fromLine !== Infinity) return;
  throw new TypeError(
    `Cannot read lines with fromLine ${fromLine}: it must be a whole number, 1 or more`,
  );
}

async function atLine(source: ByteSource, line: number, newlines: Newlines): Promise<Start> {
  let left = line - 1;
  if (left === 0) return { from: 0, line: 1, gaps: [] };
  const gaps: ByteRange[] = [];
  let rest: Uint8Array = new Uint8Array(0);
  let closed = true;
  for await (const block of blocks(source, { from: 0, to: source.total, blockBytes: 262_144 })) {
    if (block.bytes === undefined) {
      gaps.push({ from: block.from, to: block.to });
      rest = new Uint8Array(0);
      continue;
    }
    const run = { from: block.from - rest.length, bytes: concatenated([rest, block.bytes]) };
    rest = newlines.cut(run);
    const count = newlines.count(run);
    closed = newlines.afterLast(run) === run.bytes.length;
    if (count < left) {
      left -= count;
      continue;
    }
    let at = 0;
    for (; left > 0; left--) at = newlines.after(run, at);
    // Lines that were lost were not counted, so the number would be too small.
    return { from: run.from + at, line: gaps.length === 0 ? line : null, gaps };
  }
  return { from: source.total, line: null, gaps, count: line - 1 - left + (closed ? 0 : 1) };
}
