import { Command, InvalidArgumentError } from "commander";
import { excerpt } from "../../output/text/excerpt/excerpt.ts";
import { type Lines, lines } from "../../output/text/lines.ts";
import { search, type SearchResult } from "../../output/text/search/search.ts";
import { blocks } from "../../output/text/blocks.ts";
import type { DecodingOptions } from "../../output/text/view/text-decoding.ts";
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
  /** Inclusive. */
  readonly last: number;
}

/** `shellflow read`: what a command wrote, from the file that holds it, from a log or from its owner. */
export function readCommand(exit: (code: number) => void): Command {
  return new Command("read")
    .description("Show what a command wrote: an excerpt of it, a part, or the lines that match.")
    .argument("<path>", "the file with the output, or the log in which the task is")
    .argument("[task]", "which task of the log")
    .option("--from <byte>", "from this byte on", count)
    .option("--lines <a:b>", "these lines, counted from 1", lineRange)
    .option("--grep <expression>", "the lines that match, by the syntax of RE2")
    .option("--context <n>", "with as many lines around each match", count)
    .option("--encoding <label>", "how its bytes are text; utf-8 when absent")
    .option("--raw", "print the bytes as they are")
    .option("--json", "print one JSON object")
    .action(async (path: string, task: string | undefined, options: Options) => {
      const bytes = task === undefined
        ? await openFileBytes(path)
        : await openTaskOutput(path, task);
      try {
        await show(bytes, options);
      } finally {
        await bytes.close();
      }
      exit(0);
    });
}

async function show(bytes: OpenBytes, options: Options): Promise<void> {
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
    return await print(part, linesText(part, bytes.total));
  }
  const taken = await excerpt(bytes, { ...decoding, footer: footerOf(bytes, decoding) });
  await print(taken, taken.text);
}

function placeOf(from: number, range: LineRange | undefined) {
  if (range === undefined) return { from };
  return { fromLine: range.first, maxLines: range.last - range.first + 1 };
}

/** Every byte that there is, in order, and where there are none a word on standard error. */
async function pass(bytes: OpenBytes, from: number): Promise<void> {
  for await (const block of blocks(bytes, { from, to: bytes.total })) {
    if (block.bytes !== undefined) await stdio.out(block.bytes);
    else await stdio.err(`[bytes ${block.from} to ${block.to} are lost]\n`);
  }
}

function footerOf({ total }: OpenBytes, { encoding }: DecodingOptions): string {
  const same = encoding === undefined ? "" : ` and the same --encoding`;
  return `[${total} bytes in all; read on with --lines A:B, --from BYTE or --grep EXPRESSION${same}]`;
}

function linesText(part: Lines, total: number): string {
  const text = part.lines.map((line) => `${line.text}\n`).join("");
  const lost = part.gaps.map(({ from, to }) => `[bytes ${from} to ${to} are lost]\n`).join("");
  const more = part.atEnd ? "" : `[read on with --from ${part.to} of ${total}]\n`;
  return text + lost + more;
}

function matchesText(found: SearchResult, apart: boolean): string {
  const { matches, endedBy, to, clampedLines } = found;
  const blocks = matches.map(({ line, offset, text, before, after }) => {
    const place = line ?? `byte ${offset}`;
    const around = (text: string) => `  ${text}\n`;
    return `${before.map(around).join("")}${place}: ${text}\n${after.map(around).join("")}`;
  });
  const more = endedBy === "end" ? "" : `[there may be more: search on with --from ${to}]\n`;
  const clamped = clampedLines === 0
    ? ""
    : `[of ${clampedLines} long lines only the beginning was looked at]\n`;
  const shown = blocks.length === 0 ? "[no line matches]\n" : blocks.join(apart ? "--\n" : "");
  return `${shown}${clamped}${more}`;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

function lineRange(text: string): LineRange {
  const [first, last] = (/^(\d+):(\d+)$/.exec(text) ?? []).slice(1).map(Number);
  if (first === undefined || last === undefined || first < 1 || last < first) {
    throw new InvalidArgumentError("It must be two numbers of lines such as 100:200.");
  }
  return { first, last };
}
