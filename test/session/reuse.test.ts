import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { RuntimeEvent } from "../../src/event/event.ts";
import { fold } from "../../src/event/project.ts";
import { reusable } from "../../src/session/reuse.ts";
import { sessions } from "../../src/session/sessions.ts";

interface Used {
  readonly id: string;
  readonly cwd?: string;
  readonly owner?: string;
  readonly origin?: "user";
  readonly busy?: boolean;
  readonly closed?: boolean;
}

const history = ({ id: sessionId, cwd = "/w", owner, origin, busy, closed }: Used) => {
  const commandId = `task_${sessionId}`;
  const events: RuntimeEvent[] = [{ type: "session.opened", sessionId, cwd }, {
    type: "command.requested",
    commandId,
    sessionId,
    command: "ls",
    origin: origin ?? "model",
    limits: {},
    ...(owner !== undefined && { owner }),
  }];
  if (!busy) events.push({ type: "command.cancelled", commandId, by: "user" });
  if (closed) events.push({ type: "session.closed", sessionId, reason: "done" });
  return events;
};

const find = (used: readonly Used[], wish: Partial<Parameters<typeof reusable>[1]> = {}) =>
  reusable(
    fold(sessions, used.flatMap(history).map((event, i) => ({ seq: i + 1, at: i, event }))),
    { owner: "ann", cwd: "/w", origin: "model", ...wish },
  );

describe("a session to use again", () => {
  it("is one of the owner, before one of anybody, the newest first", () => {
    assert.equal(find([{ id: "a", owner: "ann" }, { id: "b", owner: "bob" }]), "a");
    assert.equal(find([{ id: "a", owner: "ann" }, { id: "b", owner: "ann" }]), "b");
    assert.equal(find([{ id: "a", owner: "bob" }, { id: "b", owner: "eve" }]), "b");
  });

  it("stands where it is wanted", () => {
    assert.equal(find([{ id: "a", owner: "ann", cwd: "/x" }]), undefined);
    assert.equal(
      find([{ id: "a", owner: "ann", cwd: "/x" }, { id: "b", owner: "bob" }]),
      "b",
    );
  });

  it("is idle and open, and was opened for an owner whose commands are of the same origin", () => {
    assert.equal(find([{ id: "a", owner: "ann", busy: true }]), undefined);
    assert.equal(find([{ id: "a", owner: "ann", closed: true }]), undefined);
    assert.equal(find([{ id: "a" }]), undefined);
    assert.equal(find([{ id: "a", owner: "ann", origin: "user" }]), undefined);
    assert.equal(find([{ id: "a", owner: "ann", origin: "user" }], { origin: "user" }), "a");
  });
});
