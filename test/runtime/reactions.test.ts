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

  it("that answers what is no message is not asked again, and ends no host", async () => {
    const wrong: readonly (readonly [unknown, RegExp])[] = [
      [undefined, /message undefined/],
      [false, /message false/],
      [{ type: "explode" }, /message\.type "explode"/],
      [{ type: "stop" }, /message\.commandId undefined: it is missing/],
      [
        { type: "signal", commandId: "c", signal: "NOPE" },
        /message\.signal "NOPE": it is no signal/,
      ],
      [{ type: "later", key: "k", afterMs: 1, message: null }, /message\.message null/],
    ];
    for (const [message, why] of wrong) {
      const warned = once(process, "warning");
      const reaction = (() => [message]) as Reaction;
      await using runtime = await createRuntime({ mode: "bypass", reactions: [reaction] });
      assert.equal((await runtime.run("exit 3")).exitCode, 3);
      const [warning] = await warned;
      assert.match(String(warning), /is not asked again, as it failed: Cannot perform /);
      assert.match(String(warning), why);
    }
  });
});
