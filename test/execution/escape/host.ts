import process from "node:process";
import { processExecutor } from "../../../src/execution/process/process-executor.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { pidNamespace } from "../../../src/platform/process/containment.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { watchdog } from "../../../src/platform/process/watchdog/watchdog.ts";
import { bash, drive } from "../drive.ts";

// A host that is killed while its command runs: `host.ts RUNTIME_ID COMMAND [pid-namespace | marks [GRACE]]`.
const [runtimeId = "", command = "", containment, grace = "1"] = process.argv.slice(2);
const executor = processExecutor({
  processes: hostProcesses(runtimeId),
  clock: systemClock,
  runtimeId,
  watchdog: watchdog({ runtimeId, graceSeconds: Number(grace) }),
  ...(containment === "pid-namespace" && { contain: pidNamespace(process.env["PATH"] ?? "") }),
});
drive(executor, bash(command));
setInterval(() => {}, 60_000);
