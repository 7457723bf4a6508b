import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { History } from "../../../src/runtime/history/history.ts";

describe("a history", () => {
  it("gives a slow reader what came while it had one of the events, up to the last one", async () => {
    const history = new History(Infinity);
    const take = (from: number, to: number) => {
      for (let seq = from; seq <= to; seq++) {
        const event = { type: "session.opened", sessionId: `session_${seq}`, cwd: "/" } as const;
        history.take({ seq, at: seq, event });
      }
    };
    take(1, 100);
    const read: number[] = [];
    for await (const { seq } of history.read({ from: 1, to: Infinity })) {
      read.push(seq);
      if (seq !== 1) continue;
      take(101, 400);
      history.news.complete();
    }
    assert.deepEqual(read, Array.from({ length: 400 }, (_, index) => index + 1));
  });

  it("knows all that its events say, and where some of these are dropped what a runtime knows", () => {
    const known = (most: number) => {
      const history = new History(most);
      for (let seq = 1; seq <= 3_000; seq++) {
        const name = `session_${Math.ceil(seq / 2)}`;
        history.take({
          seq,
          at: seq,
          event: seq % 2 === 1
            ? { type: "session.opened", sessionId: name, cwd: "/" }
            : { type: "session.closed", sessionId: name, reason: "It was closed" },
        });
      }
      return history.last.sessions.byId.size;
    };
    assert.deepEqual([known(Infinity), known(10_000)], [1_500, 1_000]);
  });
});
