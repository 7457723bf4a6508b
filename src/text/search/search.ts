import { type Clock, systemClock } from "../../platform/clock.ts";
import { type ByteRange, joined } from "../../stream/byte-range.ts";
import { blocks } from "../source/blocks.ts";
import { checkLimits } from "../limits.ts";
import { snapshotOf } from "../source/log-source.ts";
import type { ByteSource } from "../source/source.ts";
import type { RenderOptions } from "../view/text-view.ts";
import type { DecodingOptions } from "../decode/decode.ts";
import { TextView, type ViewLine } from "../view/text-view.ts";
import { WholeCharacters } from "../decode/whole-characters.ts";
import { windowStart } from "../source/window-start.ts";
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
  /** Lines shown before a match. @default {0} */
  readonly before?: number;
  /** Lines shown after a match. @default {0} */
  readonly after?: number;
  /** @default {100} */
  readonly maxMatches?: number;
  /** Bytes looked at. @default {256 MiB} */
  readonly maxBytes?: number;
  /** Milliseconds spent; of the first line, at least a part is looked at. @default {5000} */
  readonly timeoutMs?: number;
  /** UTF-16 code units shown of a line, around its match. @default {500} */
  readonly maxLineChars?: number;
  /** UTF-16 code units of all matches with the lines around them. @default {1_000_000} */
  readonly maxChars?: number;
  /** Ends the search, which then throws the reason. */
  readonly signal?: AbortSignal;
  /** Time. @default {systemClock} */
  readonly clock?: Clock;
}

/** What a search found. */
export interface SearchResult {
  readonly matches: readonly Match[];
  /** Whether there may be more: what ended the search before the end of its range. */
  readonly truncated: boolean;
  readonly endedBy: "end" | "matches" | "chars" | "bytes" | "time";
  /** Bytes looked at. */
  readonly scannedBytes: number;
  /**
   * Offset up to which lines were looked at: `from` of a search that goes on. Inside a line where
   * the bytes or the time allowed do not suffice for the whole of it.
   */
  readonly to: number;
  /** Lines of which the end was not looked at, as they are longer than `maxColumns`. */
  readonly clampedLines: number;
  /** What was lost on the way, in order; ranges that touch are one. */
  readonly gaps: readonly ByteRange[];
}

/** Bytes of the longest character. */
const LONGEST = 4;

/** Bytes between two looks at the clock. */
const BLOCK = 32_768;

/** Milliseconds after which other work has its turn. */
const SLICE_MS = 10;

