import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RuntimeEvent } from "../../src/event/event.ts";
import { fold } from "../../src/event/project.ts";
import { readingProjection, readTo } from "../../src/output/reading.ts";

const read = (owner: string, to: number, commandId = "c1"): RuntimeEvent => ({
  type: "output.read",
  commandId,
  owner,
  to,
});
const after = (events: readonly RuntimeEvent[]) =>
  fold(readingProjection(1_000), events.map((event, i) => ({ seq: i + 1, at: 0, event })));

describe("how far a reader has read", () => {
  it("is the start for a reader that never read, and of an unknown command", () => {
    assert.equal(readTo(after([]), "c1", "agent"), 0);
    assert.equal(readTo(after([read("person", 3)]), "c1", "agent"), 0);
    assert.equal(readTo(after([read("agent", 3)]), "c2", "agent"), 0);
  });

  it("is known for each reader by itself, and reading again makes nothing unread", () => {
    const state = after([read("agent", 9), read("person", 2), read("agent", 3)]);
    assert.equal(readTo(state, "c1", "agent"), 9);
    assert.equal(readTo(state, "c1", "person"), 2);
  });

  it("forgets the command that was not read for longest", () => {
    const others = Array.from({ length: 998 }, (_, i) => read("a", 1, `other${i}`));
    const [first, second, third] = [read("a", 1, "c1"), read("a", 1, "c2"), read("a", 1, "c3")];
    const state = after([first, second, ...others, read("a", 2, "c1"), third]);
    assert.deepEqual(["c1", "c2", "c3"].map((id) => readTo(state, id, "a")), [2, 0, 1]);
  });
});
