import process from "node:process";
import { processExecutor } from "../../../src/execution/process/process-executor.ts";
import { NO_MARKS } from "../../../src/execution/tree/marks.ts";
import { MARK } from "../../../src/platform/process/mark.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { watchdog } from "../../../src/platform/process/watchdog/watchdog.ts";
import { bash, drive } from "../drive.ts";

// A runtime inside of a command of another: `host.ts ID COMMAND [close]`, which closes when it is read to.
const [runtimeId = "", command = "", how] = process.argv.slice(2);
const outerMark = process.env[MARK];
const executor = processExecutor({
  processes: hostProcesses(runtimeId),
  clock: systemClock,
  runtimeId,
  graceMs: 300,
  watchdog: watchdog({ runtimeId, graceSeconds: 1, marks: NO_MARKS }),
  ...(outerMark !== undefined && { outerMark }),
});
const driven = drive(executor, bash(command));
if (how === "close") {
  await driven.exited;
  await executor.close();
  process.stdout.write("closed\n");
} else {
  setInterval(() => {}, 60_000);
}
