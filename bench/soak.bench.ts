// Whether many commands leave anything behind: `soak.bench.ts [COMMANDS]`; the lines are to be the same.
import { spawnSync } from "node:child_process";
import { readdirSync, readFileSync } from "node:fs";
import process from "node:process";
import { createRuntime } from "../src/runtime/create.ts";
import { procTable } from "../src/platform/process/table/proc-table.ts";
import { benchArguments } from "./arguments.ts";

const { numbers: [COMMANDS = 0] } = benchArguments({ commands: 10_000 });
const EVERY = Math.min(1_000, COMMANDS);
const AT_ONCE = 8;

const all = procTable();
const mine = () => all.read().all.filter(({ parent }) => parent === process.pid);
const residentKb = (pid: number | "self") =>
  Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? 0);

const runtime = await createRuntime({ mode: "bypass", cwd: "/" });
const print = (cells: readonly (string | number)[]) =>
  process.stdout.write(cells.map((cell) => String(cell).padStart(11)).join("") + "\n");

print(["commands", "files", "RSS MB", "heap MB", "zombies", "children", "per second"]);
const run = async (i: number) => {
  // One in ten leaves a child behind that ends soon, and one in a hundred writes more than memory keeps.
  const tail = i % 100 === 0 ? "; seq 1 60000" : i % 10 === 0 ? "; sleep 0.1 &" : "";
  const { outcome, output } = await runtime.run(`echo ${i}${tail}`);
  if (outcome.type !== "exited" || outcome.code !== 0 || !output.startsWith(`${i}\n`)) {
    throw new Error(`Cannot trust command ${i}: ${JSON.stringify(outcome)}`);
  }
};
let next = 0;
while (next < COMMANDS) {
  const start = performance.now();
  const end = Math.min(next + EVERY, COMMANDS);
  const count = end - next;
  await Promise.all(Array.from({ length: AT_ONCE }, async () => {
    while (next < end) await run(next++);
  }));
  const perSecond = count / (performance.now() - start) * 1_000;
  const memory = process.memoryUsage();
  print([
    next,
    readdirSync("/proc/self/fd").length,
    (memory.rss / 2 ** 20).toFixed(0),
    (memory.heapUsed / 2 ** 20).toFixed(0),
    mine().filter(({ state }) => state === "Z").length,
    mine().length,
    perSecond.toFixed(0),
  ]);
}

const dog = mine().find(({ pid }) => all.commandLine(pid).includes("shellflow-watchdog"));
const plain = spawnSync("sh", ["-c", "grep VmRSS /proc/$$/status; :"], { encoding: "utf8" });
if (dog !== undefined) {
  const idle = Number(/(\d+)/.exec(plain.stdout)?.[1] ?? 0);
  process.stdout.write(
    `\nthe watchdog: ${residentKb(dog.pid)} KB; a shell that does nothing: ${idle} KB\n`,
  );
}
await runtime.close();
