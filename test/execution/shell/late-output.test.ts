import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandId } from "../../../src/event/command.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { cleanUp } from "../../clean-up.ts";
import { gate } from "../../gate.ts";
import { sized } from "../../sized.ts";

const COMMANDS = sized(40, 200);
/** Who is late goes on when as many more commands are over. */
const BATCH = 20;

/** Ways to leave somebody behind who waits, and then writes `late N`. */
const WRITERS: readonly ((wait: string, n: number) => string)[] = [
  (wait, n) => `{ ${wait}; echo late ${n}; } &`,
  (wait, n) => `( ${wait}; echo late ${n} ) &`,
  (wait, n) => `( ( ${wait}; echo late ${n} ) & )`,
  (wait, n) => `{ ${wait}; echo late ${n}; } & disown`,
  (wait, n) => `setsid bash -c "${wait}; echo late ${n}" &`,
  (wait, n) => `nohup bash -c "${wait}; echo late ${n}" 2>/dev/null &`,
  (wait, n) => `echo late ${n} > >(${wait}; cat)`,
  (wait, n) => `{ ${wait}; echo late ${n} >/dev/stderr; } &`,
  (wait, n) => `later() { ${wait}; echo late $1; }; later ${n} &`,
  // While another is left, bash warns of it.
  (wait, n) => `{ coproc { ${wait}; echo late ${n} >&3; }; } 3>&2 2>/dev/null`,
];
const gates = Array.from({ length: COMMANDS / BATCH }, gate);
const isLate = (n: number) => n % 3 === 0;
/** Some may write before the next command comes, and some wait until those of the next batch have gone. */
const waits = (n: number) =>
  isLate(n) ? gates[Math.floor(n / BATCH)]?.wait ?? "" : `sleep ${((n % 11) / 400).toFixed(4)}`;

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
    for (let n = 0; n < COMMANDS; n++) {
      const write = WRITERS[n % WRITERS.length] ?? String;
      const running = runtime.start(`${write(waits(n), n)}\necho now ${n}`, { sessionId: "s" });
      const log = await running.output;
      assert.ok(log !== undefined);
      const { outcome, output } = await running.result;
      assert.deepEqual(outcome, { type: "exited", code: 0 });
      assert.ok(output.includes(`now ${n}\n`));
      if (isLate(n)) assert.equal(output, `now ${n}\n`);
      ids.push(running.taskId);
      if (n % BATCH === 0) gates[n / BATCH - 2]?.open(BATCH);
    }
    for (const { open } of gates.slice(-2)) open(BATCH);
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
