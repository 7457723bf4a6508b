// A program that embeds the package, as its users write one; started by ../embedding.bench.ts with
// the name of a case. The package is loaded by the cases that need it only, so that the same program
// without it is the baseline. Prints one line of JSON.
import { spawn } from "node:child_process";
import process from "node:process";

/** From here on the first command counts: the package is loaded, nothing is created. */
let startedAt = performance.now();
const [, , name = "", argument = ""] = process.argv;

const CASES = {
  load: async () => {
    if (argument === "rxjs") await import("rxjs");
    const [cpu, memory] = [process.cpuUsage(), residentMb()];
    await import("shellflow");
    return { cpuMs: cpuMs(cpu), mb: residentMb() - memory };
  },
  bareSpawns: async () => await measured(Number(argument), bare("echo hi")),
  cold: async () => {
    const runtime = await runtimeWith();
    return await measured(Number(argument), async () => {
      const { output } = await runtime.run("echo hi");
      check(output);
    });
  },
  bareAtOnce: async () => await atOnce(Number(argument), bare(SLOW)),
  atOnce: async () => {
    const runtime = await runtimeWith();
    check((await runtime.run("echo hi")).output);
    return await atOnce(Number(argument), async () => check((await runtime.run(SLOW)).output));
  },
  bareShell: async () => await measured(100, markerLoop(argument)),
  shell: async () => {
    const runtime = await runtimeWith({ defaultExecutor: "auto" });
    const session = { sessionId: "bench" };
    await runtime.run(":", session);
    return await measured(100, async () => {
      const { outcome } = await runtime.run(argument, session);
      if (outcome.code !== 0) throw new Error(JSON.stringify(outcome));
    });
  },
  /** Ends by itself: how long that takes is measured from outside. */
  one: async () => {
    const runtime = await runtimeWith();
    check((await runtime.run("echo hi")).output);
    await runtime.close();
    return { closedMs: Date.now() };
  },
  bareOne: async () => {
    await bare("echo hi")();
    return { closedMs: Date.now() };
  },
};

const SLOW = "sleep 0.05; echo hi";

const result = await CASES[name]();
process.stdout.write(`${JSON.stringify(result)}\n`);
if (!name.endsWith("ne")) process.stdout.write("", () => process.exit());

async function runtimeWith(options = {}) {
  const { createRuntime } = await import("shellflow");
  startedAt = performance.now();
  return await createRuntime({ mode: "bypass", ...options });
}

/** Runs a command so many times, one after the other. */
async function measured(count, run) {
  const times = [];
  let firstMs = 0;
  let cpu = process.cpuUsage();
  for (let i = 0; i < count; i++) {
    const from = performance.now();
    await run();
    times.push(performance.now() - from);
    if (i > 0) continue;
    firstMs = performance.now() - startedAt;
    cpu = process.cpuUsage();
  }
  const medianMs = times.sort((a, b) => a - b)[count >> 1];
  return { firstMs, medianMs, cpuMs: cpuMs(cpu) / Math.max(1, count - 1), mb: residentMb() };
}

async function atOnce(count, run) {
  const [from, cpu] = [performance.now(), process.cpuUsage()];
  await Promise.all(Array.from({ length: count }, run));
  return { ms: performance.now() - from, cpuMs: cpuMs(cpu) / count };
}

/** What a program does that spawns for itself: a group of its own, both streams, the exit. */
function bare(line) {
  return () =>
    new Promise((resolve, reject) => {
      const child = spawn("bash", ["--norc", "--noprofile", "-c", line], {
        stdio: ["ignore", "pipe", "pipe"],
        detached: true,
      });
      let output = "";
      child.stdout.on("data", (chunk) => output += chunk);
      child.stderr.on("data", (chunk) => output += chunk);
      child.on("error", reject);
      child.on("close", () => output === "hi\n" ? resolve() : reject(new Error(output)));
    });
}

/** The least that runs lines in one shell: a line in, a marker out. */
function markerLoop(line) {
  const shell = spawn("bash", ["--norc", "--noprofile"], { stdio: ["pipe", "pipe", "ignore"] });
  let answered = () => {};
  let text = "";
  shell.stdout.on("data", (chunk) => {
    text += chunk;
    if (!text.endsWith("\u0001\n")) return;
    text = "";
    answered();
  });
  return () =>
    new Promise((resolve) => {
      answered = resolve;
      shell.stdin.write(`${line}\nprintf '\\001\\n'\n`);
    });
}

function residentMb() {
  return process.memoryUsage().rss / 2 ** 20;
}

function cpuMs(before) {
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1000;
}

function check(output) {
  if (output !== "hi\n") throw new Error(`Cannot trust this bench: it wrote "${output}"`);
}
