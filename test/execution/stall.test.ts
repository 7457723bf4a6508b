import assert from "node:assert/strict";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { processExecutor } from "../../src/execution/process/process-executor.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadNativeCalls } from "../../src/platform/native/load-native-calls.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import { gate } from "../gate.ts";
import { passUnheard } from "../pass-unheard.ts";
import { steeredClock } from "../steered-clock.ts";
import { until } from "../until.ts";
import { bash, drive } from "./drive.ts";
import { runs, uniqueSeconds } from "./world.ts";

const clock = steeredClock();
// Without native calls Deno reports ends from its own threads, some turns later when it is busy.
const native = await loadNativeCalls();
const executor = processExecutor({
  processes: hostProcesses("shellflow-stall", { native }),
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

  it("ends a command in time, as far as it has turns for that", async () => {
    const executor = processExecutor({
      processes: hostProcesses("shellflow-turns", { native }),
      clock: systemClock,
      runtimeId: `test-turns-${process.pid}`,
    });
    let turns = 0;
    let busy = true;
    // Each turn takes as long as one in which many sessions are at work.
    const work = () => {
      const end = performance.now() + 20;
      while (performance.now() < end);
      turns++;
      if (busy) setImmediate(work);
    };
    let due = Infinity;
    let late = Infinity;
    const it = drive(executor, bash("exec sleep 100", { timeoutMs: 300 }), ({ type }) => {
      if (type === "execution.started") setTimeout(() => (due = turns), 300);
      if (type === "execution.stopping") late = Math.min(late, turns - due);
    });
    work();
    await it.exited;
    busy = false;
    assert.ok(late <= ("Deno" in globalThis ? 6 : 2), `${late} turns`);
    await executor.close();
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
