import assert from "node:assert/strict";
import { after, describe, it } from "node:test";
import { detachedMarks } from "../../src/execution/tree/marks.ts";
import { MARK } from "../../src/platform/process/mark.ts";
import { ProcessTree } from "../../src/execution/tree/process-tree.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import type { ProcessTable } from "../../src/platform/process/processes.ts";
import { procFixture, type RecordedProcess } from "../platform/proc-fixture.ts";

const fixture = procFixture();
after(fixture.remove);

const mark = (...words: readonly string[]) => `PATH=/bin\0${MARK}=${words.join(" ")}\0`;
const LEADER = { pid: 70, startTime: 100 };
const PIPE = "/tmp/p/1 (deleted)";

/** A command whose leader is 70, in a world that is as recorded, and the signals that it got. */
function given(before: readonly RecordedProcess[] = [LEADER]) {
  const sent: [number, string][] = [];
  let world: readonly RecordedProcess[] = [];
  const real = hostProcesses("shellflow-test", {
    table: fixture.table,
    kill: (pid, signal) => {
      const there = pid < 0
        ? world.some(({ pid: own, group = own }) => group === -pid)
        : world.some((process) => process.pid === pid);
      if (!there) throw Object.assign(new Error("kill ESRCH"), { code: "ESRCH" });
      if (signal !== 0) sent.push([pid, signal]);
    },
  });
  let read: ProcessTable | undefined;
  /** One table serves until somebody asks for a fresh one, as where it takes long to be read. */
  const processes = {
    ...real,
    table: (fresh = false) => read = fresh || read === undefined ? real.table(true) : read,
  };
  const tree = new ProcessTree(processes, {
    root: { pid: 70, startTime: "100" },
    isMark: (word) => word === "us/1",
    isOutput: (link) => link === PIPE,
  });
  /** The world changes, and the table that serves is not older, unless nobody has looked since. */
  const becomes = (now: readonly RecordedProcess[], { seen = true } = {}) => {
    fixture.set(world = now);
    if (seen) processes.table(true);
  };
  const kill = () => {
    tree.signal("SIGKILL", tree.members());
    return sent.splice(0);
  };
  fixture.set(world = before);
  return { tree, becomes, kill, pids: () => tree.members().map(({ pid }) => pid), sent };
}

describe("the processes of a command", () => {
  it("are its group, its session, its descendants, and who has its mark or its output", () => {
    const { pids, kill } = given([
      LEADER,
      { pid: 71, group: 70, startTime: 101 },
      { pid: 72, group: 72, session: 70, startTime: 101 },
      { pid: 73, parent: 72, startTime: 101 },
      { pid: 74, environ: mark("outer/9", "us/1"), startTime: 101 },
      { pid: 75, files: ["/dev/null", PIPE], startTime: 101 },
      { pid: 76, parent: 75, startTime: 101 },
      { pid: 77, environ: mark("us/12", "them/1"), files: ["/tmp/p/11 (deleted)"], startTime: 101 },
    ]);
    assert.deepEqual(pids().sort(), [70, 71, 72, 73, 74, 75, 76]);
    assert.deepEqual(kill().map(([pid]) => pid).sort((a, b) => a - b), [-70, 72, 73, 74, 75, 76]);
  });

  it("are its leader alone, which gets the signals, until that has made its group", () => {
    const { tree, becomes, sent } = given([{ ...LEADER, group: 1, session: 1 }]);
    assert.ok(tree.signalGroup("SIGINT"));
    becomes([LEADER, { pid: 71, group: 70, startTime: 101 }]);
    assert.ok(tree.signalGroup("SIGTERM"));
    assert.deepEqual(sent, [[70, "SIGINT"], [-70, "SIGTERM"]]);
  });

  it("are none that started before it, and none that have ended", () => {
    const { pids } = given([
      LEADER,
      { pid: 60, environ: mark("us/1"), startTime: 99 },
      { pid: 71, group: 70, startTime: 101, state: "Z" },
    ]);
    assert.deepEqual(pids(), [70]);
  });

  it("stay known when they shed every mark after they were seen", () => {
    const { becomes, kill, pids } = given([LEADER, { pid: 71, parent: 70, startTime: 101 }]);
    assert.deepEqual(pids(), [70, 71]);
    becomes([{ pid: 71, parent: 1, startTime: 101 }]);
    assert.deepEqual(kill(), [[71, "SIGKILL"]]);
  });

  it("are none of a detached command, also when one was seen as a copy of who started it", () => {
    const copy = { pid: 71, parent: 70, startTime: 101, environ: mark("us/1") };
    const detached = Object.entries(detachedMarks("task_2")).map(([name, value]) =>
      `${name}=${value}\0`
    ).join("");
    const { pids, becomes } = given([LEADER, copy]);
    assert.deepEqual(pids().sort(), [70, 71]);
    const own = { ...copy, group: 71, session: 71, environ: detached };
    becomes([LEADER, own, { pid: 72, parent: 71, startTime: 102, environ: detached }]);
    assert.deepEqual(pids(), [70]);
  });

  it("are not those who got the pid of one that was seen", () => {
    const { becomes, kill, pids } = given([LEADER, { pid: 71, parent: 70, startTime: 101 }]);
    assert.deepEqual(pids(), [70, 71]);
    becomes([{ pid: 71, parent: 1, startTime: 555 }]);
    assert.deepEqual(kill(), []);
  });

  it("are not those who got the pid and the group number of the leader", () => {
    const { tree, becomes, kill, sent } = given();
    becomes([]);
    tree.leaderEnded();
    becomes([{ pid: 70, startTime: 555 }, { pid: 71, group: 70, startTime: 556 }]);
    assert.deepEqual(kill(), []);
    assert.equal(tree.signalGroup("SIGTERM"), false);
    assert.deepEqual(sent, []);
  });

  it("are not those who got the number of a group that emptied itself between two looks", () => {
    const child = { pid: 71, group: 70, startTime: 101 };
    const { tree, becomes, kill, sent } = given([LEADER, child]);
    becomes([child]);
    tree.leaderEnded();
    assert.deepEqual(kill(), [[-70, "SIGKILL"]]);
    // Nobody looked while it was empty.
    becomes([{ pid: 70, startTime: 555 }, { pid: 71, group: 70, startTime: 556 }]);
    assert.equal(tree.signalGroup("SIGTERM"), false);
    assert.deepEqual(kill(), []);
    becomes([{ pid: 72, group: 70, startTime: 557 }]);
    assert.equal(tree.signalGroup("SIGTERM"), false);
    assert.deepEqual(kill(), []);
    assert.deepEqual(sent, []);
  });

  it("are those whom the leader left in its group, with no other mark", () => {
    const child = { pid: 71, group: 70, startTime: 101 };
    const { tree, becomes, kill, sent } = given();
    becomes([child]);
    tree.leaderEnded();
    becomes([child, { pid: 72, group: 70, startTime: 102 }]);
    assert.equal(tree.signalGroup("SIGUSR1"), true);
    assert.deepEqual(sent.splice(0), [[-70, "SIGUSR1"]]);
    assert.deepEqual(kill(), [[-70, "SIGKILL"]]);
  });

  it("are those, too, who have started since the table of processes was read", () => {
    const { tree, becomes, kill, pids } = given();
    assert.deepEqual(pids(), [70]);
    const child = { pid: 71, group: 70, startTime: 101 };
    becomes([child], { seen: false });
    tree.leaderEnded();
    becomes([child]);
    assert.deepEqual(kill(), [[-70, "SIGKILL"]]);
  });
});
