import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandId } from "../../../src/event/command.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { cleanUp } from "../../clean-up.ts";
import { gate } from "../../gate.ts";

const COMMANDS = 200;

/** Ways to leave somebody behind who waits, and writes `late N`. */
const WRITERS: readonly ((wait: string, n: number) => string)[] = [
  (wait, n) => `{ ${wait}; echo late ${n}; } &`,
  (wait, n) => `( ${wait}; echo late ${n} ) &`,
  (wait, n) => `( ( ${wait}; echo late ${n} ) & )`,
  (wait, n) => `{ ${wait}; echo late ${n}; } & disown`,
  (wait, n) => `setsid bash -c '${wait}; echo late ${n}' &`,
  (wait, n) => `nohup bash -c '${wait}; echo late ${n}' 2>/dev/null &`,
  (wait, n) => `echo late ${n} > >(${wait}; cat)`,
  (wait, n) => `{ ${wait}; echo late ${n} >/dev/stderr; } &`,
  (wait, n) => `later() { ${wait}; echo late $1; }; later ${n} &`,
  // While another is left, bash warns of it.
  (wait, n) => `{ coproc { ${wait}; echo late ${n} >&3; }; } 3>&2 2>/dev/null`,
];

/** Some write long after the next command has gone, and the others about as it comes. */
const isLate = (n: number) => n % 3 === 0;

describe("what a command's background writes late", () => {
  it(`is in its own byte log, for ${COMMANDS} commands of one shell`, async () => {
    const runtime = await createRuntime({ mode: "bypass", defaultExecutor: "shell" });
    cleanUp(() => runtime.close());
    const closedAt = new Map<CommandId, number>();
    let tell = () => {};
    const allClosed = new Promise<void>((resolve) => (tell = resolve));
    runtime.events.subscribe(({ event }) => {
      if (event.type === "output.appended") {
        assert.ok(!closedAt.has(event.commandId), "nothing comes after the close");
      }
      if (event.type !== "execution.closed") return;
      assert.deepEqual(event.leftovers, []);
      closedAt.set(event.commandId, runtime.output(event.commandId)?.total ?? -1);
      if (closedAt.size === COMMANDS) tell();
    });

    const ids: CommandId[] = [];
    const bytes: string[] = [];
    const { wait, open } = gate();
    for (let n = 0; n < COMMANDS; n++) {
      const write = WRITERS[n % WRITERS.length] ?? String;
      const waits = isLate(n) ? wait : `sleep ${((n % 11) / 400).toFixed(4)}`;
      const running = runtime.start(`${write(waits, n)}\necho now ${n}`, { sessionId: "s" });
      const log = await running.output;
      assert.ok(log !== undefined);
      const { outcome, output } = await running.result;
      assert.deepEqual(outcome, { type: "exited", code: 0 });
      assert.ok(output.includes(`now ${n}\n`));
      if (isLate(n)) assert.ok(!output.includes("late"));
      ids.push(running.taskId);
      // One of those who wait goes on, whichever it is.
      if (n > 20 && isLate(n)) open();
    }
    open(COMMANDS);
    await allClosed;
    for (const id of ids) {
      const log = runtime.output(id);
      const window = log?.peek(0, log.total);
      assert.ok(log !== undefined && window !== undefined);
      assert.equal(closedAt.get(id), log.total);
      bytes.push(new TextDecoder().decode(window));
    }
    const lines = bytes.map((text) => text.split("\n").sort().join("\n").trim());
    assert.deepEqual(lines, Array.from({ length: COMMANDS }, (_, n) => `late ${n}\nnow ${n}`));
  });
});
