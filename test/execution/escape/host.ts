import process from "node:process";
import { processExecutor } from "../../../src/execution/process/process-executor.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { pidNamespace } from "../../../src/platform/process/containment.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { watchdog } from "../../../src/platform/process/watchdog/watchdog.ts";
import { bash, drive } from "../drive.ts";

// A host that is killed while its commands run: `host.ts RUNTIME_ID pid-namespace|marks COMMAND...`.
const [runtimeId = "", means, ...commands] = process.argv.slice(2);
const executor = processExecutor({
  processes: hostProcesses(runtimeId),
  clock: systemClock,
  runtimeId,
  watchdog: watchdog({ runtimeId, graceSeconds: 1 }),
  ...(means === "pid-namespace" && { contain: pidNamespace(process.env["PATH"] ?? "") }),
});
for (const command of commands) drive(executor, bash(command));
setInterval(() => {}, 60_000);
