import * as v from "valibot";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { type ByteRange, joined } from "../../stream/byte-range.ts";
import { blocks } from "../source/blocks.ts";
import { checkFields } from "../../value/check-fields.ts";
import { fraction, limit as limitField, viewFields } from "../option-fields.ts";
import { type ByteSource, snapshotOf } from "../source/source.ts";
import { type RenderOptions, TextView, type ViewLine } from "../view/text-view.ts";
import type { DecodingOptions } from "../decode/decode.ts";
import { windowEnd, windowStart } from "../source/window.ts";
import { type ExpressionOptions, finderOf } from "./expression.ts";
import { type Match, Matches } from "./matches.ts";

/** What to search, and how much it may cost. */
export interface SearchOptions extends ExpressionOptions, DecodingOptions, RenderOptions {
  /**
   * Offset to begin at; line numbers are known from 0. Inside an escape sequence, the search begins
   * where that does, and inside a character where that ends.
   *
   * @default {0}
   */
  readonly from?: number;
  /** Offset to end before. @default {total} */
  readonly to?: number;
  /** Lines shown before a match, 1000 at most. @default {0} */
  readonly before?: number;
  /** Lines shown after a match. @default {0} */
  readonly after?: number;
  /** @default {100} */
  readonly maxMatches?: number;
  /** Bytes searched. @default {256 MiB} */
  readonly maxBytes?: number;
  /** Milliseconds spent; at least one line is searched. @default {5000} */
  readonly timeoutMs?: number;
  /** UTF-16 code units shown of a line, around its match. @default {500} */
  readonly maxLineChars?: number;
  /** UTF-16 code units of all matches with the lines around them, after which the search ends. @default {1_000_000} */
  readonly maxChars?: number;
  /** Ends the search, which then throws the reason. */
  readonly signal?: AbortSignal;
  /** Time. @default {systemClock} */
  readonly clock?: Pick<Clock, "monotonic" | "after">;
}

/** What a search found. */
export interface SearchResult {
  readonly matches: readonly Match[];
  /** Whether there may be more: what ended the search before the end of its range. */
  readonly truncated: boolean;
  readonly endedBy: "end" | "matches" | "chars" | "bytes" | "time";
  /** Bytes searched. */
  readonly scannedBytes: number;
  /**
   * Offset up to which lines were searched: `from` of a search that goes on. Inside a line where
   * the bytes or the time allowed do not suffice for the whole of it.
   */
  readonly to: number;
  /** Lines of which the end was not searched, as they are longer than `maxColumns`. */
  readonly clampedLines: number;
  /** What was lost on the way, in order; ranges that touch are one. */
  readonly gaps: readonly ByteRange[];
}

const schema = v.strictObject(
  {
    ...viewFields,
    ignoreCase: v.optional(v.boolean()),
    from: v.optional(limitField),
    to: v.optional(limitField),
    before: v.optional(limitField),
    after: v.optional(limitField),
    maxMatches: v.optional(limitField),
    maxBytes: v.optional(limitField),
    timeoutMs: v.optional(fraction),
    maxLineChars: v.optional(limitField),
    maxChars: v.optional(limitField),
    signal: v.optional(v.instance(AbortSignal)),
    clock: v.optional(v.looseObject({ monotonic: v.function(), after: v.function() })),
  } satisfies Record<keyof SearchOptions, v.GenericSchema>,
);

/** Bytes of the longest character. */
const CHARACTER_BYTES = 4;

/** Lines that are kept for a match that may follow. */
const MOST_BEFORE = 1000;

/** Milliseconds after which other work gets the thread. */
const SLICE_MS = 10;

