import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { histories, lives } from "../event/events.ts";
import type { Recorded, RuntimeEvent } from "../../src/event/event.ts";
import { fold } from "../../src/event/project.ts";
import { hasEnded, type Task } from "../../src/task/task-view.ts";
import { tasks, tasksProjection, type TaskTable } from "../../src/task/tasks.ts";

const recorded = (events: readonly RuntimeEvent[]): readonly Recorded[] =>
  events.map((event, i) => ({ seq: i + 1, at: 1000 + i, event }));
const given = (...events: RuntimeEvent[]): TaskTable => fold(tasks, recorded(events));
const life = (number: number, length?: number): readonly RuntimeEvent[] =>
  (lives("a", "s")[number] ?? []).slice(0, length);
const task = (number: number, length?: number): Task | undefined =>
  given(...life(number, length)).byId.get("a");

const CANCELLED = 0;
const REJECTED = 1;
const DENIED = 2;
const ASKED = 3;
const REFUSED = 4;
const FAILED = 5;
const LEFT_SOMETHING = 6;
const STOPPED = 7;
const LOST = 8;

describe("tasks", () => {
  it("are queued once asked for", () => {
    assert.deepEqual(task(LEFT_SOMETHING, 1), {
      id: "a",
      sessionId: "s",
      command: "make",
      origin: "model",
      limits: { timeoutMs: 1000 },
      status: "queued",
      requestedAt: 1000,
      concerns: [],
      totalBytes: 0,
      leftovers: [],
      closed: false,
    });
  });

  it("are being prepared from their turn on, and say what is asked about them", () => {
    assert.equal(task(ASKED, 2)?.status, "preparing");
    assert.equal(task(ASKED, 2)?.cwd, "/home/me");
    assert.equal(task(ASKED, 3)?.status, "asking");
    assert.deepEqual(task(ASKED, 3)?.concerns, [{ reason: "It writes to /etc/hosts" }]);
    assert.equal(task(ASKED, 4)?.status, "preparing");
    assert.deepEqual(task(ASKED, 4)?.concerns, []);
  });

  it("run from their start to the end of their process", () => {
    const running = task(LEFT_SOMETHING, 6);
    assert.equal(running?.status, "running");
    assert.equal(running?.pid, 77);
    assert.equal(running?.startedAt, 1004);
    assert.equal(running?.totalBytes, 12);
    assert.deepEqual(running?.decision, { type: "granted", by: "rule", rules: ["Bash(make *)"] });
    const ended = task(LEFT_SOMETHING, 7);
    assert.equal(ended?.status, "ended");
    assert.deepEqual(ended?.outcome, { type: "exited", code: 2 });
    assert.equal(ended?.endedAt, 1006);
    assert.equal(ended?.durationMs, 9);
    assert.deepEqual(ended?.leftovers, [{ pid: 78, command: "sleep 9" }]);
    assert.equal(ended?.closed, false);
  });

  it("learn after their end what those they left behind wrote, and when they were gone", () => {
    assert.equal(task(LEFT_SOMETHING, 8)?.totalBytes, 20);
    const closed = task(LEFT_SOMETHING, 9);
    assert.equal(closed?.closed, true);
    assert.deepEqual(closed?.leftovers, []);
    assert.equal(closed?.endedAt, 1006);
  });

  it("say how they are being ended", () => {
    assert.equal(task(STOPPED)?.stopping, "SIGTERM");
  });

  it("say why nothing ran", () => {
    assert.equal(task(CANCELLED)?.status, "cancelled");
    assert.equal(task(CANCELLED)?.cancelledBy, "abort");
    assert.equal(task(REJECTED)?.status, "rejected");
    assert.equal(task(REJECTED)?.reason, "Cannot parse it");
    assert.equal(task(DENIED)?.status, "denied");
    assert.deepEqual(task(DENIED)?.decision, {
      type: "denied",
      reason: "The rule Bash(make *) denies it",
      rule: "Bash(make *)",
      span: { start: 0, end: 4 },
      tool: "build",
    });
    assert.equal(task(REFUSED)?.status, "failed");
    assert.equal(task(REFUSED)?.reason, "Cannot set variable");
    assert.equal(task(FAILED)?.status, "failed");
    assert.equal(task(FAILED)?.reason, "no such program");
  });

  it("are lost with their host", () => {
    assert.equal(task(LOST)?.status, "lost");
    assert.deepEqual(task(LOST)?.outcome, { type: "lost", reason: "the host is gone" });
  });

  it("end once: a second end changes nothing", () => {
    const table = given(
      ...life(LEFT_SOMETHING),
      { type: "task.lost", commandId: "a", reason: "again" },
    );
    assert.equal(table.byId.get("a")?.status, "ended");
    assert.equal(table.ended.size, 1);
  });

  it("are forgotten in the order of their ends, and never while they live", () => {
    const projection = tasksProjection(2);
    const events = [
      ...(lives("running", "s")[LEFT_SOMETHING] ?? []).slice(0, 5),
      ...["a", "b", "c", "d"].flatMap((id) => lives(id, "s")[DENIED] ?? []),
    ];
    const table = fold(projection, recorded(events));
    assert.deepEqual([...table.byId.keys()], ["running", "c", "d"]);
    assert.deepEqual([...table.ended], ["c", "d"]);
  });

  it("stay the same object when an event does not concern them", () => {
    const before = given(...life(LEFT_SOMETHING));
    const news: RuntimeEvent = { type: "session.closed", sessionId: "s", reason: "done" };
    assert.equal(tasks.evolve(before, { seq: 99, at: 0, event: news }), before);
  });

  it("are counted as ended exactly when an end was told", () => {
    fc.assert(fc.property(histories, (events) => {
      const table = given(...events);
      for (const { id, ...task } of table.byId.values()) {
        assert.equal([...table.ended].includes(id), hasEnded({ id, ...task }));
      }
      assert.equal(new Set(table.ended).size, table.ended.size);
    }));
  });

  it("are the same live as folded, at every place", () => {
    fc.assert(fc.property(histories, fc.nat(5), (events, keepEnded) => {
      const projection = tasksProjection(keepEnded);
      const all = recorded(events);
      let live = projection.initial;
      for (const [i, one] of all.entries()) {
        live = projection.evolve(live, one);
        assertSame(live, fold(projection, all.slice(0, i + 1)));
      }
    }));
  });

  it("are the same from a log as they were live", () => {
    fc.assert(fc.property(histories, (events) => {
      const all = recorded(events);
      const read = JSON.parse(JSON.stringify(all)) as readonly Recorded[];
      assertSame(fold(tasks, read), fold(tasks, all));
    }));
  });

  it("take no longer to forget when there are many", () => {
    const projection = tasksProjection(20_000);
    let table = projection.initial;
    let seq = 0;
    const run = (count: number): number => {
      const start = performance.now();
      for (let n = 0; n < count; n++) {
        for (const event of lives(`task_${seq}`, "s")[DENIED] ?? []) {
          table = projection.evolve(table, { seq: ++seq, at: 0, event });
        }
      }
      return performance.now() - start;
    };
    // What else the machine does only ever makes it longer.
    const shortest = () => Math.min(...Array.from({ length: 5 }, () => run(1_000)));
    run(2_000);
    const few = shortest();
    run(20_000);
    const full = shortest();
    assert.equal(table.byId.size, 20_000);
    assert.ok(full < few * 20, `${full} ms instead of ${few} ms`);
  });
});

function assertSame(actual: TaskTable, expected: TaskTable): void {
  assert.deepEqual([...actual.byId], [...expected.byId]);
  assert.deepEqual([...actual.ended], [...expected.ended]);
}
