/**
 * How much keeping output costs, against limits that are measured in the same run.
 *
 *     node --import tsx bench/output.bench.ts [MiB, 1024 when absent] [runs, 7 when absent] [section ...]
 *
 * Sections: `memory`, `spill`, `shapes`, `readers`; all when none is named. With the
 * variable BENCH_NATIVE by native calls.
 */
import { spawn, spawnSync } from "node:child_process";
import { mkdtempSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";
import { lastValueFrom, of } from "rxjs";
import type { EnvBuilt } from "../src/event/env.ts";
import { EnvValues } from "../src/event/env-values.ts";
import { execute } from "../src/execution/execute.ts";
import { processExecutor } from "../src/execution/process/process-executor.ts";
import { buffer } from "../src/output/buffer.ts";
import type { ByteLog } from "../src/output/byte-log.ts";
import { ByteLogs } from "../src/output/byte-logs.ts";
import { loadNativeCalls } from "../src/platform/native/load-native-calls.ts";
import { systemClock } from "../src/platform/clock.ts";
import { hostProcesses } from "../src/platform/process/host-processes.ts";
import { spillFiles } from "../src/platform/file/spill-files.ts";
import { benchArguments } from "./arguments.ts";
import { ranCompiled } from "./compiled.ts";
import {
  type Case,
  interleaved,
  measure,
  type Measured,
  median,
  ranCase,
  table,
} from "./harness.ts";

const MIB = 2 ** 20;
const SPEED = ["MB/s", "own processor ms", "peak MB above idle"];
const LINE = "the quick brown fox jumps over the lazy dog 0123456789 and then 80 columns end";

/** Memory above idle that no shape may need. */
const PEAK_MB = 64;

/** Each shape as a shell command that writes so many bytes of it. */
const SHAPES: Readonly<Record<string, (bytes: number) => string>> = {
  lines: (bytes) => `yes '${LINE} ' | head -c ${bytes}`,
  "one line": (bytes) => `head -c ${bytes} /dev/zero | tr '\\0' x`,
  "\\r frames": (bytes) => `yes '${LINE} ' | tr '\\n' '\\r' | head -c ${bytes}`,
  "single writes": (bytes) =>
    `for ((i = 0; i < ${Math.floor(bytes / 50)}; i++)); do echo '${LINE.slice(0, 49)}'; done`,
  "1-byte writes": (bytes) => `yes '${"é€😀".repeat(9)}' | head -c ${bytes} | dd bs=1 status=none`,
  random: (bytes) =>
    `openssl enc -aes-128-ctr -K 00 -iv 00 -in /dev/zero 2>/dev/null | head -c ${bytes}`,
};

const cases: Readonly<Record<string, Case>> = {
  count: bareCount,
  keep: (command) => keep(command, false),
  spill: (command) => keep(command, true),
  verify,
  redirect: (command) => toFile((file) => `{ ${command}; } > ${file}`),
  // What a program in C reaches that reads the same pipe and writes the same file.
  dd: (command) => toFile((file) => `{ ${command}; } | dd bs=64k status=none > ${file}`),
  readers,
};

/** The limit: a child process of which the bytes are counted and nothing else. */
function bareCount(command: string): Promise<Record<string, number>> {
  return new Promise((resolve) => {
    let bytes = 0;
    const start = performance.now();
    const child = spawn("bash", ["-c", command], { stdio: ["ignore", "pipe", "ignore"] });
    child.stdout.on("data", (chunk) => {
      bytes += chunk.length;
    });
    child.on("close", () => resolve({ bytes, ms: performance.now() - start }));
  });
}

/** The same through executor, byte log and buffer stage. */
async function keep(command: string, spilling: boolean): Promise<Record<string, number>> {
  return await throughLog(command, { spilling, ended: (log) => ({ bytes: log.total }) });
}

/** Whether what was kept is what was written. */
async function verify(command: string): Promise<Record<string, number | string>> {
  return await throughLog(command, {
    spilling: true,
    ended: (log) => {
      // By another process: to read it all here would take more memory than to keep it did.
      const { stdout } = spawnSync("sha256sum", [log.path ?? ""], { encoding: "utf8" });
      return { bytes: log.total, omitted: log.omitted, sha256: stdout.slice(0, 64) };
    },
  });
}

interface Through<Facts> {
  readonly spilling?: boolean;
  readonly subscribe?: (log: ByteLog) => void;
  readonly ended: (log: ByteLog) => Facts | Promise<Facts>;
}

async function throughLog<Facts extends object>(
  command: string,
  { spilling = false, subscribe = () => {}, ended }: Through<Facts>,
): Promise<Facts & { ms: number }> {
  const directory = mkdtempSync(join(tmpdir(), "bench-"));
  const logs = new ByteLogs({
    clock: systemClock,
    quotaBytes: 2 ** 40,
    ...(spilling && { spill: { files: spillFiles(join(directory, "out")) } }),
  });
  const native = process.env["BENCH_NATIVE"] === undefined ? undefined : await loadNativeCalls();
  const processes = hostProcesses("bench", { ...(native && { native }) });
  const executor = processExecutor({ processes, clock: systemClock, runtimeId: "bench" });
  const built: EnvBuilt = {
    type: "env.built",
    commandId: "c1",
    invocation: {
      command,
      file: "bash",
      args: ["-c", command],
      cwd: process.cwd(),
      env: new EnvValues({ PATH: process.env["PATH"] ?? "" }),
      executor: "process",
      limits: {},
    },
    dropped: [],
  };
  try {
    logs.whenOpen("c1", subscribe);
    const start = performance.now();
    await lastValueFrom(
      of(built).pipe(execute({ executor, sinks: logs }), buffer({ logs, clock: systemClock })),
    );
    const log = logs.get("c1");
    if (log === undefined) throw new Error(`Cannot run "${command}": it was not started`);
    await log.flushed();
    const ms = performance.now() - start;
    return { ...await ended(log), ms };
  } finally {
    await executor.close();
    await logs.close();
    rmSync(directory, { recursive: true });
  }
}

/** The limits of a spill: the shell writes the file, without us and without a byte that passes by us. */
function toFile(script: (file: string) => string): Promise<Record<string, number>> {
  const directory = mkdtempSync(join(tmpdir(), "bench-"));
  const file = join(directory, "out");
  return new Promise((resolve) => {
    const start = performance.now();
    const child = spawn("bash", ["-c", script('"$0"'), file], { stdio: "ignore" });
    child.on("close", () => {
      const ms = performance.now() - start;
      const bytes = statSync(file).size;
      rmSync(directory, { recursive: true });
      resolve({ bytes, ms });
    });
  });
}

/** A command's lines kept in memory, with subscribers of which all but one read 4 KiB at each notice. */
async function readers(argument: string): Promise<Record<string, number>> {
  const [count = 0, size = 0] = argument.split(" ").map(Number);
  let notices = 0;
  let read = 0;
  const subscribe = (log: ByteLog) => {
    for (let i = 0; i < count - 1; i++) {
      log.follow().subscribe(({ to }) => {
        notices++;
        read += log.peek(Math.max(0, to - 4096), to)?.length ?? 0;
      });
    }
    // This one takes a piece, and no more.
    if (count > 0) void log.pieces().next();
  };
  const command = SHAPES["lines"]?.(size) ?? "";
  const facts = await throughLog(command, { subscribe, ended: (log) => ({ bytes: log.total }) });
  return { ...facts, notices, read };
}

const self = fileURLToPath(import.meta.url);
if (!ranCompiled(import.meta.url) && !(await ranCase(cases))) {
  const { numbers: [mib = 0, runs = 0], words } = benchArguments(
    { MiB: 1024, runs: 7 },
    ["memory", "spill", "shapes", "readers"],
  );
  const wants = (section: string) => words.includes(section);
  const bytes = mib * MIB;
  const print = (text: string) => process.stdout.write(text + "\n");
  if (wants("memory")) print(versus("keep", "count", bytes, runs));
  if (wants("spill")) {
    print(versus("spill", "redirect", bytes, runs));
    print(versus("spill", "dd", bytes, runs));
  }
  if (wants("shapes")) print(shapes(mib));
  if (wants("readers")) print(subscribers(bytes, runs));
}

function versus(ours: string, baseline: string, bytes: number, runs: number): string {
  const command = SHAPES["lines"]?.(bytes) ?? "";
  const pair = interleaved(
    runs,
    () => counted(measure(self, ours, command), bytes),
    () => counted(measure(self, baseline, command), bytes),
  );
  const text = table([`${bytes / MIB} MiB of lines`, ...SPEED], [
    speed(ours, bytes, pair.ours),
    speed(baseline, bytes, pair.baseline),
  ]);
  return `${text}\n${ours} is ${
    pair.ratio.toFixed(2)
  } times as fast as ${baseline} (median of ${runs} pairs)\n`;
}

function speed(name: string, bytes: number, measured: readonly Measured[]): readonly string[] {
  return [
    name,
    (bytes / 1e3 / median(measured.map(({ ms }) => ms))).toFixed(0),
    median(measured.map(({ processorMs }) => processorMs)).toFixed(0),
    Math.max(...measured.map(({ peakMb }) => peakMb)).toFixed(1),
  ];
}

function counted(measured: Measured, bytes: number): Measured {
  if (measured.facts["bytes"] === bytes) return measured;
  throw new Error(`Cannot trust this run: ${measured.facts["bytes"]} bytes instead of ${bytes}`);
}

/** Time at 1, 10 and 100 MB, and at 1 GB where the writer is quick; memory, and whether every byte is exact. */
function shapes(most: number): string {
  const sizes = [1, 10, 100, 1000].filter((size) => size <= most);
  const rows = Object.entries(SHAPES).map(([name, shape]) => {
    // Writing single lines or bytes takes the writer seconds: 100 MB stand for 200 000 lines or 10 MB.
    const slow = name.endsWith(" writes");
    const measured = sizes.filter((size) => !slow || size < 1000).map((size) => {
      const command = shape(slow ? size * 1e5 : size * 1e6);
      const { ms, peakMb, facts } = measure(self, "verify", command);
      const exact = facts["omitted"] === 0 && facts["sha256"] === digest(command);
      return { ms, peakMb, exact };
    });
    const peak = Math.max(...measured.map(({ peakMb }) => peakMb));
    return [
      slow ? `${name} (a tenth)` : name,
      ...sizes.map((_, i) => measured[i]?.ms.toFixed(0) ?? "-"),
      `${peak.toFixed(1)}${peak > PEAK_MB ? " TOO MUCH" : ""}`,
      measured.every(({ exact }) => exact) ? "yes" : "NO",
    ];
  });
  return table(["ms, with spill", ...sizes.map((s) => `${s} MB`), "peak MB", "exact"], rows) + "\n";
}

/** What the shell says that the command writes. */
function digest(command: string): string {
  const sum = spawnSync("bash", ["-c", `{ ${command}; } | sha256sum`], { encoding: "utf8" });
  return sum.stdout.slice(0, 64);
}

function subscribers(bytes: number, runs: number): string {
  const pair = interleaved(
    runs,
    () => counted(measure(self, "readers", `100 ${bytes}`), bytes),
    () => counted(measure(self, "readers", `0 ${bytes}`), bytes),
  );
  const row = (name: string, measured: readonly Measured[]) => [
    ...speed(name, bytes, measured),
    `${median(measured.map(({ facts }) => Number(facts["notices"])))}`,
  ];
  const text = table([`${bytes / MIB} MiB of lines`, ...SPEED, "notices"], [
    row("100 subscribers, one stopped", pair.ours),
    row("none", pair.baseline),
  ]);
  return `${text}\nwith them it is ${
    pair.ratio.toFixed(2)
  } times as fast (median of ${runs} pairs)\n`;
}
