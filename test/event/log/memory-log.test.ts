import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { config } from "rxjs";
import type { Recorded, RuntimeEvent } from "../../../src/event/event.ts";
import { MemoryLog } from "../../../src/event/log/memory-log.ts";
import { VirtualClock } from "../../../src/platform/virtual-clock.ts";

const lost = (n: number): RuntimeEvent => ({
  type: "task.lost",
  commandId: `task_${n}`,
  reason: "",
});
const seqs = (events: readonly Recorded[]): number[] => events.map(({ seq }) => seq);
const upTo = (n: number, from = 1): number[] =>
  Array.from({ length: n - from + 1 }, (_, i) => i + from);

describe("a log in memory", () => {
  it("gives each event the next place and the time", () => {
    const clock = new VirtualClock(100);
    const log = new MemoryLog({ clock });
    assert.equal(log.lastSeq, 0);
    assert.equal(log.firstSeq, 1);
    log.append(lost(1));
    clock.advance(5);
    assert.deepEqual(log.append(lost(2)), { seq: 2, at: 105, event: lost(2) });
    assert.equal(log.lastSeq, 2);
  });

  it("goes on from an earlier log", () => {
    const log = new MemoryLog({ clock: new VirtualClock(), lastSeq: 41 });
    const heard: Recorded[] = [];
    log.read().subscribe((recorded) => heard.push(recorded));
    assert.equal(log.firstSeq, 42);
    assert.equal(log.append(lost(1)).seq, 42);
    assert.deepEqual(seqs(heard), [42]);
  });

  it("keeps the newest events and tells which is the first", () => {
    const log = new MemoryLog({ clock: new VirtualClock(), keep: 3 });
    for (const n of upTo(8)) log.append(lost(n));
    const heard: Recorded[] = [];
    log.read(2).subscribe((recorded) => heard.push(recorded));
    assert.equal(log.firstSeq, 6);
    assert.deepEqual(heard.map(({ event }) => event), [lost(6), lost(7), lost(8)]);
  });

  it("refuses to keep nothing", () => {
    assert.throws(
      () => new MemoryLog({ clock: new VirtualClock(), keep: 0 }),
      /^RangeError: Cannot keep "0" events/,
    );
  });

  it("tells every subscriber in order, also when one of them appends", () => {
    const log = new MemoryLog({ clock: new VirtualClock() });
    const first: Recorded[] = [];
    const second: Recorded[] = [];
    log.appended.subscribe((recorded) => {
      first.push(recorded);
      if (recorded.seq < 4) log.append(lost(recorded.seq));
    });
    log.appended.subscribe((recorded) => second.push(recorded));
    log.append(lost(0));
    assert.deepEqual(seqs(first), [1, 2, 3, 4]);
    assert.deepEqual(seqs(second), [1, 2, 3, 4]);
  });

  it("tells who subscribes while it tells each event once", () => {
    const log = new MemoryLog({ clock: new VirtualClock() });
    const late: Recorded[] = [];
    log.appended.subscribe(({ seq }) => {
      if (seq !== 1) return;
      log.append(lost(2));
      log.read().subscribe((recorded) => late.push(recorded));
      log.append(lost(3));
    });
    log.append(lost(1));
    log.append(lost(4));
    assert.deepEqual(seqs(late), [1, 2, 3, 4]);
  });

  it("lets neither itself nor others be hurt by a subscriber that throws", () => {
    const reported: unknown[] = [];
    config.onUnhandledError = (cause) => reported.push(cause);
    const log = new MemoryLog({ clock: new VirtualClock() });
    const heard: Recorded[] = [];
    log.appended.subscribe(() => {
      throw new Error("broken");
    });
    log.appended.subscribe((recorded) => heard.push(recorded));
    log.append(lost(1));
    log.append(lost(2));
    assert.deepEqual(seqs(heard), [1, 2]);
    return new Promise<void>((resolve) =>
      setTimeout(() => {
        config.onUnhandledError = null;
        assert.equal(reported.length, 2, "what it threw is reported");
        resolve();
      })
    );
  });

  it("tells of an event before the place is handed out", () => {
    const taken: number[] = [];
    const log = new MemoryLog({
      clock: new VirtualClock(),
      onAppend: ({ seq }) => taken.push(seq),
    });
    log.appended.subscribe(({ seq }) => {
      assert.ok(taken.includes(seq));
      if (seq === 1) log.append(lost(2));
    });
    log.append(lost(1));
    assert.deepEqual(taken, [1, 2]);
  });

  it("completes its readers and takes nothing more once closed", async () => {
    const log = new MemoryLog({ clock: new VirtualClock() });
    let completed = 0;
    log.appended.subscribe({ complete: () => completed++ });
    log.read().subscribe({ complete: () => completed++ });
    await log.flush();
    await log.close();
    await log.close();
    assert.equal(completed, 2);
    assert.throws(() => log.append(lost(1)), /Cannot append "task\.lost": the log is closed/);
  });

  it("gives a reader, from wherever it starts, every event that is kept, once and in order", () => {
    fc.assert(
      fc.property(
        fc.nat(60),
        fc.nat(60),
        fc.nat(70),
        fc.integer({ min: 1, max: 40 }),
        (before, later, after, keep) => {
          const log = new MemoryLog({ clock: new VirtualClock(), keep });
          for (const n of upTo(before)) log.append(lost(n));
          const heard: Recorded[] = [];
          const from = Math.max(after + 1, log.firstSeq);
          log.read(after).subscribe((recorded) => heard.push(recorded));
          for (const n of upTo(later)) log.append(lost(n));
          assert.deepEqual(seqs(heard), upTo(before + later, from));
        },
      ),
    );
  });
});
