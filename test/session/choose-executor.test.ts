import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandRequested } from "../../src/event/command.ts";
import { chooseExecutor } from "../../src/session/choose-executor.ts";

type ChoiceFacts = Parameters<typeof chooseExecutor>[1];

const given = (request: Partial<CommandRequested>, facts: Partial<ChoiceFacts> = {}) =>
  chooseExecutor({
    type: "command.requested",
    commandId: "a",
    sessionId: "s",
    command: "ls",
    origin: "model",
    limits: {},
    ...request,
  }, { preference: "auto", kept: true, ...facts });

describe("the executor of a command", () => {
  it("is what the call asks for, else what the runtime is set to", () => {
    assert.deepEqual(given({ executor: "shell" }, { preference: "process", kept: false }), {
      kind: "shell",
      reason: "the call asks for it",
    });
    assert.equal(given({ executor: "process" }, { preference: "shell" }).kind, "process");
    assert.deepEqual(given({}, { preference: "shell", kept: false }), {
      kind: "shell",
      reason: "the runtime is set to it",
    });
  });

  it("is by itself the shell of a session that is kept", () => {
    assert.equal(given({}, { kept: true }).kind, "shell");
    assert.deepEqual(given({}, { kept: false }), {
      kind: "process",
      reason: "it is alone in its session",
    });
  });

  it("is a process, whatever is asked for, where something pins it", () => {
    const shell = { executor: "shell" } as const;
    assert.deepEqual(given(shell, { pinned: "a container holds it" }), {
      kind: "process",
      reason: "a container holds it",
    });
    assert.deepEqual(given({ detach: true }, {}), {
      kind: "process",
      reason: "it outlives the host",
    });
  });

  it("is not the shell that somebody else has started", () => {
    assert.deepEqual(given({ origin: "model" }, { shellOrigin: "user" }), {
      kind: "process",
      reason: `the session's shell is that of origin "user"`,
    });
    assert.equal(given({ origin: "user" }, { shellOrigin: "user" }).kind, "shell");
  });

  it("is on a terminal, where the call asks for one, and the shell only where it asks for both", () => {
    const terminal = { columns: 80, rows: 24 };
    assert.equal(given({ terminal }).kind, "terminal");
    const both = { terminal, executor: "shell" } as const;
    assert.equal(given(both).kind, "terminalShell");
    assert.deepEqual(given(both, { shellOrigin: "user" }), {
      kind: "terminal",
      reason: `the session's shell is that of origin "user"`,
    });
    assert.equal(given(both, { pinned: "a container holds it" }).kind, "process");
  });
});
