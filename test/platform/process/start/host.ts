/**
 * A host that starts one process, tells what became of it, and has nothing else to do.
 *
 * Its arguments: the process as JSON, and what starts it; `full` when it is to have no file left.
 */
import { closeSync, openSync } from "node:fs";
import process from "node:process";
import { loadNativeCalls } from "../../../../src/platform/native/load-native-calls.ts";
import { hostProcesses } from "../../../../src/platform/process/host-processes.ts";
import { onItsPipes, start } from "./start.ts";

const [json = "", way, full] = process.argv.slice(2);
const native = way === "native calls" ? await loadNativeCalls() : undefined;
const spec = JSON.parse(json);
const processes = way === "the runtime on its pipes"
  ? onItsPipes()
  : hostProcesses("shellflow-test", { ...(native && { native }) });
const opened = full === undefined ? [] : openAll();
const first = await start(spec, processes);
for (const fd of opened) closeSync(fd);
const became = full === undefined ? [first] : [first, await start(spec, processes)];
process.stdout.write(JSON.stringify(became));

function openAll(): number[] {
  const opened: number[] = [];
  try {
    for (;;) opened.push(openSync("/dev/null", "r"));
  } catch {
    return opened;
  }
}
