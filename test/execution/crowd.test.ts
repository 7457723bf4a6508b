import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { processExecutor } from "../../src/execution/process/process-executor.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { findProgram } from "../../src/platform/environment/find-program.ts";
import { loadNativeCalls, type Native } from "../../src/platform/native/load-native-calls.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import { gate } from "../gate.ts";
import { bash, drive } from "./drive.ts";
import { children, living, openFiles, uniqueSeconds } from "./world.ts";
import { sized } from "../sized.ts";
import { steeredClock } from "../steered-clock.ts";
import { until } from "../until.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

/** How many commands are in flight at once. */
const CROWD = sized(30, 1_000);
/** How many are stopped, 50 at a time. */
const STOPS = sized(50, 500);

let count = 0;
const start = (native?: Native) =>
  processExecutor({
    processes: hostProcesses("shellflow-crowd", { ...(native && { native }) }),
    clock: systemClock,
    runtimeId: `crowd-${process.pid}-${++count}`,
    graceMs: 300,
  });

const native = await loadNativeCalls();
const ways: readonly (readonly [string, Native | undefined])[] = [
  ["the runtime", undefined],
  ...("unavailable" in native ? [] : [["native calls", native] as const]),
];

describe("many commands at once", () => {
  for (const [way, native] of ways) {
    it(`are ${CROWD} in flight by ${way}, and leave neither processes nor open files behind`, async () => {
      const { wait, open, remove } = gate();
      const executor = start(native);
      // The first command opens what the process keeps, a spare descriptor among it.
      await drive(executor, bash("true")).completed;
      const before = { files: openFiles(), children: children().length };
      const all = Array.from(
        { length: CROWD },
        (_, i) => drive(executor, bash(`${wait}; echo done ${i}`)),
      );
      assert.ok(all.every(({ happened }) => happened.join() === "execution.started"));
      open(CROWD);
      const results = await Promise.all(
        all.map(async ({ exited, completed, text }) => {
          const { outcome } = await exited;
          await completed;
          return [outcome, text()];
        }),
      );
      assert.deepEqual(
        results,
        results.map((_, i) => [{ type: "exited", code: 0 }, `done ${i}\n`]),
      );
      remove();
      await executor.close();
      await until(() => children().length <= before.children);
      await until(() => openFiles() <= before.files);
    });
  }

  it("are quiet for long, and leave others their output and the host its files", async () => {
    const executor = start();
    const what = `sleep ${uniqueSeconds()}`;
    const quiet = Array.from(
      { length: sized(20, 60) },
      () => drive(executor, bash(`${what}; true`)),
    );
    await until(() => living(what).length === quiet.length);
    const loud = drive(executor, bash("seq 1 5"));
    assert.deepEqual((await loud.exited).outcome, { type: "exited", code: 0 });
    assert.equal(loud.text(), "1\n2\n3\n4\n5\n");
    assert.ok((await readFile("/proc/self/stat", "utf8")).length > 0);
    await executor.close();
    assert.deepEqual(living(what), []);
  });

  it("give back the files that many at once needed, also while the executor lives on", async () => {
    const executor = start();
    await drive(executor, bash("echo first")).completed;
    const before = openFiles();
    await Promise.all(
      Array.from({ length: sized(80, 300) }, () => drive(executor, bash("echo x")).completed),
    );
    // Some pipes are kept for later.
    await until(() => openFiles() <= before + 64);
    await executor.close();
  });
});

describe("a tree of processes", () => {
  it("of a build with eight jobs is gone after a timeout, and its output so far is there", async (test) => {
    if (findProgram("make", process.env["PATH"] ?? "") === undefined) {
      return test.skip("there is no make");
    }
    const what = `sleep ${uniqueSeconds()}`;
    const jobs = Array.from({ length: 8 }, (_, i) => `job${i}`);
    const rules = jobs.map((job) =>
      `${job}:\n\t@echo begun ${job}\n\t@bash -c '(${what}) & (setsid ${what}) & wait' ; echo ended ${job}\n`
    );
    writeFileSync(join(scratch, "Makefile"), `all: ${jobs.join(" ")}\n${rules.join("")}`);
    const clock = steeredClock();
    await using runtime = await createRuntime({
      mode: "bypass",
      cwd: scratch,
      graceMs: 300,
      clock,
    });
    const running = runtime.start("make -j8", { timeoutMs: 600_000 });
    const log = await running.output;
    await until(() => {
      const begun = new TextDecoder().decode(log?.peek(0, log.total));
      return jobs.every((job) => begun.includes(`begun ${job}\n`));
    });
    clock.forward(600_000);
    const { outcome, output, leftovers } = await running.result;
    assert.deepEqual(outcome, { type: "timedOut", limitMs: 600_000 });
    assert.ok(!output.includes("ended"), output);
    assert.deepEqual(leftovers, []);
    assert.deepEqual(living(what), []);
  });
});

describe("a stop at any moment", () => {
  it("leaves no process and gives each command one end", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const executor = start();
    const kinds = [
      `echo a; exec ${what}`,
      `${what} & wait`,
      "echo a",
      `(setsid ${what} &); echo a`,
    ];
    const one = async (i: number) => {
      const driven = drive(executor, bash(kinds[i % kinds.length] ?? ""));
      await pause(Math.random() * 30);
      executor.send(driven.commandId, { type: "stop", by: "abort" });
      await driven.completed;
      return driven.happened;
    };
    for (let done = 0; done < STOPS; done += 50) {
      const all = await Promise.all(Array.from({ length: 50 }, (_, i) => one(done + i)));
      for (const happened of all) {
        for (const type of ["execution.started", "end", "execution.exited", "execution.closed"]) {
          assert.equal(happened.filter((other) => other === type).length, 1, happened.join(" "));
        }
        assert.equal(happened.at(-1), "execution.closed");
      }
    }
    assert.deepEqual(living(what), []);
    await executor.close();
  });
});
