import assert from "node:assert/strict";
import process from "node:process";
import { after, describe, it } from "node:test";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
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
    await new Promise<void>((told) => processes.caughtUp(told));
    assert.ok(happened.includes("data") && happened.includes("exit"), happened.join(" "));
    processes.close();
  });
});
