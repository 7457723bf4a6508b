import { Command, InvalidArgumentError, Option } from "commander";
import type { Cli } from "../cli.ts";
import { asUsage, count, UsageError } from "../option-values.ts";
import { beyondText, type LineRange, linesText } from "./read-text.ts";
import { openTaskOutput } from "../../runtime/state/task-output.ts";
import { messageOf } from "../../platform/failure.ts";
import { openFileBytes } from "../../platform/file/file-bytes.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { OpenBytes } from "../../runtime/state/recorded-output.ts";
import type { ByteRange } from "../../stream/byte-range.ts";
import { excerpt } from "../../text/excerpt/excerpt.ts";
import { lines } from "../../text/lines.ts";
import { readOn } from "../../text/read-on.ts";
import { lostText, searchText } from "../../text/search/search-text.ts";
import { search } from "../../text/search/search.ts";
import { blocks } from "../../text/source/blocks.ts";

/** `shellflow read`: what a command wrote, from the file that holds it, from a log or from its owner. */
export function readCommand({ stdio, exit }: Cli): Command {
  return new Command("read")
    .description("Show what a command wrote: an excerpt of it, a part, or the lines that match.")
    .argument("<path>", "the file with the output, or the log in which the task is")
    .argument("[task]", "which task of the log")
    .option("--from <byte>", "from this byte on", count)
    .addOption(
      new Option("--lines <a:b>", "these lines, counted from 1; with a: from that one on")
        .argParser(lineRange).conflicts(["from", "grep"]),
    )
    .option("--grep <expression>", "the lines that match, by the syntax of RE2")
    .option("--context <n>", "with as many lines around each match", count)
    .option("--encoding <label>", "how its bytes are text; utf-8 when absent")
    .addOption(
      new Option("--raw", "print the bytes as they are")
        .conflicts(["lines", "grep", "encoding", "json"]),
    )
    .option("--json", "print one JSON object")
    .action(
      async (
        path: string,
        task: string | undefined,
        options: ReadCommandOptions,
      ) => {
        if (options.context !== undefined && options.grep === undefined) {
          throw new UsageError(`Cannot use --context ${options.context}: it is for --grep`);
        }
        const bytes = task === undefined
          ? await openFileBytes(path).catch(askForTask)
          : await openTaskOutput(path, task);
        let isWhole = true;
        try {
          if (options.raw) isWhole = await pass(bytes, options.from ?? 0, stdio);
          else {
            const words = task === undefined ? [path] : [path, task];
            await asUsage(show(bytes, words, { ...options, stdio }));
          }
        } finally {
          await bytes.close();
        }
        exit(isWhole ? 0 : 1);
      },
    );
}

/** What is read of a log, which is a directory, is a task of it. */
function askForTask(cause: unknown): never {
  const message = messageOf(cause);
  const hint = /: it is a directory,/.test(message) ? "; name a task where it is a log" : "";
  throw new Error(`${message}${hint}`, { cause });
}

async function show(
  bytes: OpenBytes,
  words: readonly string[],
  options: ReadCommandOptions & { readonly stdio: Stdio },
): Promise<void> {
  const { stdio } = options;
  const { from = 0, lines: range, grep, context = 0, json = false } = options;
  const decoding = options.encoding === undefined ? {} : { encoding: options.encoding };
  const beyond = beyondText(from, bytes.total);
  const print = async (value: object, text: string) =>
    await stdio.out(json ? `${JSON.stringify(value)}\n` : ended(text));
  if (grep !== undefined) {
    const around = { before: context, after: context };
    const found = await search(bytes, grep, { ...decoding, ...around, from });
    const more = (to: number) => `there may be more: search on with --from ${to}`;
    return await print(found, `${searchText(found, { apart: context > 0, more })}${beyond}`);
  }
  if (range !== undefined || options.from !== undefined) {
    const part = await lines(bytes, { ...decoding, ...placeOf(from, range) });
    const asked = { range, total: bytes.total };
    return await print(part, `${linesText(part, asked)}${beyond}`);
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

/**
 * Print every byte that there is, in order, and where there are none a word on standard error; answers
 * whether none is lost, as the bytes do not show that.
 */
async function pass(bytes: OpenBytes, from: number, stdio: Stdio): Promise<boolean> {
  let isWhole = true;
  let lost: ByteRange | undefined;
  const beyond = beyondText(from, bytes.total);
  if (beyond !== "") await stdio.err(beyond);
  for await (const block of blocks(bytes, { from, to: bytes.total })) {
    if (block.bytes === undefined) {
      lost = { from: lost?.from ?? block.from, to: block.to };
      isWhole = false;
      continue;
    }
    if (lost !== undefined) await stdio.err(lostText(lost));
    lost = undefined;
    await stdio.out(block.bytes);
  }
  if (lost !== undefined) await stdio.err(lostText(lost));
  return isWhole;
}

function ended(text: string): string {
  return text === "" || text.endsWith("\n") ? text : `${text}\n`;
}

/** What `shellflow read` was given. */
interface ReadCommandOptions {
  readonly from?: number;
  readonly lines?: LineRange;
  readonly grep?: string;
  readonly context?: number;
  readonly encoding?: string;
  readonly raw?: boolean;
  readonly json?: boolean;
}

/** Read lines from the command line, such as `100:200` or `100:`. */
function lineRange(text: string): LineRange {
  const [, from = "", to = ""] = /^(\d+):(\d*)$/.exec(text) ?? [];
  const [first, last] = [Number(from), to === "" ? undefined : Number(to)];
  if (first < 1 || (last !== undefined && last < first)) {
    throw new InvalidArgumentError("It must be two numbers of lines such as 100:200, or 100:.");
  }
  return { first, ...(last !== undefined && { last }) };
}
