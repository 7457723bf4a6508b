import process from "node:process";
import { createRuntime } from "../../../src/runtime/create.ts";

/** A host with commands on terminals, until it is killed. */
const runtime = await createRuntime({ mode: "bypass", userShell: "detect" });
const [command = "", zsh] = process.argv.slice(2);
const all = [
  runtime.start(command, { pty: true }),
  ...["a", "b"].map((sessionId) =>
    runtime.start(command, { pty: true, executor: "shell", sessionId })
  ),
  ...(zsh === undefined
    ? []
    : [runtime.start(command, { pty: true, executor: "shell", sessionId: "c", origin: "user" })]),
];
for (const { output } of all) {
  await (await output)?.read({ from: 0, waitMs: 60_000 });
}
process.stdout.write("ready\n");
