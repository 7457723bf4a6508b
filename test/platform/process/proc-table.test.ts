import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { rmSync, symlinkSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { procFixture, type RecordedProcess } from "../proc-fixture.ts";

const fixture = procFixture();
after(fixture.remove);

describe("the process table", () => {
  it("has the fields of a process, whatever its name is", () => {
    for (const name of ["bash", "a b", "x) S 9 9 9 (y", "(((", ") R 1 1", "line\nbreak", ""]) {
      fixture.set([{
        pid: 70,
        parent: 7,
        group: 71,
        session: 72,
        state: "T",
        startTime: 99,
        name,
        forked: true,
      }]);
      assert.deepEqual(fixture.table.read().all, [
        { pid: 70, parent: 7, group: 71, session: 72, state: "T", startTime: "99", forked: true },
      ]);
      assert.equal(fixture.table.commandLine(70), `[${name}]`);
    }
  });

  it("finds a variable by its whole name, and only the first of that name", () => {
    const environ = "XMARK=0\0MARK_X=1\0MARK=a=b c\0MARK=later\0EMPTY=\0";
    fixture.set([{ pid: 70, environ }]);
    const { variable } = fixture.table.read();
    assert.equal(variable(70, "MARK"), "a=b c");
    assert.equal(variable(70, "EMPTY"), "");
    assert.equal(variable(70, "MAR"), undefined);
    assert.equal(variable(71, "MARK"), undefined);
  });

  it("says when it was asked of a process that is just executing a program", () => {
    const asked = (process: Partial<RecordedProcess>) => {
      fixture.set([{ pid: 70, ...process }]);
      const table = fixture.table.read();
      assert.equal(table.changing, false);
      table.variable(70, "MARK");
      return table.changing;
    };
    assert.equal(asked({ executing: true }), true);
    assert.equal(asked({ executing: true, parent: process.pid }), false);
    assert.equal(asked({}), false);
    assert.equal(asked({ environ: "A=b\0" }), false);
  });

  it("has the links of open files and the command line", () => {
    fixture.set([{ pid: 70, files: ["/dev/null", "pipe:[5]"], cmdline: "sleep\x005\0" }]);
    assert.deepEqual(fixture.table.read().openFiles(70), ["/dev/null", "pipe:[5]"]);
    assert.equal(fixture.table.commandLine(70), "sleep 5");
  });

  it("has no open files of a child that is still a copy of the host", () => {
    const files = ["pipe:[5]"];
    const cmdline = "host\0main.js\0";
    const shown = (child: Pick<RecordedProcess, "cmdline" | "parent">) => {
      fixture.set([{ pid: process.pid, cmdline }, {
        pid: 70,
        parent: process.pid,
        files,
        ...child,
      }]);
      return fixture.table.read().openFiles(70);
    };
    assert.deepEqual(shown({ cmdline }), []);
    assert.deepEqual(shown({ cmdline: "" }), []);
    assert.deepEqual(shown({ cmdline: "cat\0" }), files);
    assert.deepEqual(shown({ cmdline, parent: 7 }), files);
  });

  it("leaves out what is cut short, and is empty where there is none", () => {
    assert.deepEqual(procTable("/no/such/proc").read().all, []);
    assert.equal(procTable("/no/such/proc").info(1), undefined);
    assert.equal(procTable("/no/such/proc").commandLine(1), "[]");
  });

  it("tells nothing where the processes are those of another pid namespace", () => {
    fixture.set([{ pid: 70, cmdline: "sleep\x005\0" }]);
    const self = join(fixture.root, "self");
    const isNow = (pid: number) => {
      rmSync(self);
      symlinkSync(String(pid), self);
    };
    isNow(process.pid);
    assert.equal(procTable(fixture.root).info(70)?.pid, 70);
    isNow(process.pid + 1);
    const table = procTable(fixture.root);
    assert.deepEqual([table.info(70), table.read().all, table.commandLine(70)], [
      undefined,
      [],
      "[]",
    ]);
  });

  it("shows a child of ours as the system does, and never ourselves", async () => {
    const child = spawn("sleep", ["69.5"], { detached: true });
    const table = procTable();
    const pid = child.pid ?? 0;
    assert.deepEqual(table.info(pid)?.parent, process.pid);
    assert.deepEqual(table.info(pid)?.group, pid);
    assert.deepEqual(table.info(pid)?.session, pid);
    assert.ok(Number(table.info(pid)?.startTime) > 0);
    const pids = table.read().all.map((info) => info.pid);
    assert.ok(pids.includes(pid) && !pids.includes(process.pid));
    child.kill("SIGKILL");
    await new Promise((gone) => child.once("exit", gone));
  });
});
