import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { openTaskOutput } from "../../../src/runtime/state/task-output.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { scratch } from "../../event/scratch.ts";
import { counted } from "../../cli/counted.ts";

describe("a reader of another process's output", () => {
  it("has one connection to the owner, for all that it reads at once or after, until it ends", async () => {
    const log = scratch();
    await using runtime = await createRuntime({ mode: "bypass", log });
    const { taskId } = await runtime.run("seq 1 60000");
    const owner = await counted(log);
    const output = await openTaskOutput(log, taskId);
    const [one, two] = await Promise.all([
      output.read({ from: 0, maxBytes: 4 }),
      output.read({ from: 4, maxBytes: 4 }),
    ]);
    assert.equal(Buffer.concat([one.bytes, two.bytes]).toString(), "1\n2\n3\n4\n");
    for (let from = 0; from < output.total; from += 65_536) {
      assert.equal((await output.read({ from, maxBytes: 65_536 })).from, from);
    }
    assert.deepEqual(owner.seen, { all: 1, open: 1 });
    await output.close();
    await owner.done();
  });

  it("reads on from the log when the owner has ended meanwhile", async () => {
    const log = scratch();
    const runtime = await createRuntime({ mode: "bypass", log });
    const { taskId } = await runtime.run("seq 1 60000");
    const output = await openTaskOutput(log, taskId);
    await runtime.close();
    assert.equal(
      Buffer.from((await output.read({ from: 0, maxBytes: 4 })).bytes).toString(),
      "1\n2\n",
    );
    await output.close();
  });
});
