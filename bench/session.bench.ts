/**
 * What a shell that lives on saves: a warm `echo hi` through the whole runtime against a bare marker
 * loop over a persistent bash and against a fresh process, and 1 GiB written inside the shell.
 *
 *     node --import tsx bench/session.bench.ts [pairs, 7 when absent] [MiB, 1024 when absent]
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { createRuntime } from "../src/runtime/create.ts";
import type { RunOptions } from "../src/runtime/call/request.ts";
import { bash } from "../src/shell/bash.ts";
import { benchArguments } from "./arguments.ts";
import { ranCompiled } from "./compiled.ts";
import { median, table } from "./harness.ts";

if (ranCompiled(import.meta.url)) process.exit();
const { numbers: [pairs = 0, mebibytes = 0] } = benchArguments({ pairs: 7, MiB: 1024 });
const LINE = "echo hi";
const WARM = 300;
const UNTIL_WARM = 3_000;
const COLD = 30;

const runtime = await createRuntime({ mode: "bypass", output: { spill: false } });
await warm();
await throughput();
await runtime.close();
process.exit();

async function warm(): Promise<void> {
  const loop = markerLoop();
  const ours = () => trusted(async () => (await runtime.run(LINE, kept())).output);
  const marked = () => trusted(() => loop.run(LINE));
  const cold = () => trusted(fresh);
  // Until compilers have done with what every command passes.
  for (let i = 0; i < UNTIL_WARM; i++) {
    await ours();
    await marked();
  }
  const rows: { ours: number; marked: number; cold: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    const row = { ours: 0, marked: 0, cold: 0 };
    const turns = [
      async () => void (row.marked = await timed(marked, WARM)),
      async () => void (row.ours = await timed(ours, WARM)),
      async () => void (row.cold = await timed(cold, COLD)),
    ];
    for (const turn of pair % 2 === 0 ? turns : turns.reverse()) await turn();
    rows.push(row);
  }
  loop.end();
  const row = (name: string, key: "ours" | "marked" | "cold") => [
    name,
    median(rows.map((row) => row[key])).toFixed(3),
    median(rows.map((row) => row.ours / row[key])).toFixed(2),
  ];
  print(`"${LINE}", one after the other, median of ${pairs} interleaved rounds`, [
    ["", "ms each", "the runtime takes, times this"],
    row("bare marker loop over a persistent bash", "marked"),
    row("the whole runtime, in a session's shell", "ours"),
    row("bare child_process.spawn of a fresh bash", "cold"),
  ]);
}

async function throughput(): Promise<void> {
  const line = "y".repeat(79);
  const command = `yes ${line} | head -c ${mebibytes}M`;
  const run = async (options: RunOptions) => {
    const start = performance.now();
    const running = runtime.start(command, options);
    const output = await running.output;
    await running.result;
    if (output?.total !== mebibytes * 2 ** 20) {
      throw new Error(`Cannot trust this bench: ${output?.total} bytes came`);
    }
    return mebibytes / (performance.now() - start) * 1e3;
  };
  const rates: { shell: number; process: number }[] = [];
  for (let pair = 0; pair < pairs; pair++) {
    if (pair % 2 === 0) {
      const process = await run({ executor: "process" });
      rates.push({ process, shell: await run(kept()) });
    } else {
      const shell = await run(kept());
      rates.push({ shell, process: await run({ executor: "process" }) });
    }
  }
  print(`${mebibytes} MiB of 80-column lines, bounded retention, median of ${pairs} pairs`, [
    ["", "MiB/s", "times the process"],
    ["in a process of its own", median(rates.map(({ process }) => process)).toFixed(0), "1.00"],
    [
      "in the session's shell",
      median(rates.map(({ shell }) => shell)).toFixed(0),
      median(rates.map(({ shell, process }) => shell / process)).toFixed(2),
    ],
  ]);
}

function kept(): RunOptions {
  return { sessionId: "bench", executor: "shell" };
}

async function trusted(run: () => Promise<string>): Promise<void> {
  const output = await run();
  if (output !== "hi\n") throw new Error(`Cannot trust this bench: it wrote "${output}"`);
}

/** Milliseconds for each of a row of commands. */
async function timed(run: () => Promise<void>, count: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++) await run();
  return (performance.now() - start) / count;
}

/** As little as it takes: one pipe for everything, and a line that tells where a command ended. */
function markerLoop() {
  const child = spawn("bash", ["--noprofile", "--norc"], { stdio: ["pipe", "pipe", "ignore"] });
  const mark = `done-${Math.random().toString(36).slice(2)}`;
  let text = "";
  let ended: (output: string) => void = () => {};
  child.stdout.setEncoding("utf8").on("data", (chunk: string) => {
    text += chunk;
    const at = text.indexOf(mark);
    const end = text.indexOf("\n", at);
    if (at < 0 || end < 0) return;
    const output = text.slice(0, at);
    text = text.slice(end + 1);
    ended(output);
  });
  return {
    run: (command: string) =>
      new Promise<string>((resolve) => {
        ended = resolve;
        child.stdin.write(`${command}\nprintf '${mark} %d\\n' $?\n`);
      }),
    end: () => child.stdin.end(),
  };
}

function fresh(): Promise<string> {
  return new Promise((resolve) => {
    const child = spawn("bash", bash.run(LINE), {
      stdio: ["ignore", "pipe", "ignore"],
      detached: true,
    });
    let output = "";
    child.stdout.on("data", (chunk) => output += chunk);
    child.on("close", () => resolve(output));
  });
}

function print(title: string, [headings = [], ...rows]: readonly (readonly string[])[]): void {
  process.stdout.write(`\n${title}\n\n${table(headings, rows)}\n`);
}
