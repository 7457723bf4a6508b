import assert from "node:assert/strict";
import { it } from "node:test";
import type { RunOptions } from "../../../src/runtime/call/request.ts";
import { sized } from "../../sized.ts";
import { terminalWorld } from "./world.ts";

/** Each of the lines below is stopped at least once. */
const ROUNDS = sized(4, 200);

/** How commands are run, each in a session of its own. */
const KINDS: readonly RunOptions[] = [
  { pty: true },
  {},
  { input: true },
  { executor: "shell", sessionId: "shell" },
  { executor: "shell", sessionId: "terminal", pty: true },
];

const STOPPED: readonly string[] = [
  "trap '' TERM HUP; while :; do sleep 0.01; done",
  "setsid sleep 1000 & sleep 1000",
  "env -i setsid sleep 1000 & wait",
  "sh -c 'trap \"\" HUP TERM; sleep 1000' & echo",
];

it("a stop ends no command that it is not about, and loses nothing of its output", async () => {
  const { runtime } = await terminalWorld({ graceMs: 50 });
  const stopAll = async () => {
    for (let round = 0; round < ROUNDS; round++) {
      const command = STOPPED[round % STOPPED.length] ?? "";
      const each = KINDS.map((kind) => {
        const { sessionId } = kind;
        return runtime.start(command, {
          ...kind,
          ...(sessionId && { sessionId: `stopped ${sessionId}` }),
        });
      });
      await Promise.all(each.map(async ({ taskId, output, result }) => {
        await output;
        await runtime.stop(taskId);
        await result;
        await runtime.stop(taskId);
      }));
    }
  };
  let over = false;
  const run = async (kind: RunOptions) => {
    while (!over) {
      const { outcome, output } = await runtime.run("sleep 0.1; echo on", kind);
      assert.deepEqual({ outcome, output: output.trimEnd() }, {
        outcome: { type: "exited", code: 0 },
        output: "on",
      });
    }
  };
  const others = [...KINDS, ...KINDS.slice(0, 2)].map(run);
  await stopAll().finally(() => over = true);
  await Promise.all(others);
});
