import assert from "node:assert/strict";
import process from "node:process";
import { after, describe, it } from "node:test";
import { processExecutor } from "../../src/execution/process/process.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import { bash, drive } from "./drive.ts";
import { stall } from "../stall.ts";
import { until } from "../until.ts";

const executor = processExecutor({
  processes: hostProcesses("shellflow-stall"),
  clock: systemClock,
  runtimeId: `test-stall-${process.pid}`,
  graceMs: 300,
});
const run = (command: string, limits = {}) => drive(executor, bash(command, limits));

after(() => executor.close());

describe("a program that keeps the event loop busy", () => {
  it("makes no command silent that wrote meanwhile", async () => {
    const it = run("echo ready; for i in {1..40}; do sleep 0.05; echo $i; done", {
      idleTimeoutMs: 600,
    });
    await until(() => it.text() !== "");
    await stall(1_500);
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 0 });
  });

  it("makes no command late that ended in time", async () => {
    const it = run("echo ready; sleep 0.1", { timeoutMs: 500 });
    await until(() => it.text() !== "");
    await stall(700);
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 0 });
  });

  it("still ends what is silent, and what takes too long", async () => {
    const silent = run("echo ready; exec sleep 66.5", { idleTimeoutMs: 300 });
    const late = run("while :; do sleep 0.05; echo; done", { timeoutMs: 300 });
    await until(() => silent.text() !== "");
    await stall(500);
    assert.deepEqual((await silent.exited).outcome, { type: "idleTimedOut", limitMs: 300 });
    assert.deepEqual((await late.exited).outcome, { type: "timedOut", limitMs: 300 });
  });
});
