import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { systemClock } from "../../../src/platform/clock.ts";
import { onStopSignals } from "../../../src/platform/process/signals/stop-signals.ts";
import { until } from "../../until.ts";

function pass(ms: number): void {
  const end = performance.now() + ms;
  while (performance.now() < end);
}

describe("signals to stop", () => {
  it("that come together are one, also where it takes long until the second is heard", async () => {
    const done: string[] = [];
    const stopped = onStopSignals({
      stop: () => {
        done.push("stop");
        // Between the two, as when the machine has something else to do.
        queueMicrotask(() => pass(400));
      },
      stopNow: () => done.push("stopNow"),
    });
    for (const signal of ["SIGHUP", "SIGTERM"]) process.kill(process.pid, signal);
    await until(() => done.length > 0);
    await new Promise<void>((resolve) => systemClock.after(0, resolve));
    // More turns than anybody waits for who wants to have heard all.
    for (let turn = 0; turn < 300; turn++) await pause(0);
    assert.deepEqual(done, ["stop"]);
    pass(400);
    process.kill(process.pid, "SIGHUP");
    await until(() => done.length > 1);
    assert.deepEqual(done, ["stop", "stopNow"]);
    assert.ok(stopped.exitCode === 129 || stopped.exitCode === 143);
    stopped.forget();
  });
});
