import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { exitStatusOf } from "../../../src/integration/acp/exit-status.ts";

describe("the exit status that a client reports", () => {
  it("is a code, a signal, or neither", () => {
    assert.deepEqual(exitStatusOf({ exitCode: 3, signal: null }), { code: 3, signal: null });
    assert.deepEqual(exitStatusOf({ exitCode: 0 }), { code: 0, signal: null });
    assert.deepEqual(exitStatusOf({ signal: "SIGTERM" }), { code: null, signal: "SIGTERM" });
    for (const nothing of [{}, { exitCode: null, signal: null }, { signal: "" }]) {
      assert.deepEqual(exitStatusOf(nothing), { code: null, signal: null });
    }
  });

  it("is the signal where a client reports a code beside it", () => {
    const status = exitStatusOf({ exitCode: 1, signal: "Killed" });
    assert.deepEqual(status, { code: null, signal: "SIGKILL" });
  });

  it("names the signal in the usual way, whichever way the client has", () => {
    const given = ["SIGKILL", "kill", "KILL", "9", "Signal 9", "Killed", "Killed: 9"];
    for (const signal of given) {
      assert.equal(exitStatusOf({ signal }).signal, "SIGKILL", signal);
    }
    assert.equal(exitStatusOf({ signal: "Segmentation fault" }).signal, "SIGSEGV");
    assert.equal(exitStatusOf({ signal: "out of memory" }).signal, "out of memory");
  });
});
