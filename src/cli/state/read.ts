import { Command, InvalidArgumentError } from "commander";
import { readOn } from "../../output/read-on.ts";
import { excerpt } from "../../output/text/excerpt/excerpt.ts";
import { type Lines, lines } from "../../output/text/lines.ts";
import { search, type SearchResult } from "../../output/text/search/search.ts";
import { blocks } from "../../output/text/blocks.ts";
import type { ByteRange } from "../../output/text/source.ts";
import { openFileBytes } from "../../platform/file/file-bytes.ts";
import { stdio } from "../../platform/stdio.ts";
import { count } from "../options.ts";
import type { OpenBytes } from "./recorded-output.ts";
import { openTaskOutput } from "./task-output.ts";

interface Options {
  readonly from?: number;
  readonly lines?: LineRange;
  readonly grep?: string;
  readonly context?: number;
  readonly encoding?: string;
  readonly raw?: boolean;
  readonly json?: boolean;
}

interface LineRange {
  readonly first: number;
  /** Inclusive; absent: so many as are shown at a time. */
  readonly last?: number;
}

/** `shellflow read`: what a command wrote, from the file that holds it, from a log or from its owner. */
export function readCommand(exit: (code: number) => void): Command {
  return new Command("read")
    .description("Show what a command wrote: an excerpt of it, a part, or the lines that match.")
    .argument("<path>", "the file with the output, or the log in which the task is")
    .argument("[task]", "which task of the log")
    .option("--from <byte>", "from this byte on", count)
    .option("--lines <a:b>", "these lines, counted from 1; with a: from that one on", lineRange)
    .option("--grep <expression>", "the lines that match, by the syntax of RE2")
    .option("--context <n>", "with as many lines around each match", count)
    .option("--encoding <label>", "how its bytes are text; utf-8 when absent")
    .option("--raw", "print the bytes as they are")
    .option("--json", "print one JSON object")
    .action(async (path: string, task: string | undefined, options: Options, command: Command) => {
      const clash = clashOf(options);
      if (clash !== undefined) command.error(`error: ${clash}`);
      const bytes = task === undefined
        ? await openFileBytes(path)
        : await openTaskOutput(path, task);
      try {
        await show(bytes, task === undefined ? [path] : [path, task], options);
      } finally {
        await bytes.close();
      }
      exit(0);
    });
}

async function show(bytes: OpenBytes, words: readonly string[], options: Options): Promise<void> {
  const { from = 0, lines: range, grep, context = 0, raw = false, json = false } = options;
  const decoding = options.encoding === undefined ? {} : { encoding: options.encoding };
  if (raw) return await pass(bytes, from);
  const print = async (value: object, text: string) =>
    await stdio.out(json ? `${JSON.stringify(value)}\n` : ended(text));
  if (grep !== undefined) {
    const around = { before: context, after: context };
    const found = await search(bytes, grep, { ...decoding, ...around, from });
    return await print(found, matchesText(found, context > 0));
  }
  if (range !== undefined || options.from !== undefined) {
    const part = await lines(bytes, { ...decoding, ...placeOf(from, range) });
    return await print(part, linesText(part, { from, range, total: bytes.total }));
  }
  const taken = await excerpt(bytes, {
    ...decoding,
    footer: (next) =>
      `[${bytes.total} bytes in all; read on with: ${readOn(words, { ...next, ...decoding })}, ` +
      `or with --from BYTE or --grep EXPRESSION]`,
  });
  await print(taken, taken.text);
}

function placeOf(from: number, range: LineRange | undefined) {
  if (range === undefined) return { from };
  const { first, last } = range;
  return { fromLine: first, ...(last !== undefined && { maxLines: last - first + 1 }) };
}

