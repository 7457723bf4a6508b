import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createRuntime } from "../../src/runtime/create.ts";
import { cleanUp } from "../clean-up.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-removed-")));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));

describe("a session whose directory was removed", () => {
  for (const executor of ["shell", "process"] as const) {
    it(`goes on in the nearest one above, with a ${executor}`, async () => {
      const deep = join(scratch, executor, "a", "b");
      mkdirSync(deep, { recursive: true });
      await using runtime = await createRuntime({ cwd: scratch, mode: "bypass" });
      runtime.openSession("s", { cwd: deep });
      const run = async (line: string) => await runtime.run(line, { sessionId: "s", executor });
      assert.equal((await run("pwd; x=kept")).output, `${deep}\n`);
      rmSync(join(scratch, executor, "a"), { recursive: true });
      const above = join(scratch, executor);
      const { output, cwd } = await run("pwd; ls; echo $x");
      assert.equal(output, `${above}\n${executor === "shell" ? "kept" : ""}\n`);
      assert.deepEqual(cwd, { before: above, after: above });
      mkdirSync(deep, { recursive: true });
      assert.equal((await run("pwd")).output, `${above}\n`, "it stays there");
      const gone = await runtime.run("pwd", { sessionId: "s", executor, cwd: "none" });
      assert.equal(gone.outcome.type, "rejected");
    });
  }
});