/**
 * Search the lines of an output, as they are shown, for a regular expression of RE2.
 *
 * Streams through the source, so memory is that of the matches; gives way to other work between
 * blocks.
 *
 * @param log The output, which may still grow: what it takes later is not searched.
 * @param expression By the syntax of RE2, which has neither look-around nor back-references.
 * @param options Where to look, how much that may cost, and what is shown of a match.
 * @returns The matching lines, what ended the search, and where to go on.
 * @throws {SyntaxError} If the expression is none: `Cannot search for "<expression>": <why>`.
 * @throws {TypeError} If a limit or an offset is none.
 * @throws {RangeError} If nobody knows the encoding.
 * @see {@link https://github.com/google/re2/wiki/Syntax} for the syntax.
 *
 * @example Find a line in the output of a command
 * ```ts
 * import { createRuntime, search, sourceOf } from "shellflow";
 *
 * await using runtime = await createRuntime({ rules: { allow: ["Bash(seq *)"] } });
 * const { taskId } = await runtime.run("seq 100000");
 * const log = runtime.output(taskId);
 * if (log === undefined) throw new Error("it did not run");
 * const { matches } = await search(sourceOf(log), "^4[0]+2$", { after: 1 });
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
  checkLimits("search", amountsOf(options));
  checkLimits("search", { timeoutMs: options.timeoutMs }, { fractions: true });
  const find = finderOf(expression, options);
  const source = snapshotOf(log);
  const clock = options.clock ?? systemClock;
  const deadline = clock.monotonic() + (options.timeoutMs ?? 5000);
  const from = Math.min(options.from ?? 0, source.total);
  const end = Math.min(options.to ?? Infinity, source.total);
  const start = await windowStart(source, from, options);
  // From the offset that was asked for, which a sequence that begins before it must not use up.
  const asked = Math.max(start, from);
  const limit = Math.min(end, asked + Math.max(LONGEST, options.maxBytes ?? 268_435_456));
  const matches = new Matches(find, {
    before: options.before ?? 0,
    after: options.after ?? 0,
    maxMatches: options.maxMatches ?? 100,
    maxLineChars: options.maxLineChars ?? 500,
    maxChars: options.maxChars ?? 1_000_000,
    firstLine: from === 0 ? 1 : null,
  });
  const gaps: ByteRange[] = [];
  let view = new TextView({ ...options, from: start });
  const characters = new WholeCharacters(options);
  let at = from;
  let scannedBytes = 0;
  let late = false;
  let unchecked = 0;
  let nextTurn = clock.monotonic() + SLICE_MS;
  const look = (lines: readonly ViewLine[]): void => {
    for (const line of lines) {
      if (matches.full || late) return;
      // An expression may cost a microsecond for each character, so blocks are no measure of time.
      unchecked += line.text.length;
      // The first line is looked at in any case, lest a search that goes on begin with it again.
      if (unchecked > 4096 && at > from) {
        unchecked = 0;
        late = clock.monotonic() >= deadline;
      }
      if (late) return;
      at = line.to;
      matches.look(line);
    }
  };
  for await (const block of blocks(source, { from: start, to: limit, blockBytes: BLOCK })) {
    options.signal?.throwIfAborted();
    if (block.bytes !== undefined) {
      scannedBytes += block.bytes.length;
      look(view.push(characters.push(block.bytes)));
    } else {
      look([...view.push(characters.end()), ...view.end()]);
      if (matches.full || late) break;
      gaps.push({ from: block.from, to: block.to });
      matches.gap();
      view = new TextView({ ...options, from: block.to });
      at = block.to;
    }
    const now = clock.monotonic();
    // Not before there is something whole to show, and to go on after.
    late ||= now >= deadline && (at > from || block.to >= asked + LONGEST);
    if (matches.full || late) break;
    if (now < nextTurn) continue;
    await turn(clock);
    nextTurn = clock.monotonic() + SLICE_MS;
  }
  let endedBy: SearchResult["endedBy"] = late ? "time" : limit < end ? "bytes" : "end";
  if (matches.full) endedBy = matches.spent ? "chars" : "matches";
  else if (endedBy === "end") {
    // A character that the end of the range cuts is not shown, and one that nothing follows is broken.
    if (limit === source.total) look(view.push(characters.end()));
    look(view.end());
    at = limit;
  } else if (at === from) {
    // A line that is cut is left to the search that goes on, unless it is all there was.
    late = false;
    const { at: to } = view;
    look(view.end());
    at = to;
  }
  return {
    matches: matches.found({
      newlines: from === 0 && endedBy === "end" && end === source.total ? source.lines : undefined,
    }),
    truncated: endedBy !== "end",
    endedBy,
    scannedBytes,
    to: at,
    clampedLines: matches.clampedLines,
    gaps: joined(gaps),
  };
}

function amountsOf(options: SearchOptions): Readonly<Record<string, number | undefined>> {
  const { from, to, before, after, maxMatches, maxBytes } = options;
  const { maxLineChars, maxChars, maxColumns } = options;
  const range = { from, to, before, after };
  return { ...range, maxMatches, maxBytes, maxLineChars, maxChars, maxColumns };
}

/** Let other work go first. */
function turn(clock: Clock): Promise<void> {
  return new Promise((resolve) => clock.after(0, resolve));
}
