import process from "node:process";
import { createRuntime } from "../../../src/runtime/create.ts";

// More sessions than the files of this process allow shells for.
const SESSIONS = 60;
const runtime = await createRuntime({ mode: "bypass" });
let used = 0;
for (let i = 0; i < SESSIONS; i++) {
  const { output } = await runtime.run(`echo ${i}`, { executor: "shell", sessionId: `s${i}` });
  if (output === `${i}\n`) used++;
}
const { output } = await runtime.run("echo a process");
process.stdout.write(`${used} sessions, and ${output.trim()}\n`);
await runtime.close();