/** What is wrong with the options together: each of them decides alone what is shown. */
function clashOf({ lines, from, grep, context, encoding, raw, json }: Options): string | undefined {
  const given = {
    lines: lines && `--lines ${lines.first}:${lines.last ?? ""}`,
    from: from !== undefined && `--from ${from}`,
    grep: grep !== undefined && `--grep "${grep}"`,
    context: context !== undefined && `--context ${context}`,
    encoding: encoding !== undefined && `--encoding "${encoding}"`,
    raw: raw === true && "--raw",
    json: json === true && "--json",
  };
  const one = (
    option: string | false | undefined,
    others: readonly (string | false | undefined)[],
    why: string,
  ) => {
    const other = others.find((other) => typeof other === "string");
    return option && other ? `${other} with ${option}, ${why}` : undefined;
  };
  const { grep: search, context: around } = given;
  return one(given.lines, [given.from, search], "which tells by itself which lines to show") ??
    one(given.raw, [given.lines, search, given.encoding, given.json], "which prints bytes") ??
    (around && !search
      ? `${around} without --grep, around whose matches lines are shown`
      : undefined);
}

/** Every byte that there is, in order, and where there are none a word on standard error. */
async function pass(bytes: OpenBytes, from: number): Promise<void> {
  let lost: ByteRange | undefined;
  for await (const block of blocks(bytes, { from, to: bytes.total })) {
    if (block.bytes === undefined) {
      lost = { from: lost?.from ?? block.from, to: block.to };
      continue;
    }
    if (lost !== undefined) await stdio.err(lostText(lost));
    lost = undefined;
    await stdio.out(block.bytes);
  }
  if (lost !== undefined) await stdio.err(lostText(lost));
}

interface Asked {
  readonly from: number;
  readonly range: LineRange | undefined;
  readonly total: number;
}

function linesText(part: Lines, { from, range, total }: Asked): string {
  const rows = part.lines.map(({ from, text }) => ({ offset: from, text: `${text}\n` }));
  const more = part.atEnd ? "" : `[read on with --from ${part.to} of ${total}]\n`;
  return `${inOrder(rows, part.gaps)}${more}${shortText(part, { from, range, total })}`;
}

/** What there is none of, although it was asked for. */
function shortText({ totalLines, gaps, lines }: Lines, { from, range, total }: Asked): string {
  if (range === undefined) {
    return from > total ? `[there is no byte ${from}: there are ${total} bytes]\n` : "";
  }
  if (gaps.some(({ from }) => from < (lines[0]?.from ?? Infinity))) {
    return "[lines were counted without those that are lost]\n";
  }
  if (totalLines === null) return "";
  const missing = range.first > totalLines ? range.first : range.last;
  if (missing === undefined || missing <= totalLines) return "";
  return `[there is no line ${missing}: there are ${totalLines} lines]\n`;
}

function matchesText(found: SearchResult, apart: boolean): string {
  const { matches, gaps, endedBy, to, clampedLines } = found;
  const rows = matches.map(({ line, offset, text, before, after }, i) => {
    const place = line ?? `byte ${offset}`;
    const around = (text: string) => `  ${text}\n`;
    const row = `${before.map(around).join("")}${place}: ${text}\n${after.map(around).join("")}`;
    return { offset, text: apart && i > 0 ? `--\n${row}` : row };
  });
  const more = endedBy === "end" ? "" : `[there may be more: search on with --from ${to}]\n`;
  const clamped = clampedLines === 0
    ? ""
    : `[of ${clampedLines} long lines only the beginning was looked at]\n`;
  const none = rows.length === 0 ? "[no line matches]\n" : "";
  return `${inOrder(rows, gaps)}${none}${clamped}${more}`;
}

/** Rows with what is lost between them, each at its place. */
function inOrder(
  rows: readonly { readonly offset: number; readonly text: string }[],
  gaps: readonly ByteRange[],
): string {
  const lost = gaps.map((gap) => ({ offset: gap.from, text: lostText(gap) }));
  return [...rows, ...lost].sort((a, b) => a.offset - b.offset).map(({ text }) => text).join("");
}

function lostText({ from, to }: ByteRange): string {
  return `[bytes ${from} to ${to} are lost]\n`;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function lineRange(text: string): LineRange {
  const [, from = "", to = ""] = /^(\d+):(\d*)$/.exec(text) ?? [];
  const [first, last] = [Number(from), to === "" ? undefined : Number(to)];
  if (first < 1 || (last !== undefined && last < first)) {
    throw new InvalidArgumentError("It must be two numbers of lines such as 100:200, or 100:.");
  }
  return { first, ...(last !== undefined && { last }) };
}
