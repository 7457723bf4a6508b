import { existsSync } from "node:fs";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { takeOwnership } from "../../../src/platform/owner/owner-lock.ts";

// Wants to own a directory once a file is there: `contender.ts DIRECTORY RUNTIME_ID GO_FILE`. Stays until its input ends.
const [directory = "", runtimeId = "", go = ""] = process.argv.slice(2);
process.stdout.write("ready\n");
while (!existsSync(go)) await pause(1);
try {
  const { dead } = await takeOwnership(directory, runtimeId);
  process.stdout.write(`owns ${JSON.stringify(dead)}\n`);
} catch (cause) {
  process.stdout.write(`${cause instanceof Error ? cause.message : String(cause)}\n`);
}
process.stdin.resume();
process.stdin.once("end", () => process.exit());
