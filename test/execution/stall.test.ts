import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { processExecutor } from "../../src/execution/process/process.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import { gate } from "../gate.ts";
import { passUnheard } from "../pass-unheard.ts";
import { steeredClock } from "../steered-clock.ts";
import { until } from "../until.ts";
import { bash, drive } from "./drive.ts";
import { runs, uniqueSeconds } from "./world.ts";

const clock = steeredClock();
const executor = processExecutor({
  processes: hostProcesses("shellflow-stall"),
  clock,
  runtimeId: `test-stall-${process.pid}`,
  graceMs: 300,
});
const run = (command: string, limits = {}) => drive(executor, bash(command, limits));
const scratch = mkdtempSync(join(tmpdir(), "shellflow-stall-"));

after(async () => {
  await executor.close();
  rmSync(scratch, { recursive: true, force: true });
});

const LIMIT_MS = 600_000;
const LONGER_MS = 2 * LIMIT_MS;

describe("a program that keeps the event loop busy", () => {
  it("makes no command silent that wrote meanwhile", async () => {
    const { wait, open } = gate();
    const wrote = join(scratch, "wrote");
    const it = run(`echo ready; ${wait}; echo more; : > ${wrote}; ${wait}`, {
      idleTimeoutMs: LIMIT_MS,
    });
    await until(() => it.text() !== "");
    await passUnheard({ clock, ms: LONGER_MS, cause: open, until: () => existsSync(wrote) });
    await until(() => it.text() === "ready\nmore\n");
    open();
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 0 });
  });

  it("makes no command late that ended in time", async () => {
    const { wait, open } = gate();
    const it = run(`echo ready; ${wait}`, { timeoutMs: LIMIT_MS });
    await until(() => it.text() !== "");
    const pid = it.events.flatMap((event) => event.type === "execution.started" ? [event.pid] : []);
    await passUnheard({ clock, ms: LONGER_MS, cause: open, until: () => !runs(pid[0] ?? 0) });
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 0 });
  });

  it("takes no signal for one that was caught, as it hears late of whom it ended", async () => {
    const it = run(`echo ready; exec sleep ${uniqueSeconds()}`);
    await until(() => it.text() !== "");
    const pid = it.events.flatMap((event) => event.type === "execution.started" ? [event.pid] : []);
    const cause = () => void executor.send(it.commandId, { type: "signal", signal: "SIGUSR1" });
    await passUnheard({ clock, ms: LONGER_MS, cause, until: () => !runs(pid[0] ?? 0) });
    const { outcome } = await it.exited;
    assert.ok(outcome.type === "signaled" && outcome.by === "user", JSON.stringify(outcome));
  });

  it("tells of a signal that was caught long before that it did not end the command", async () => {
    const { wait, open } = gate();
    const it = run(
      `trap 'echo caught' USR1; echo ready; ${wait}; ${wait}; trap - USR1; kill -USR1 $$`,
    );
    await until(() => it.text() !== "");
    executor.send(it.commandId, { type: "signal", signal: "SIGUSR1" });
    open();
    await until(() => it.text().endsWith("caught\n"));
    clock.forward(LONGER_MS);
    // It is seen to live: more turns than anybody waits for who wants to have heard all.
    for (let turn = 0; turn < 300; turn++) await pause(0);
    open(2);
    const { outcome } = await it.exited;
    assert.ok(outcome.type === "signaled" && outcome.by === "unknown", JSON.stringify(outcome));
  });

  it("still ends what is silent, and what takes too long", async () => {
    const silent = run(`echo ready; exec sleep ${uniqueSeconds()}`, { idleTimeoutMs: LIMIT_MS });
    const late = run("while :; do sleep 0.05; echo; done", { timeoutMs: LIMIT_MS });
    await until(() => silent.text() !== "" && late.text() !== "");
    await passUnheard({ clock, ms: LONGER_MS, cause: () => {}, until: () => true });
    assert.deepEqual((await silent.exited).outcome, { type: "idleTimedOut", limitMs: LIMIT_MS });
    assert.deepEqual((await late.exited).outcome, { type: "timedOut", limitMs: LIMIT_MS });
  });
});
