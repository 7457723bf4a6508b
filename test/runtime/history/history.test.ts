import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RuntimeEvent } from "../../../src/event/event.ts";
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
      let seq = 0;
      for (let i = 0; i < 1_500; i++) {
        const [sessionId, commandId] = [`session_${i}`, `task_${i}`];
        const request = {
          sessionId,
          command: "x",
          origin: "model",
          limits: {},
          split: true,
        } as const;
        const events: readonly RuntimeEvent[] = [
          { type: "session.opened", sessionId, cwd: "/" },
          { type: "command.requested", commandId, ...request },
          { type: "command.rejected", commandId, reason: "It was" },
          { type: "output.read", commandId, owner: "agent", to: 1 },
          { type: "session.closed", sessionId, reason: "It was closed" },
        ];
        for (const event of events) history.take({ seq: ++seq, at: seq, event });
      }
      const { tasks, sessions, reading, streams } = history.last;
      return [tasks.byId, sessions.byId, reading, streams].map(({ size }) => size);
    };
    assert.deepEqual(known(Infinity), [1_500, 1_500, 1_500, 1_500]);
    assert.deepEqual(known(10_000), [1_000, 1_000, 1_000, 1_000]);
  });
});
