import assert from "node:assert/strict";
import { test } from "node:test";
import type { RuntimeEvent } from "../../src/event/event.ts";
import { fold } from "../../src/event/project.ts";
import { reading, unread } from "../../src/output/unread.ts";

const appended = (from: number, to: number): RuntimeEvent => ({
  type: "output.appended",
  commandId: "c1",
  from,
  to,
});
const read = (owner: string, to: number): RuntimeEvent => ({
  type: "output.read",
  commandId: "c1",
  owner,
  to,
});
const after = (...events: RuntimeEvent[]) =>
  fold(reading, events.map((event, i) => ({ seq: i + 1, at: 0, event })));

test("a reader who never read has everything unread", () => {
  assert.deepEqual(unread(after(appended(0, 5)), "c1", "agent"), { from: 0, to: 5 });
});

test("each reader has an unread range of its own", () => {
  const state = after(appended(0, 5), read("agent", 5), appended(5, 9), read("person", 2));
  assert.deepEqual(unread(state, "c1", "agent"), { from: 5, to: 9 });
  assert.deepEqual(unread(state, "c1", "person"), { from: 2, to: 9 });
});

test("reading an earlier range again makes nothing unread", () => {
  const state = after(appended(0, 9), read("agent", 9), read("agent", 3));
  assert.deepEqual(unread(state, "c1", "agent"), { from: 9, to: 9 });
});

test("nothing is unread of what nobody knows", () => {
  assert.deepEqual(unread(after(), "c2", "agent"), { from: 0, to: 0 });
});
