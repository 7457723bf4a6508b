import process from "node:process";
import { watchdog } from "../../../src/platform/process/watchdog/watchdog.ts";
import { seat, startShells } from "./shells.ts";

// A host that is killed while a shell of its own is at work: `host.ts COMMAND`.
const [command = ""] = process.argv.slice(2);
const runtimeId = `shell-host-${process.pid}-`;
const { executor } = startShells({
  runtimeId,
  watchdog: watchdog({ runtimeId, graceSeconds: 1 }),
});
// One shell is at work, and one waits.
await seat(executor).done("echo ready");
seat(executor).run(command);
setInterval(() => {}, 60_000);
