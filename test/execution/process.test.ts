import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { cleanUp } from "../clean-up.ts";
import { contract } from "./contract.ts";
import { processSubject } from "./process-subject.ts";
import { sized } from "../sized.ts";
import { living, uniqueSeconds, UNTIL_ASLEEP } from "./world.ts";
import { until } from "../until.ts";

const start = processSubject();

contract("the process executor", start, { atOnce: sized(20, 200) });

describe("the process executor", () => {
  const { executor, run } = start();
  cleanUp(() => executor.close());

  it("has the bytes of a process substitution that outlives the shell", async () => {
    const it = run("exec > >(tee /dev/null); echo x");
    await it.exited;
    assert.equal(it.text(), "x\n");
  });

  it("names who shed its group and its output, and ends it where that is wanted", async () => {
    for (const background of ["keep", "end"] as const) {
      const what = `sleep ${uniqueSeconds()}`;
      const { executor, run } = start({ background });
      const it = run(`setsid ${what} </dev/null >/dev/null 2>&1 & ${UNTIL_ASLEEP}; echo over`);
      const { outcome, leftovers } = await it.exited;
      assert.deepEqual(outcome, { type: "exited", code: 0 });
      if (background === "keep") assert.deepEqual(leftovers.map(({ command }) => command), [what]);
      else await until(() => living(what).length === 0);
      await executor.close();
      assert.deepEqual(living(what), []);
    }
  });

  it("ends on request what a command that is closed left with nothing but its mark", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const it = run(`(setsid ${what} >/dev/null 2>&1 </dev/null &); echo over`);
    await it.exited; // not its close: a child of Deno's holds a copy of the output
    await until(() => living(what).length > 0);
    assert.deepEqual(await executor.sweep?.(it.commandId), []);
    assert.deepEqual(living(what), []);
    await it.completed;
    assert.equal(executor.send(it.commandId, { type: "stop", by: "stop" }), false);
    assert.deepEqual(await executor.sweep?.(it.commandId), []);
  });
});
