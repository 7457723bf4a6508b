/**
 * How much text costs: excerpts and windows of a log against the same of one a hundred times
 * shorter, the view and the search against what one would write without them.
 *
 *     node --import tsx bench/text.bench.ts [pairs, 7 when absent]
 *
 * Logs are in memory, 85 bytes to a line, every line different. All in one process, in turn.
 */
import process from "node:process";
import { stripVTControlCharacters } from "node:util";
import { excerpt } from "../src/text/excerpt/excerpt.ts";
import { memorySource } from "../test/text/sources.ts";
import { search } from "../src/text/search/search.ts";
import { TextView } from "../src/text/view/text-view.ts";
import { textView } from "../src/text/view/text-window.ts";
import { benchArguments } from "./arguments.ts";
import { ranCompiled } from "./compiled.ts";
import { median, table } from "./harness.ts";

if (ranCompiled(import.meta.url)) process.exit();
const MB = 1_000_000;
const CHUNK = 65_536;

const { numbers: [pairs = 0] } = benchArguments({ pairs: 7 });
const short = log(MB);
const long = log(100 * MB);

interface Comparison {
  readonly name: string;
  /** Times that a run repeats what it measures. */
  readonly times: number;
  /** Bytes that one time goes through, where a rate says anything. */
  readonly bytes?: number;
  readonly ours: () => unknown;
  readonly baseline: () => unknown;
}

/** The expected ratio is 1: a window costs what it is, not what the log is. */
const windows: readonly Comparison[] = [
  {
    name: "excerpt without the middle",
    times: 5,
    ours: () => excerptOf(long, 0),
    baseline: () => excerptOf(short, 0),
  },
  {
    name: "excerpt, 512 KB of the middle scanned",
    times: 5,
    ours: () => excerptOf(long, 524_288),
    baseline: () => excerptOf(short, 524_288),
  },
  {
    name: "view of the last 64 KiB",
    times: 50,
    ours: () => windowOf(long),
    baseline: () => windowOf(short),
  },
];

/**
 * Decoding and stripping a whole text is the least that a view does. It cannot be fed in chunks,
 * and leaves what returns and backspaces did.
 */
const rates: readonly Comparison[] = Object.entries(shapes()).flatMap(([name, bytes]) => [
  {
    name: `view, ${name}, against decode + strip + split`,
    times: 1,
    bytes: bytes.length,
    ours: () => viewed(bytes),
    baseline: () => strip(bytes),
  },
]);

const searches: readonly Comparison[] = [
  { name: "search, alternatives", expression: "fatal|panic" },
  { name: "search, linear engine", expression: "fatal [0-9]+$" },
].map(({ name, expression }) => ({
  name: `${name}, against decode + split + RegExp`,
  times: 1,
  bytes: 4 * MB,
  ours: async () => {
    const source = memorySource(long.subarray(0, 4 * MB));
    const { matches, endedBy } = await search(source, expression, { timeoutMs: 60_000 });
    check(matches.length === 0 && endedBy === "end", "nothing is found in all of it");
  },
  baseline: () => {
    const lines = new TextDecoder().decode(long.subarray(0, 4 * MB)).split("\n");
    check(lines.every((line) => !new RegExp(expression).test(line)), "nothing to find");
  },
}));

for (const comparisons of [windows, rates, searches]) {
  const rows: string[][] = [];
  for (const comparison of comparisons) rows.push(await compared(comparison));
  process.stdout.write(`\n${table(["case", "ours", "baseline", "ours / baseline"], rows)}\n`);
}

async function compared({ name, times, bytes, ours, baseline }: Comparison): Promise<string[]> {
  const run = async (what: () => unknown): Promise<number> => {
    const start = performance.now();
    for (let i = 0; i < times; i++) await what();
    return (performance.now() - start) / times;
  };
  await run(ours);
  await run(baseline);
  const results: [number, number][] = [];
  for (let i = 0; i < pairs; i++) {
    const first = i % 2 === 0 ? await run(ours) : NaN;
    const theirs = await run(baseline);
    results.push([i % 2 === 0 ? first : await run(ours), theirs]);
  }
  const cell = (ms: number): string =>
    bytes === undefined ? `${ms.toFixed(2)} ms` : `${(bytes / 1000 / ms).toFixed(0)} MB/s`;
  return [
    name,
    cell(median(results.map(([ms]) => ms))),
    cell(median(results.map(([, ms]) => ms))),
    `${median(results.map(([ms, theirs]) => ms / theirs)).toFixed(2)} x the time`,
  ];
}

async function excerptOf(bytes: Uint8Array, maxScanBytes: number): Promise<void> {
  const { text, omitted, shown } = await excerpt(memorySource(bytes), { maxScanBytes });
  const sum = shown.head.to + omitted.bytes + shown.tail.to - shown.tail.from;
  check(sum === bytes.length, "what is shown and omitted is all");
  check(text.length <= 100_000 && text.split("\n").length <= 500, "the budget holds");
  check(text.endsWith(lastLine(bytes)), "the end is shown");
}

function windowOf(bytes: Uint8Array): void {
  const from = bytes.length - CHUNK;
  const { text, to } = textView(bytes.subarray(from), { from, last: true });
  check(to === bytes.length && text.trimEnd().endsWith(lastLine(bytes)), "the end is shown");
}

function viewed(bytes: Uint8Array): void {
  const view = new TextView();
  let lines = 0;
  for (let at = 0; at < bytes.length; at += CHUNK) {
    lines += view.push(bytes.subarray(at, at + CHUNK)).length;
  }
  lines += view.end().length;
  check(view.at === bytes.length && lines > 0, "all bytes were seen");
}

function strip(bytes: Uint8Array): void {
  const text = new TextDecoder().decode(bytes);
  const lines = stripVTControlCharacters(text).split("\n");
  check(lines.length > 0, "all bytes were seen");
}

function lastLine(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes.subarray(-40)).trimEnd().slice(-30);
}

function log(bytes: number): Uint8Array {
  const target = new Uint8Array(bytes);
  const encoder = new TextEncoder();
  let at = 0;
  for (let line = 0; at <= bytes - 100; line++) {
    const text =
      `${String(line).padStart(8, "0")} INFO server handled a request for /index.html in 12 ms` +
      ` and said goodbye ${line % 977}`.padEnd(26) + "\n";
    at += encoder.encodeInto(text, target.subarray(at)).written;
  }
  // The last bytes are one more line without a newline.
  const rest = target.lastIndexOf(0x0a) + 1;
  return target.fill(0x2e, rest);
}

function shapes(): Record<string, Uint8Array> {
  const line = "2026-11-21 12:00:00 some line of a log with 12345 in it\n";
  const encoder = new TextEncoder();
  const times = (text: string): Uint8Array =>
    encoder.encode(text.repeat(Math.ceil(8 * MB / text.length)));
  return {
    "plain lines": times(line),
    "lines with colours": times(`\x1b[32m${line.slice(0, 20)}\x1b[0m${line.slice(20)}`),
    "lines in UTF-8": times(`größer 世界 ${line}`),
    "one line of 8 MB": encoder.encode("x".repeat(8 * MB)),
    "frames of a progress bar": times("\r 50% [=========>         ] 12 MB/s eta 3s"),
  };
}

function check(holds: boolean, what: string): void {
  if (!holds) throw new Error(`Cannot trust this bench: it is not so that ${what}`);
}
