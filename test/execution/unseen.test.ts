import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, beforeEach, describe, it } from "node:test";
import { processExecutor } from "../../src/execution/process/process-executor.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import type { ProcessTable } from "../../src/platform/process/processes.ts";
import { procTable } from "../../src/platform/process/table/proc-table.ts";
import { until } from "../until.ts";
import { bash, drive } from "./drive.ts";
import { living, uniqueSeconds, UNTIL_ASLEEP } from "./world.ts";

const what = `sleep ${uniqueSeconds()}`;
const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => {
  rmSync(scratch, { recursive: true });
  for (const { pid } of living(what)) process.kill(pid, "SIGKILL");
});

let count = 0;

/** An executor that sees less of the process table than there is. */
function dim(seen: (table: ProcessTable) => ProcessTable, background: "keep" | "end" = "keep") {
  const name = `unseen-${process.pid}-${++count}`;
  const processes = hostProcesses(name);
  return processExecutor({
    processes: { ...processes, table: (fresh) => seen(processes.table(fresh)) },
    clock: systemClock,
    runtimeId: name,
    graceMs: 100,
    background,
  });
}

describe("a process of which the system shows neither environment nor files", () => {
  /** As it does of one that has other rights than this user. */
  const hiding = () =>
    dim((table) => {
      const isHidden = (pid: number) => living(what).some((process) => process.pid === pid);
      return {
        all: table.all,
        variable: (pid, name) => isHidden(pid) ? undefined : table.variable(pid, name),
        openFiles: (pid) => isHidden(pid) ? [] : table.openFiles(pid),
      };
    });
  const gate = join(scratch, "gate");
  const line = `(setsid ${what} &); until [ -e ${gate} ]; do sleep 0.05; done; echo hi`;
  beforeEach(() => rmSync(gate, { force: true }));

  it("holds back neither the answer nor a stop, though it holds the output", async () => {
    const executor = hiding();
    const before = living(what).length;
    const it = drive(executor, bash(line));
    await until(() => living(what).length > before);
    writeFileSync(gate, "");
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 0 });
    assert.equal(it.text(), "hi\n");
    executor.send(it.commandId, { type: "stop", by: "stop" });
    await it.completed;
    await executor.close();
  });

  it("nor the end of the executor", async () => {
    const executor = hiding();
    const before = living(what).length;
    const ended = drive(executor, bash(line));
    const waiting = drive(executor, bash(`${line}; sleep 3600`));
    await until(() => living(what).length === before + 2);
    writeFileSync(gate, "");
    await ended.exited;
    await until(() => waiting.text() === "hi\n");
    await executor.close();
    await Promise.all([ended.completed, waiting.completed]);
  });
});

describe("a process of which the system shows nothing for a moment", () => {
  it("is ended all the same where nobody is to be left", async () => {
    const line = `sleep ${uniqueSeconds()}`;
    let looks = 0;
    const executor = dim((table) => {
      const unseen = { variable: () => undefined, openFiles: () => [] };
      return ++looks <= 3 ? { ...table, ...unseen } : table;
    }, "end");
    const it = drive(
      executor,
      bash(`setsid ${line} </dev/null >/dev/null 2>&1 & ${UNTIL_ASLEEP}; exit 3`),
    );
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 3 });
    assert.deepEqual(living(line), []);
    await it.completed;
    await executor.close();
  });
});

describe("a process table that could not be read", () => {
  it("says that some may be missing", () => {
    assert.equal(procTable("/proc").read().partial, false);
    assert.equal(procTable("/nonexistent").read().partial, false);
    assert.equal(procTable(`/${"x".repeat(300)}`).read().partial, true);
  });

  it("keeps nobody from being killed who is in the group", async () => {
    const line = `sleep ${uniqueSeconds()}`;
    let blind = false;
    const executor = dim((table) => blind ? { ...table, all: [], partial: true } : table);
    const it = drive(executor, bash(`trap '' TERM; ${line}; ${line}; ${line}`));
    await until(() => living(line).length === 2);
    blind = true;
    executor.send(it.commandId, { type: "stop", by: "stop" });
    await until(() => living(line).length === 0);
    blind = false;
    await it.completed;
    await executor.close();
  });
});
