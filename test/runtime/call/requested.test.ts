import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { requested } from "../../../src/runtime/call/requested.ts";

describe("a request", () => {
  it("has no default limit where it begins with an exempt command, also behind a cd", () => {
    const limitOf = (command: string) =>
      requested(command, {}, {
        commandId: "task_1",
        sessionId: "session_1",
        cwd: undefined,
        defaults: { timeoutMs: 1_000, noTimeout: ["npm run dev"] },
      }).limits.timeoutMs;
    const exempt = ["npm run dev", " npm run dev -- -p 1", "cd web && npm run dev; ls"];
    assert.deepEqual(exempt.map(limitOf), [undefined, undefined, undefined]);
    // However long it is.
    const others = ["npm run develop", "ls; npm run dev", `${"cd a && ".repeat(8_000)}ls`];
    assert.deepEqual(others.map(limitOf), [1_000, 1_000, 1_000]);
  });
});
