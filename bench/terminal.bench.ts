/**
 * How fast a terminal is read while its screen is kept, against node-pty reading and counting only.
 *
 *     node --import tsx bench/terminal.bench.ts [MB, 200 when absent] [runs, 5 when absent] [shape ...]
 *
 * Each figure comes from a fresh process, and the final screen is compared with that of a terminal
 * that was fed everything.
 */
import { createHash } from "node:crypto";
import { closeSync, mkdtempSync, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { hostTerminals } from "../src/platform/terminal/host-terminals.ts";
import { loadPty } from "../src/platform/terminal/load-pty.ts";
import type { TerminalSize } from "../src/platform/terminal/terminals.ts";
import { type Emulator, loadEmulator } from "../src/screen/emulator.ts";
import { Screen } from "../src/screen/screen.ts";
import { benchArguments } from "./arguments.ts";
import { ranCompiled } from "./compiled.ts";
import { type Case, interleaved, measure, median, ranCase, table } from "./harness.ts";

const SIZE: TerminalSize = { columns: 200, rows: 50 };
const ENV = { PATH: process.env["PATH"] ?? "", TERM: "xterm-256color" };
/** Memory above idle that no shape may need. */
const PEAK_MB = 64;

const TEXT = "the quick brown fox jumps over the lazy dog";
/** Each shape as blocks that are repeated; the number makes them differ. */
const SHAPES: Readonly<Record<string, (i: number) => string>> = {
  plain: (i) => `${i} ${TEXT} ${TEXT.slice(0, i % 40)}\n`,
  "SGR, reset": (i) => `\x1b[1;32m${i}\x1b[0m ${TEXT} \x1b[36m${TEXT.slice(0, i % 40)}\x1b[0m\n`,
  "SGR, no reset": (i) => `\x1b[32m${i}\x1b[39m ${TEXT} \x1b[1m${TEXT.slice(0, i % 40)}\x1b[22m\n`,
  frames: (i) => {
    const row = (j: number) =>
      `\x1b[m\x1b[39;49m${i + j} root 20 0 S ${i % 99}.${j} some-command\x1b[m\x1b[K\n`;
    return `\x1b[H${Array.from({ length: 49 }, (_, j) => row(j)).join("")}\x1b[J`;
  },
};

const cases: Readonly<Record<string, Case>> = { count, keep, everything };

/** The limit: node-pty, of which the bytes are counted and nothing else. */
async function count(file: string): Promise<Record<string, number>> {
  const { spawn } = await import("node-pty");
  const options = { cols: SIZE.columns, rows: SIZE.rows, cwd: "/", env: ENV, encoding: null };
  let bytes = 0;
  const start = performance.now();
  const terminal = spawn("cat", [file], options);
  // The types know text only.
  terminal.onData((chunk) => bytes += chunk.length);
  await new Promise<void>((resolve) => terminal.onExit(() => resolve()));
  return { bytes, ms: performance.now() - start };
}

async function keep(file: string): Promise<Record<string, number | string>> {
  const terminals = hostTerminals(await loadPty());
  const createEmulator = await loadEmulator();
  const screen = new Screen({ size: SIZE, createEmulator, answer: () => {} });
  let bytes = 0;
  const start = performance.now();
  await new Promise<void>((resolve) => {
    terminals.open({ file: "cat", args: [file], cwd: "/", env: ENV, size: SIZE }, {
      data: (chunk) => {
        bytes += chunk.length;
        screen.write(chunk);
      },
      end: resolve,
      exit: () => {},
    });
  });
  const { lines, styled = [], cursor } = screen.snapshot({ styled: true });
  const ms = performance.now() - start;
  return {
    bytes,
    ms,
    shown: hash({ lines: () => lines, styled: () => styled, cursor: () => cursor }),
  };
}

/** What the screen is to show: that of a terminal that is fed the whole file. */
async function everything(file: string): Promise<Record<string, number | string>> {
  const emulator = (await loadEmulator())(SIZE);
  const text = readFileSync(file, "latin1");
  let bytes = 0;
  for (let at = 0; at < text.length; at += 1e6) {
    const part = text.slice(at, at + 1e6).replaceAll("\n", "\r\n");
    bytes += part.length;
    emulator.write(part);
  }
  return { bytes, shown: hash(emulator) };
}

function hash({ lines, styled, cursor }: Pick<Emulator, "lines" | "styled" | "cursor">): string {
  const { row, column } = cursor();
  const shown = JSON.stringify([lines(), styled(), row, column]);
  return createHash("sha256").update(shown).digest("hex");
}

function write(file: string, block: (i: number) => string, bytes: number): void {
  const fd = openSync(file, "w");
  let i = 0;
  let written = 0;
  while (written < bytes) {
    let part = "";
    while (part.length < 1e6) part += block(i++);
    written += writeSync(fd, part);
  }
  closeSync(fd);
}

function main(mb: number, runs: number, names: readonly string[]): void {
  const self = fileURLToPath(import.meta.url);
  const directory = mkdtempSync(join(tmpdir(), "bench-"));
  const rows: string[][] = [];
  try {
    for (const [name, block] of Object.entries(SHAPES)) {
      if (!names.includes(name)) continue;
      const file = join(directory, "output");
      write(file, block, mb * 1e6);
      const { facts } = measure(self, "everything", file);
      const { ours, baseline, ratio } = interleaved(
        runs,
        () => measure(self, "keep", file),
        () => measure(self, "count", file),
      );
      const right = ours.every((run) =>
        run.facts["bytes"] === facts["bytes"] && run.facts["shown"] === facts["shown"]
      );
      const peak = Math.max(...ours.map(({ peakMb }) => peakMb));
      const rate = (all: typeof ours) => (mb * 1e3 / median(all.map(({ ms }) => ms))).toFixed(0);
      const own = (all: typeof ours) => median(all.map((run) => run.processorMs)).toFixed(0);
      const lost = baseline.filter((run) => run.facts["bytes"] !== facts["bytes"]).length;
      rows.push([
        name,
        rate(ours),
        rate(baseline),
        ratio.toFixed(2),
        own(ours),
        own(baseline),
        `${peak.toFixed(0)}${peak > PEAK_MB ? " (too much)" : ""}`,
        right ? "yes" : "NO",
        `${lost} of ${runs}`,
      ]);
    }
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
  process.stdout.write(
    table([
      `${mb} MB`,
      "MB/s",
      "node-pty MB/s",
      "ratio",
      "own processor ms",
      "of node-pty",
      "peak MB above idle",
      "screen right",
      "node-pty lost bytes in",
    ], rows) + "\n",
  );
}

if (!ranCompiled(import.meta.url) && !await ranCase(cases)) {
  const { numbers: [mb = 0, runs = 0], words } = benchArguments(
    { MB: 200, runs: 5 },
    Object.keys(SHAPES),
  );
  main(mb, runs, words);
}
