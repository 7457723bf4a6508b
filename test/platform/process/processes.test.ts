import assert from "node:assert/strict";
import process from "node:process";
import { after, describe, it } from "node:test";
import { systemClock } from "../../../src/platform/clock.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { runs } from "../../execution/world.ts";
import { gate } from "../../gate.ts";
import { until } from "../../until.ts";
import { procFixture } from "../proc-fixture.ts";

const fixture = procFixture();
after(fixture.remove);

/** The host with a recorded table, and what would have been signalled. */
function host() {
  const sent: [number, string | 0][] = [];
  const processes = hostProcesses("shellflow-test", {
    table: fixture.table,
    kill: (pid, signal) => {
      sent.push([pid, signal]);
      if (fixture.table.info(Math.abs(pid)) === undefined) {
        throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
      }
    },
  });
  return { processes, sent };
}

describe("a signal to a process", () => {
  it("goes to the one that is meant", () => {
    fixture.set([{ pid: 70, startTime: 100 }]);
    const { processes, sent } = host();
    assert.equal(processes.signal({ pid: 70, startTime: "100" }, "SIGTERM"), true);
    assert.deepEqual(sent, [[70, "SIGTERM"]]);
  });

  it("never goes to a later one with the same pid", () => {
    fixture.set([{ pid: 70, startTime: 101 }]);
    const { processes, sent } = host();
    assert.equal(processes.signal({ pid: 70, startTime: "100" }, "SIGKILL"), false);
    assert.deepEqual(sent, []);
  });

  it("goes nowhere when there is no such process", () => {
    fixture.set([]);
    const { processes, sent } = host();
    assert.equal(processes.signal({ pid: 70, startTime: "100" }, "SIGKILL"), false);
    assert.deepEqual(sent, []);
  });

  it("never goes to init, to this process, its parent or its group, nor to every process", () => {
    const pids = [0, 1, -1, process.pid, process.ppid];
    fixture.set([
      { pid: process.pid, group: 80 },
      ...[1, 80, process.ppid].map((pid) => ({ pid })),
    ]);
    const { processes, sent } = host();
    for (const pid of pids) {
      assert.equal(processes.signal({ pid, startTime: "100" }, "SIGKILL"), false);
      assert.equal(processes.signal({ pid }, "SIGKILL"), false);
    }
    for (const group of [0, 1, -1, process.pid, 80]) {
      assert.equal(processes.signalGroup(group, "SIGKILL"), false);
    }
    assert.deepEqual(sent, []);
  });

  it("answers that nobody was there, and that somebody is who takes no signal from us", () => {
    fixture.set([]);
    assert.equal(host().processes.signalGroup(70, "0"), false);
    const failing = (code: string) =>
      hostProcesses("shellflow-test", {
        table: fixture.table,
        kill: () => {
          throw Object.assign(new Error(`kill ${code}`), { code });
        },
      });
    // A child that became another user's, as by sudo.
    assert.equal(failing("EPERM").signalGroup(70, "0"), true);
    assert.equal(failing("EPERM").signalGroup(70, "SIGTERM"), false);
    assert.throws(
      () => failing("EINVAL").signalGroup(70, "SIGTERM"),
      /^Error: Cannot send SIGTERM to process -70$/,
    );
  });
});

describe("a table of processes", () => {
  it("does not serve for a time in which this process stood still while it was read", () => {
    const still = new Int32Array(new SharedArrayBuffer(4));
    let reads = 0;
    const processes = hostProcesses("shellflow-test", {
      table: {
        ...fixture.table,
        read: () => {
          reads++;
          Atomics.wait(still, 0, 0, 1_000);
          return fixture.table.read();
        },
      },
    });
    processes.table();
    // Longer than any serves that took next to nothing to read.
    Atomics.wait(still, 0, 0, 200);
    processes.table();
    assert.equal(reads, 2);
  });

  it("serves the longer the longer it takes to read, its variables included", () => {
    fixture.set([]);
    const still = new Int32Array(new SharedArrayBuffer(4));
    const read = () => ({ ...fixture.table.read(), spentMs: 90_000 });
    const processes = hostProcesses("shellflow-test", { table: { ...fixture.table, read } });
    const start = performance.now();
    const first = processes.table();
    Atomics.wait(still, 0, 0, 20);
    // None serves for longer than 400 ms, which a busy machine may take for these lines.
    assert.ok(processes.table() === first || performance.now() - start > 300);
    assert.notEqual(processes.table(true), first);
  });
});

describe("the processes of this machine", () => {
  it("are told of in the order of the world once it has caught up", async () => {
    const processes = hostProcesses("shellflow-test");
    const happened: string[] = [];
    const spec = { file: "sh", args: ["-c", "echo x"], cwd: "/", env: { PATH: "/usr/bin:/bin" } };
    const child = processes.spawn(spec, {
      data: () => happened.push("data"),
      end: () => happened.push("end"),
      exit: () => happened.push("exit"),
      error: () => happened.push("error"),
    });
    assert.ok(child !== undefined);
    // It ends while nobody listens.
    const end = performance.now() + 90_000;
    while (processes.table().all.some(({ pid, state }) => pid === child.pid && state !== "Z")) {
      assert.ok(performance.now() < end);
    }
    await new Promise<void>((resolve) => systemClock.after(0, resolve));
    assert.ok(happened.includes("data") && happened.includes("exit"), happened.join(" "));
    processes.close();
  });

  it("are told of with all their bytes, also one of many whose last ones took long to be worked on", async () => {
    const processes = hostProcesses("shellflow-test");
    const { wait, open } = gate();
    const ends: Promise<void>[] = [];
    const bash = (line: string, data: (text: string) => void, exit = () => {}) => {
      let end: () => void = () => {};
      ends.push(new Promise((resolve) => (end = resolve)));
      const spec = { file: "bash", args: ["-c", line], cwd: "/", env: { PATH: "/usr/bin:/bin" } };
      const child = processes.spawn(spec, {
        data: (chunk) => data(new TextDecoder().decode(chunk)),
        end,
        exit,
        error: end,
      });
      assert.ok(child !== undefined);
      return child.pid;
    };
    // More than have somebody who waits for each.
    const many = 40;
    let ready = 0;
    for (let i = 0; i < many; i++) bash(`echo ready; ${wait}`, () => ready++);
    await until(() => ready === many);
    const quick = gate();
    const texts: string[] = [];
    let pid = 0;
    const told = new Promise<string>((resolve) => {
      const exit = () => systemClock.after(0, () => resolve(texts.join("")));
      pid = bash(`echo first; ${quick.wait}; echo last`, (text) => texts.push(text), exit);
    });
    await until(() => texts.length > 0);
    bash("echo slow", () => {
      quick.open();
      // So much that whoever looks at intervals gives others their time, too.
      const end = performance.now() + 1_000;
      while (runs(pid) || performance.now() < end);
    });
    assert.equal(await told, "first\nlast\n");
    open(many);
    await Promise.all(ends);
    processes.close();
  });
});
