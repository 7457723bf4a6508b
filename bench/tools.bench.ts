/**
 * What the tools cost above the runtime: `echo hi` in a warm shell by `runtime.run`, by the tool
 * `bash` in process, and as a round trip over `shellflow serve`.
 *
 *     node --import tsx bench/tools.bench.ts [rounds, 7 when absent]
 */
import { spawn } from "node:child_process";
import process from "node:process";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";
import { createTools } from "../src/tool/create-tools.ts";
import { createRuntime } from "../src/runtime/create.ts";
import { benchArguments } from "./arguments.ts";
import { ranCompiled } from "./compiled.ts";
import { median, table } from "./harness.ts";

if (ranCompiled(import.meta.url)) process.exit();
const { numbers: [rounds = 0] } = benchArguments({ rounds: 7 });
const COUNT = 200;
const UNTIL_WARM = 1_000;

const runtime = await createRuntime({ mode: "bypass", output: { spill: false } });
const tools = createTools(runtime);
const served = serve();

const ways = {
  "runtime.run": async () => {
    const kept = { sessionId: "bench", executor: "shell" } as const;
    return (await runtime.run("echo hi", kept)).output === "hi\n";
  },
  "the tool bash, in process": async () => {
    const { text } = await tools.call("bash", { command: "echo hi", shellId: "tool" });
    return text === "hi\nexit code 0";
  },
  "the tool bash, over serve": async () =>
    (await served.call({ command: "echo hi", shellId: "serve" })).includes('"hi\\nexit code 0"'),
};

const times = new Map(Object.keys(ways).map((name) => [name, [] as number[]]));
for (const way of Object.values(ways)) await timed(way, UNTIL_WARM);
for (let round = 0; round < rounds; round++) {
  const inOrder = Object.entries(ways);
  for (const [name, way] of round % 2 === 0 ? inOrder : inOrder.reverse()) {
    times.get(name)?.push(await timed(way, COUNT));
  }
}
const base = median(times.get("runtime.run") ?? []);
const rows = [...times].map(([name, each]) => {
  const ms = median(each);
  return [name, ms.toFixed(3), (ms - base).toFixed(3), (ms / base).toFixed(2)];
});
const headings = ["", "ms each", "ms above", "times runtime.run"];
const title =
  `"echo hi" in a warm shell, one after the other, median of ${rounds} rounds of ${COUNT}`;
process.stdout.write(`\n${title}\n\n${table(headings, rows)}\n`);
served.end();
await runtime.close();
process.exit();

/** Milliseconds for each of a row of calls. */
async function timed(way: () => Promise<boolean>, count: number): Promise<number> {
  const start = performance.now();
  for (let i = 0; i < count; i++) {
    if (!await way()) throw new Error("Cannot trust this bench: the output is another one");
  }
  return (performance.now() - start) / count;
}

/** A `shellflow serve`, asked one call after the other. */
function serve() {
  const extension = import.meta.url.endsWith(".ts") ? "ts" : "js";
  const main = fileURLToPath(new URL(`../src/cli/main.${extension}`, import.meta.url));
  const runs = "Deno" in globalThis ? ["run", "-A", "--no-check", main] : [main];
  const child = spawn(process.execPath, [...runs, "serve", "--permission-mode", "bypass"], {
    stdio: ["pipe", "pipe", "inherit"],
  });
  let answered: (line: string) => void = () => {};
  let id = 0;
  createInterface({ input: child.stdout }).on("line", (line) => {
    if (line.startsWith('{"id"')) answered(line);
  });
  return {
    call: (input: unknown) =>
      new Promise<string>((resolve) => {
        answered = resolve;
        child.stdin.write(`${JSON.stringify({ id: ++id, tool: "bash", input })}\n`);
      }),
    end: () => child.stdin.end(),
  };
}
