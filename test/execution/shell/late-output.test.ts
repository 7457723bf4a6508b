import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { CommandId } from "../../../src/event/command.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { cleanUp } from "../../clean-up.ts";

const COMMANDS = 200;

/** Ways to leave somebody behind who writes `late N` some time after the command's end. */
const WRITERS: readonly ((seconds: string, n: number) => string)[] = [
  (s, n) => `{ sleep ${s}; echo late ${n}; } &`,
  (s, n) => `( sleep ${s}; echo late ${n} ) &`,
  (s, n) => `( ( sleep ${s}; echo late ${n} ) & )`,
  (s, n) => `{ sleep ${s}; echo late ${n}; } & disown`,
  (s, n) => `setsid bash -c 'sleep ${s}; echo late ${n}' &`,
  (s, n) => `nohup bash -c 'sleep ${s}; echo late ${n}' 2>/dev/null &`,
  (s, n) => `echo late ${n} > >(sleep ${s}; cat)`,
  (s, n) => `{ sleep ${s}; echo late ${n} >/dev/stderr; } &`,
  (s, n) => `later() { sleep ${s}; echo late $1; }; later ${n} &`,
  // While another is left, bash warns of it.
  (s, n) => `{ coproc { sleep ${s}; echo late ${n} >&3; }; } 3>&2 2>/dev/null`,
];

/** Some have written before the next command comes, and some long after it has gone. */
const delays = (n: number) => (n % 3 === 0 ? 0.4 + (n % 7) / 20 : (n % 11) / 400).toFixed(4);

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
    let late = 0;
    for (let n = 0; n < COMMANDS; n++) {
      const write = WRITERS[n % WRITERS.length] ?? String;
      const running = runtime.start(`${write(delays(n), n)}\necho now ${n}`, { sessionId: "s" });
      const log = await running.output;
      assert.ok(log !== undefined);
      const { outcome, output } = await running.result;
      assert.deepEqual(outcome, { type: "exited", code: 0 });
      assert.ok(output.includes(`now ${n}\n`));
      if (!output.includes("late")) late++;
      ids.push(running.taskId);
    }
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
    assert.ok(late > COMMANDS / 4, `${late} have written after their end`);
  });
});
