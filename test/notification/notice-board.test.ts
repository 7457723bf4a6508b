import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RuntimeEvent } from "../../src/event/event.ts";
import { MemoryLog } from "../../src/event/log/memory-log.ts";
import { fold } from "../../src/event/project.ts";
import { type DeliveredNotice, NoticeBoard } from "../../src/notification/notice-board.ts";
import { NoticeInbox } from "../../src/notification/notice-inbox.ts";
import { notices, type NoticeTable } from "../../src/notification/notices.ts";
import { systemClock } from "../../src/platform/clock.ts";

/** A board over a log in memory, with what was flushed counted. */
function world(earlier?: NoticeTable, tail?: string) {
  const log = new MemoryLog({ clock: systemClock });
  let flushes = 0;
  let table = earlier ?? notices.initial;
  const board = new NoticeBoard({
    nonce: "notice_1",
    record: (event) => void log.append(event),
    flush: () => {
      flushes++;
      return Promise.resolve();
    },
    tailOf: (commandId) => Promise.resolve(tail ?? `output of ${commandId}`),
    table: () => table,
  });
  log.appended.subscribe((recorded) => {
    table = notices.evolve(table, recorded);
    board.push();
  });
  const append = (event: RuntimeEvent) => void log.append(event);
  return {
    board: board.notices,
    flushes: () => flushes,
    table: () => {
      const events: Parameters<typeof notices.evolve>[1][] = [];
      log.read().subscribe((recorded) => events.push(recorded)).unsubscribe();
      return fold(notices, events);
    },
    start: (commandId: string, owner = "agent") =>
      append({
        type: "command.requested",
        commandId,
        sessionId: `shell_${commandId}`,
        command: "make",
        origin: "model",
        limits: {},
        owner,
        background: true,
      }),
    end: (commandId: string) =>
      append({
        type: "execution.exited",
        commandId,
        outcome: { type: "exited", code: 0 },
        durationMs: 1,
        leftovers: [],
      }),
  };
}

const idsOf = (delivered: readonly DeliveredNotice[]) =>
  delivered.map(({ commandId }) => commandId);
/** Pushes wait for texts and flushes, which are promises. */
const settle = () => new Promise((resolve) => setImmediate(resolve));

describe("notices", () => {
  it("are pushed to a subscriber once each, also those that came before and at once", async () => {
    const { board, start, end } = world();
    for (const id of ["a", "b", "c"]) start(id);
    end("a");
    const pushed: DeliveredNotice[] = [];
    const subscription = board.subscribe((notice) => pushed.push(notice));
    await settle();
    end("b");
    end("c");
    await settle();
    subscription.unsubscribe();
    assert.deepEqual(idsOf(pushed), ["a", "b", "c"]);
    assert.match(pushed[0]?.text ?? "", /output of a/);
  });

  it("show the less of each output the more of them are drained together", async () => {
    const lengths = async (count: number) => {
      const { board, start, end } = world(undefined, "x".repeat(5_000));
      for (const id of Array.from({ length: count }, (_, i) => `task_${i}`)) {
        start(id);
        end(id);
      }
      const texts = (await board.drain("agent")).map(({ text }) => text);
      assert.equal(texts.length, count);
      return new Set(texts.map((text) => /…(x*)\n/.exec(text)?.[1]?.length));
    };
    assert.deepEqual(await lengths(1), new Set([1_999]));
    assert.deepEqual(await lengths(10), new Set([1_999]));
    assert.deepEqual(await lengths(50), new Set([399]));
    assert.deepEqual(await lengths(400), new Set([99]));
  });

  it("are drained again until they are acknowledged, and not after", async () => {
    const { board, start, end } = world();
    for (const id of ["a", "b"]) {
      start(id);
      end(id);
    }
    assert.deepEqual(idsOf(await board.drain("agent")), ["a", "b"]);
    board.ack(["a:completed", "never"]);
    const [again, ...others] = await board.drain("agent");
    assert.equal(again?.id, "b:completed");
    assert.equal(again?.delivered, true);
    assert.equal(others.length, 0);
  });

  it("go to their owner alone", async () => {
    const { board, start, end } = world();
    start("a", "one");
    start("b", "two");
    end("a");
    end("b");
    assert.deepEqual(idsOf(await board.drain("two")), ["b"]);
    assert.deepEqual(idsOf(await board.drain()), ["a", "b"]);
  });

  it("count as delivered only once that is flushed, and are due again after a restart", async () => {
    const first = world();
    first.start("a");
    first.start("b");
    first.end("a");
    assert.equal(first.flushes(), 0);
    await first.board.drain("agent");
    assert.equal(first.flushes(), 1);
    const second = world(first.table());
    const [redelivered] = await second.board.drain("agent");
    assert.equal(redelivered?.id, "a:completed");
    assert.equal(redelivered?.delivered, true);
    second.end("b");
    assert.deepEqual(idsOf(await second.board.drain("agent")), ["a", "b"]);
  });

  it("are held back while an answer is about to report the same, and dropped if it does", async () => {
    const { board, start, end } = world();
    const pushed: DeliveredNotice[] = [];
    board.subscribe((notice) => pushed.push(notice));
    start("a");
    start("b");
    const claims = ["a", "b"].map((id) => board.claim(id, "agent"));
    end("a");
    end("b");
    await settle();
    assert.deepEqual(await board.drain("agent"), []);
    claims[0]?.release("end");
    claims[1]?.release();
    await settle();
    assert.deepEqual(idsOf(pushed), ["b"]);
  });

  it("show the whole set of background commands, whatever notices were missed", () => {
    const { board, start, end } = world();
    for (const id of ["a", "b", "c"]) start(id, id === "c" ? "other" : "agent");
    end("a");
    assert.deepEqual(board.background("agent").map(({ commandId }) => commandId), ["b"]);
    assert.equal(board.background().length, 2);
  });

  it("reach a model that acknowledges nothing once, and are acknowledged by its next call", async () => {
    const { board, start, end } = world();
    const inbox = new NoticeInbox(board, "agent");
    start("a");
    end("a");
    assert.deepEqual(idsOf(await inbox.take()), ["a"]);
    assert.deepEqual(await inbox.take(), []);
    assert.equal((await board.drain("agent")).length, 1);
    inbox.received();
    assert.deepEqual(await board.drain("agent"), []);
  });

  it("are acknowledged by a list of ids, and nothing else passes for one", () => {
    const { board } = world();
    const ack: (ids: never) => void = board.ack;
    assert.throws(
      () => ack("n1" as never),
      new TypeError('Cannot acknowledge "n1": it must be a list of notice ids'),
    );
  });
});
