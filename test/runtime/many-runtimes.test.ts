import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime } from "../../src/runtime/create.ts";
import { cleanUp } from "../clean-up.ts";

/** More than Deno has threads for calls that block. */
const MANY = 36;

describe("many runtimes in one process", () => {
  it("keep a shell each, and cause no warning", async () => {
    const warnings: Error[] = [];
    const note = (warning: Error) => void warnings.push(warning);
    process.on("warning", note);
    cleanUp(() => process.off("warning", note));
    const all = await Promise.all(
      Array.from({ length: MANY }, () => createRuntime({ mode: "bypass" })),
    );
    const outputs = [];
    for (const [i, runtime] of all.entries()) {
      const { output } = await runtime.run(`echo ${i}`, { sessionId: "s", executor: "shell" });
      outputs.push(output);
    }
    await Promise.all(all.map((runtime) => runtime.close()));
    assert.deepEqual(outputs, all.map((_, i) => `${i}\n`));
    assert.deepEqual(warnings, []);
  });
});
