import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, beforeEach, describe, it } from "node:test";
import { processExecutor } from "../../src/execution/process/process-executor.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { loadNativeCalls } from "../../src/platform/native/load-native-calls.ts";
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
/** Without these a child of Deno's holds more of its output than it shows. */
const native = await loadNativeCalls();

/** An executor that sees less of the process table than there is. */
function dim(seen: (table: ProcessTable) => ProcessTable, background: "keep" | "end" = "keep") {
  const name = `unseen-${process.pid}-${++count}`;
  const processes = hostProcesses(name, { native });
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
      const hidden = new Set(living(what).map(({ pid }) => pid));
      return {
        all: table.all,
        variable: (pid, name) => hidden.has(pid) ? undefined : table.variable(pid, name),
        openFiles: (pid) => hidden.has(pid) ? [] : table.openFiles(pid),
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
  /** A process that left its command with nothing but its mark, which is hidden for some looks. */
  const passing = async () => {
    const line = `sleep ${uniqueSeconds()}`;
    let hidden = 0;
    let changing = true;
    const executor = dim((table) => {
      if (hidden === 0) return table;
      hidden--;
      return { ...table, changing, variable: () => undefined };
    });
    const hide = (looks: number, isChanging = true) => {
      hidden = looks;
      changing = isChanging;
    };
    const command = `setsid ${line} </dev/null >/dev/null 2>&1 & ${UNTIL_ASLEEP}; read -r _`;
    const it = drive(executor, { ...bash(command), input: true });
    await until(() => living(line).length === 1);
    const goOn = () =>
      executor.send(it.commandId, { type: "input", bytes: new Uint8Array(), end: true });
    return { line, executor, it, hide, goOn };
  };

  it("is waited for before the command is closed", async () => {
    const { line, executor, it, hide, goOn } = await passing();
    hide(Infinity);
    goOn();
    assert.deepEqual((await it.exited).leftovers, []);
    hide(0);
    executor.send(it.commandId, { type: "stop", by: "stop" });
    await it.completed;
    assert.deepEqual(living(line), []);
    await executor.close();
  });

  it("is waited for by the end of the executor", async () => {
    const { line, executor, it, hide, goOn } = await passing();
    hide(Infinity, false);
    goOn();
    await it.completed;
    assert.equal(living(line).length, 1);
    hide(5);
    await executor.close();
    assert.deepEqual(living(line), []);
  });

  it("is ended all the same where nobody is to be left", async () => {
    const line = `sleep ${uniqueSeconds()}`;
    let looks = 0;
    const executor = dim((table) => {
      const unseen = { variable: () => undefined, openFiles: () => [] };
      return ++looks <= 2 ? { ...table, ...unseen } : table;
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
