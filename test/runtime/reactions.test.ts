import assert from "node:assert/strict";
import { once } from "node:events";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime } from "../../src/runtime/create.ts";
import type { Reaction } from "../../src/runtime/reactions.ts";

describe("a reaction of an embedder", () => {
  it("that throws is named in a warning, is not asked again, and harms nothing", async () => {
    let asked = 0;
    const broken: Reaction = () => {
      asked++;
      throw new Error("no idea");
    };
    const warned = once(process, "warning");
    await using runtime = await createRuntime({ mode: "bypass", reactions: [broken] });
    const { exitCode } = await runtime.run("exit 3");
    assert.deepEqual([exitCode, asked], [3, 1]);
    const [warning] = await warned;
    assert.match(String(warning), /The reaction "broken" is not asked again, .*: no idea/);
  });
});
