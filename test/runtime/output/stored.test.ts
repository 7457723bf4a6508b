import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createRuntime } from "../../../src/runtime/create.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

describe("the result of a command whose output is in no memory", () => {
  it("has what a detached command wrote", async () => {
    await using runtime = await createRuntime({ mode: "bypass", log: mkdtempSync(`${scratch}/`) });
    const { taskId } = await runtime.run("echo out; seq 100000; exit 3", { detach: true });
    const result = await runtime.wait(taskId);
    const { exitCode, output, totalBytes, omittedBytes, artifact } = result;
    assert.deepEqual([exitCode, totalBytes], [3, 588_899]);
    assert.match(output, /^out\n1\n2\n/);
    assert.match(output, /; all of it is in .*\.log; .*\]\n[^]*\n100000\n$/);
    assert.ok(artifact?.endsWith(".log"));
    assert.equal(totalBytes - omittedBytes, 50 * 1024);
  });

  it("has what a command of an earlier runtime wrote, whole where it is short", async () => {
    const log = mkdtempSync(`${scratch}/`);
    const earlier = await createRuntime({ mode: "bypass", log });
    const results = [];
    for (const command of ["echo é", "true", "seq 5000", "seq 100000"]) {
      results.push(await earlier.run(command));
    }
    await earlier.close();
    await using runtime = await createRuntime({ mode: "bypass", log });
    for (const { taskId, output, totalBytes, omittedBytes } of results) {
      const again = await runtime.wait(taskId);
      assert.deepEqual([again.totalBytes, again.omittedBytes], [totalBytes, omittedBytes]);
      const [start = "", end] = output.split(/\[.* bytes omitted.*\]/);
      assert.ok(again.output.startsWith(start) && again.output.endsWith(end ?? start));
    }
  });

  it("counts what is not kept any more", async () => {
    const log = mkdtempSync(`${scratch}/`);
    const earlier = await createRuntime({ mode: "bypass", log });
    const { taskId, totalBytes } = await earlier.run("seq 100000");
    await earlier.close();
    rmSync(join(log, "output"), { recursive: true });
    await using runtime = await createRuntime({ mode: "bypass", log });
    const { output, ...result } = await runtime.wait(taskId);
    assert.equal(result.totalBytes, totalBytes);
    assert.equal(result.omittedBytes, totalBytes - output.indexOf("\n["));
  });
});
