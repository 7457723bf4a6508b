import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { executorsByKind } from "../../../src/execution/executors-by-kind.ts";
import { contract } from "../contract.ts";
import { bash, drive } from "../drive.ts";
import { processSubject } from "../process-subject.ts";
import { onTerminal, terminals, terminalSubject } from "./terminal-subject.ts";

contract("the terminal executor", terminalSubject, { atOnce: 20, terminal: true });

describe("an executor of terminals that cannot be loaded", () => {
  const load = () => Promise.reject(new Error("Cannot open a terminal: none is left"));

  it("leaves the command to a process, with input and the reason", async () => {
    const terminal = terminals({ load });
    const { executor: process } = processSubject()();
    const executor = executorsByKind({ kinds: { process, terminal } });
    const size = { columns: 80, rows: 24 };
    const it = drive(
      executor,
      { ...bash("read x; echo got $x"), executor: "terminal", terminal: size },
      ({ type }, commandId) => {
        if (type !== "execution.started") return;
        executor.send(commandId, { type: "input", bytes: new TextEncoder().encode("it\n") });
      },
    );
    assert.deepEqual((await it.exited).outcome, { type: "exited", code: 0 });
    assert.equal(it.text(), "got it\n");
    const reason = "Cannot open a terminal: none is left";
    const { commandId } = it;
    const fell = { type: "execution.fellBack", commandId, from: "terminal", to: "process", reason };
    assert.deepEqual(it.events[0], fell);
    await executor.close();
  });

  it("fails a command that was given to it alone", async () => {
    const failed = onTerminal(terminals({ load }), "true");
    await failed.completed;
    assert.deepEqual(failed.happened, ["end", "execution.failed"]);
  });
});
