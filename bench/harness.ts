import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import process from "node:process";

/** What one run of a case came to. */
export interface Measured {
  readonly ms: number;
  /** What this process itself took of the processors: comparable on a busy machine, too. */
  readonly processorMs: number;
  /** Peak memory above what was in use before, in MB. */
  readonly peakMb: number;
  /** What the case itself counted, hashed or timed. */
  readonly facts: Readonly<Record<string, number | string>>;
}

/** A case, run in a process of its own: it answers what it counted. */
export type Case = (argument: string) => Promise<Readonly<Record<string, number | string>>>;

/**
 * Run the case that the command line asks for, when this process was started for one.
 *
 * @returns Whether it was; then there is nothing else to do.
 */
export async function ranCase(cases: Readonly<Record<string, Case>>): Promise<boolean> {
  const [flag, name = "", argument = ""] = process.argv.slice(2);
  if (flag !== "--case") return false;
  const run = cases[name];
  if (run === undefined) throw new Error(`Cannot run the case "${name}": there is none`);
  const idle = startPeak();
  const before = process.cpuUsage();
  const start = performance.now();
  const facts = await run(argument);
  const { user, system } = process.cpuUsage(before);
  const ms = typeof facts["ms"] === "number" ? facts["ms"] : performance.now() - start;
  const processorMs = (user + system) / 1e3;
  const measured: Measured = { ms, processorMs, peakMb: (peakKb() - idle) / 1024, facts };
  await new Promise<void>((done) =>
    process.stdout.write(JSON.stringify(measured) + "\n", () => done())
  );
  return true;
}

/** Run a case of a bench file, on Node a compiled one, in a fresh process. */
export function measure(file: string, name: string, argument: string): Measured {
  const runtime = "Deno" in globalThis ? ["run", "-A", "--no-check"] : [];
  const { stdout, stderr, status } = spawnSync(
    process.execPath,
    [...runtime, file, "--case", name, argument],
    { encoding: "utf8", maxBuffer: 2 ** 28 },
  );
  if (status !== 0) throw new Error(`Cannot measure "${name}": it ended with ${status}\n${stderr}`);
  return JSON.parse(stdout.trimEnd().split("\n").at(-1) ?? "");
}

/** Two cases measured in turn, so that a machine that is busy for a while is so for both. */
export interface Pair {
  readonly ours: readonly Measured[];
  readonly baseline: readonly Measured[];
  /** The median of the ratios of neighbours: above 1 ours is faster. */
  readonly ratio: number;
}

/** Measure two cases `count` times each, alternating which of them is first. */
export function interleaved(
  count: number,
  ours: () => Measured,
  baseline: () => Measured,
): Pair {
  const pair: { ours: Measured[]; baseline: Measured[] } = { ours: [], baseline: [] };
  for (let i = 0; i < count; i++) {
    if (i % 2 === 0) pair.baseline.push(baseline());
    pair.ours.push(ours());
    if (i % 2 === 1) pair.baseline.push(baseline());
  }
  const ratios = pair.ours.map(({ ms }, i) => (pair.baseline[i]?.ms ?? Number.NaN) / ms);
  return { ...pair, ratio: median(ratios) };
}

/** The value in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = sorted.length >> 1;
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : (upper + (sorted[middle - 1] ?? Number.NaN)) / 2;
}

/** Lay out rows under their headings, for people. */
export function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  const widths = headings.map((heading, i) =>
    Math.max(heading.length, ...rows.map((row) => (row[i] ?? "").length))
  );
  const line = (row: readonly string[]) =>
    row.map((cell, i) => i === 0 ? cell.padEnd(widths[i] ?? 0) : cell.padStart(widths[i] ?? 0))
      .join("  ");
  return [line(headings), ...rows.map(line)].join("\n");
}

/** Forget the peak so far, where the system can; answers the memory in use, in KB. */
function startPeak(): number {
  try {
    writeFileSync("/proc/self/clear_refs", "5");
  } catch {
    // Then the peak includes the start.
  }
  return statusKb("VmRSS");
}

function peakKb(): number {
  return statusKb("VmHWM");
}

function statusKb(field: string): number {
  try {
    const line = readFileSync("/proc/self/status", "utf8").split("\n")
      .find((line) => line.startsWith(`${field}:`));
    return Number.parseInt(line?.slice(field.length + 1) ?? "0", 10);
  } catch {
    return process.memoryUsage().rss / 1024;
  }
}
