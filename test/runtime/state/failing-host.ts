import { execFileSync } from "node:child_process";
import { readdirSync } from "node:fs";
import process from "node:process";
import { createRuntime } from "../../../src/runtime/create.ts";

// A host that runs a command many times at once, short of something, and closes: its arguments are its
// log, its executor, what it is short of (`bytes`, or how many files are left), how often, and the command.
// Prints how the commands ended.
const [log = "", executor = "", short = "", count = "", command = ""] = process.argv.slice(2);
process.on("SIGXFSZ", () => {}); // ends a process of Deno otherwise
const failures: string[] = [];
const runtime = await createRuntime({
  mode: "bypass",
  cwd: "/",
  graceMs: 300,
  log,
  output: { spill: false },
  defaultExecutor: executor === "shell" ? "shell" : "process",
  onLogFailure: ({ message }) => failures.push(message),
});
await runtime.run("true");
const files = readdirSync("/proc/self/fd").length + Number(short);
const limit = short === "bytes" ? "--fsize=0" : `--nofile=${files}`;
if (short !== "") execFileSync("prlimit", ["--pid", String(process.pid), limit]);
const line = command.replace("HOST", String(process.pid));
const results = await Promise.all(
  Array.from({ length: Number(count) }, (_, i) => runtime.run(line, { sessionId: `s${i}` })),
);
await runtime.close();
const outcomes = results.map(({ outcome }) => outcome.type);
process.stdout.write(JSON.stringify({ outcomes, failures }));
process.exit();