/**
 * Search the lines of an output, as they are shown, for a regular expression of RE2.
 *
 * Streams through the source, so memory is that of the matches; yields to other work between blocks.
 *
 * @param log The output, which may still grow: what it takes later is not searched.
 * @param expression By the syntax of RE2, which has neither look-around nor back-references.
 * @param options Where to look, how much that may cost, and what is shown of a match.
 * @returns The matching lines, what ended the search, and where to go on.
 * @throws {SyntaxError} If the expression is none: `Cannot search for "<expression>": <why>`.
 * @throws {TypeError} If the expression is no string, or an option cannot be used.
 * @throws {RangeError} If there is no such encoding.
 * @see {@link https://github.com/google/re2/wiki/Syntax} for the syntax.
 *
 * @example Find a line in the output of a command
 * ```ts
 * import { createRuntime, search } from "shellflow";
 *
 * await using runtime = await createRuntime({ rules: { allow: ["Bash(seq *)"] } });
 * const { taskId } = await runtime.run("seq 100000");
 * const log = runtime.output(taskId);
 * if (log === undefined) throw new Error("it did not run");
 * const { matches } = await search(log, "^4[0]+2$", { after: 1 });
 * const found = matches.map(({ line, text, after }) => [line, text, ...after].join(" "));
 * if (found.join() !== "402 402 403,4002 4002 4003,40002 40002 40003") {
 *   throw new Error(`unexpected: ${found}`);
 * }
 * ```
 */
export async function search(
  log: ByteSource,
  expression: string,
  options: SearchOptions = {},
): Promise<SearchResult> {
  checkFields(schema, options, "Cannot search with");
  const { before = 0, after = 0, maxMatches = 100, maxLineChars = 500 } = options;
  const { maxChars = 1_000_000, maxBytes = 268_435_456 } = options;
  const { timeoutMs = 5000, signal, clock = systemClock } = options;
  const limits = { before, after, maxMatches, maxLineChars, maxChars };
  const find = await finderOf(expression, options);
  const source = snapshotOf(log);
  const from = Math.min(options.from ?? 0, source.total);
  const end = await windowEnd(source, options.to ?? Infinity, options);
  const start = await windowStart(source, from, options);
  // From the offset that was asked for, which a sequence that begins before it must not use up.
  const most = Math.max(start, from) + Math.max(CHARACTER_BYTES, maxBytes);
  const limit = Math.min(end, await windowEnd(source, most, options));
  const matches = new Matches(find, {
    ...limits,
    before: Math.min(before, MOST_BEFORE),
    firstLine: from === 0 ? 1 : null,
  });
  const gaps: ByteRange[] = [];
  let view = new TextView({ ...options, from: start });
  let at = from;
  let scannedBytes = 0;
  let late = false;
  const deadline = clock.monotonic() + timeoutMs;
  let nextTurn = clock.monotonic() + SLICE_MS;
  const look = (lines: readonly ViewLine[]): void => {
    for (const line of lines) {
      if (matches.full) return;
      at = line.to;
      matches.look(line);
    }
  };
  for await (const block of blocks(source, { from: start, to: limit })) {
    signal?.throwIfAborted();
    if (block.bytes !== undefined) {
      scannedBytes += block.bytes.length;
      look(view.push(block.bytes));
    } else {
      look(view.end());
      if (matches.full) break;
      gaps.push({ from: block.from, to: block.to });
      matches.gap();
      view = new TextView({ ...options, from: block.to });
      at = block.to;
    }
    const now = clock.monotonic();
    // Not before the end of a line, lest a search that goes on begins with it again.
    late = now >= deadline && at > from;
    if (matches.full || late) break;
    if (now < nextTurn) continue;
    await yieldThread(clock);
    nextTurn = clock.monotonic() + SLICE_MS;
  }
  // A line that the limit cuts is left to the search that goes on, unless nothing else was searched.
  if (!matches.full && !late && (limit === end || at === from)) {
    look(view.end());
    at = limit;
  }
  const endedBy = matches.spent
    ? "chars"
    : matches.full
    ? "matches"
    : late
    ? "time"
    : limit === end
    ? "end"
    : "bytes";
  return {
    matches: matches.found,
    truncated: endedBy !== "end",
    endedBy,
    scannedBytes,
    to: at,
    clampedLines: matches.clampedLines,
    gaps: joined(gaps),
  };
}

/** Yield to other work. */
function yieldThread(clock: Pick<Clock, "after">): Promise<void> {
  return new Promise((resolve) => clock.after(0, resolve));
}
