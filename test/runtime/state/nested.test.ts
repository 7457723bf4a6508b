import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime } from "../../../src/runtime/create.ts";
import { quote } from "../../../src/shell/quote.ts";
import { scratch } from "../../event/scratch.ts";
import { living, marked, sleeping, startHost } from "./world.ts";
import { runArgs } from "../../run-args.ts";
import { until } from "../../until.ts";

/** A line that runs a runtime with an attached and a detached command, and what those two run. */
function inner() {
  const log = scratch();
  const [attached, detached] = [marked(), marked()];
  const plan = join(log, "plan.json");
  writeFileSync(
    plan,
    JSON.stringify({ log, attached: [`${attached}; :`], detached: [`${detached}; :`] }),
  );
  const host = runArgs(new URL("./host.ts", import.meta.url));
  const words = [process.execPath, ...host].map(quote).join(" ");
  const line = `exec 9>&1; exec ${words} < ${plan}`;
  // The programs themselves: what is around the detached one lets go of the outer command before it starts it.
  const both = () => [attached, detached].every((what) => sleeping(what).length > 0);
  return { log, attached, detached, line, both };
}

describe("a detached command of a runtime that runs in a command of another", () => {
  it("outlives that command and that runtime, and goes on with the next owner of its log", async () => {
    const { log, attached, detached, line, both } = inner();
    const outer = await createRuntime({ mode: "bypass", env: { inherit: "all" }, graceMs: 300 });
    const { taskId, result } = outer.start(line);
    await until(both);
    outer.stop(taskId);
    assert.deepEqual((await result).leftovers, []);
    assert.deepEqual(living(attached), []);
    // It does not hold the output either, be it by a descriptor that it was never told of.
    await until(() => outer.tasks.current.byId.get(taskId)?.closed === true);
    await outer.close();
    assert.ok(living(detached).length > 0);

    await using next = await createRuntime({ mode: "bypass", log, cwd: "/", graceMs: 300 });
    const [adopted] = [...next.tasks.current.byId.values()].filter(({ detached }) => detached);
    assert.equal(adopted?.status, "running");
    next.stop(adopted.id);
    assert.equal((await next.wait(adopted.id)).outcome.type, "signaled");
    assert.deepEqual(living(detached), []);
  });

  it("outlives the death of that runtime, whose watchdog ends all else", async () => {
    const { attached, detached, line, both } = inner();
    const outer = await startHost({ log: scratch(), attached: [line], detached: [] });
    await until(both);
    await outer.kill();
    await until(() => living(attached).length === 0);
    assert.ok(living(detached).length > 0);
  });
});
