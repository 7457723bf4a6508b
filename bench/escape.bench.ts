// How long what a command started lives on after each end: `escape.bench.ts [GRACE_SECONDS]`.
import { spawn } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { processExecutor } from "../src/execution/process/process-executor.ts";
import { systemClock } from "../src/platform/clock.ts";
import { type Contain, pidNamespace } from "../src/platform/process/containment.ts";
import { hostProcesses } from "../src/platform/process/host-processes.ts";
import type { ProcessInfo } from "../src/platform/process/processes.ts";
import { bash, drive } from "../test/execution/drive.ts";
import { type Way, WAYS } from "../test/execution/escape/ways.ts";
import { runArgs } from "../test/run-args.ts";
import { atEnd, benchArguments } from "./arguments.ts";
import { table } from "./harness.ts";

const { numbers: [GRACE_SECONDS = 0] } = benchArguments({ "seconds of grace": 5 });
const TIMEOUT_MS = 1_500;
/** What is still there after this is out of reach. */
const LIMIT_MS = (GRACE_SECONDS + 4) * 1_000;
/** A fork storm is two hundred processes: few cells at a time, so that they do not measure each other. */
const AT_ONCE = 4;
const ENDS = ["stop", "timeout", "abort", "close", "host SIGKILL", "pid-namespace"] as const;
type End = typeof ENDS[number];

const world = hostProcesses("shellflow-bench");
const contain = ((): Contain | undefined => {
  try {
    return pidNamespace(process.env["PATH"] ?? "");
  } catch {
    return undefined;
  }
})();

/** One look for all cells: pids and parents by command line. */
interface Look {
  readonly until: number;
  readonly found: ReadonlyMap<string, readonly ProcessInfo[]>;
}

let look: Look = { until: 0, found: new Map() };

const living = (what: string): readonly ProcessInfo[] => {
  if (performance.now() > look.until) {
    const start = performance.now();
    const found = new Map<string, ProcessInfo[]>();
    for (const process of world.table().all) {
      if (process.state === "Z") continue;
      const name = /sleep 36[\d.]+$/.exec(world.commandLine(process.pid))?.[0];
      if (name !== undefined) found.set(name, [...found.get(name) ?? [], process]);
    }
    // Not more than a third of the time is for looking.
    look = { until: 3 * performance.now() - 2 * start, found };
  }
  return look.found.get(what) ?? [];
};

const settled = (way: Way, what: string) => {
  const found = living(what);
  if (way.name.startsWith("fork storm")) return found.length >= 200;
  return found.some(({ pid }) => /^(\S*\/)?sleep /.test(world.commandLine(pid))) &&
    (!way.outOfReach || found.every(({ parent }) => parent === 1));
};

/** Milliseconds until nothing is left; `undefined`: something stayed. */
async function gone(what: string, start: number): Promise<number | undefined> {
  while (living(what).length > 0) {
    if (performance.now() - start > LIMIT_MS) return undefined;
    await pause(20);
  }
  return performance.now() - start;
}

let count = 0;
const started = new Set<string>();
atEnd(() => {
  look = { until: 0, found: new Map() };
  for (const what of started) for (const found of living(what)) world.signal(found, "SIGKILL");
});

async function cell(way: Way, end: End): Promise<string> {
  if (end === "pid-namespace" && contain === undefined) return "no bubblewrap";
  const id = `bench-${process.pid}-${++count}`;
  const what = `sleep 36${process.pid}.${count}`;
  started.add(what);
  const measured = await (end === "host SIGKILL" ? killHost : endCommand)(way, { end, id, what });
  for (const found of living(what)) world.signal(found, "SIGKILL");
  return measured === undefined ? "out of reach" : measured.toFixed(0);
}

interface Cell {
  readonly end: End;
  readonly id: string;
  readonly what: string;
}

async function endCommand(way: Way, { end, id, what }: Cell): Promise<number | undefined> {
  const executor = processExecutor({
    processes: hostProcesses(id),
    clock: systemClock,
    runtimeId: id,
    graceMs: GRACE_SECONDS * 1_000,
    ...(end === "pid-namespace" && contain !== undefined && { contain }),
  });
  const limits = end === "timeout" ? { timeoutMs: TIMEOUT_MS } : {};
  let stopping = 0;
  const driven = drive(executor, bash(way.command(what), limits), ({ type }) => {
    if (type === "execution.stopping") stopping ||= performance.now();
  });
  const ready = () => end === "pid-namespace" ? living(what).length > 0 : settled(way, what);
  while (!ready() && stopping === 0) await pause(20);
  if (end === "pid-namespace") await pause(300);
  let start = performance.now();
  if (end === "stop" || end === "pid-namespace") {
    executor.send(driven.commandId, { type: "stop", by: "stop" });
  }
  if (end === "abort") driven.unsubscribe();
  const closing = end === "close" ? executor.close() : Promise.resolve();
  if (end === "timeout") {
    while (stopping === 0) await pause(2);
    start = stopping;
  }
  const measured = await gone(what, start);
  await closing;
  await executor.close();
  return measured;
}

async function killHost(way: Way, { id, what }: Cell): Promise<number | undefined> {
  const file = new URL("../test/execution/escape/host.ts", import.meta.url);
  const args = [...runArgs(file), id, way.command(what), "marks", String(GRACE_SECONDS)];
  const host = spawn(process.execPath, args, { stdio: "inherit" });
  while (!settled(way, what)) await pause(20);
  const start = performance.now();
  host.kill("SIGKILL");
  return await gone(what, start);
}

const cells = WAYS.flatMap((way) => ENDS.map((end) => ({ way, end })));
const results = new Map<string, string>();
await Promise.all(Array.from({ length: AT_ONCE }, async () => {
  for (let next = cells.shift(); next !== undefined; next = cells.shift()) {
    results.set(`${next.way.name} ${next.end}`, await cell(next.way, next.end));
  }
}));
world.close();

const rows = WAYS.map((
  { name },
) => [name, ...ENDS.map((end) => results.get(`${name} ${end}`) ?? "")]);
const title = `milliseconds until nothing is left; grace ${GRACE_SECONDS} s, ${AT_ONCE} at once`;
process.stdout.write(`\n${title}\n\n${table(["", ...ENDS], rows)}\n`);
