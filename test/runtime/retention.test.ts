import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { TaskOutput } from "../../src/output/byte-log.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import type { OutputOptions } from "../../src/runtime/options/options.ts";
import type { Running, Runtime } from "../../src/runtime/runtime.ts";
import { until } from "../until.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const runtimeWith = (output: OutputOptions) =>
  createRuntime({
    mode: "bypass",
    cwd: scratch,
    graceMs: 300,
    output: { ended: { logs: 1, bytes: 1e9 }, ...output },
  });

/** A command that lets go of its output long before it ends, which it does once a file is there. */
async function silent(runtime: Runtime, write: string): Promise<{
  readonly running: Running;
  readonly log: TaskOutput;
  readonly end: () => void;
}> {
  const go = join(scratch, `go-${crypto.randomUUID()}`);
  // All of them: Deno's children have copies of their output that they do not know of.
  const close = 'for fd in /proc/$$/fd/*; do eval "exec ${fd##*/}>&-"; done';
  const running = runtime.start(`${write}; ${close}; until [ -e ${go} ]; do sleep 0.02; done`);
  const log = await running.output;
  if (log === undefined) throw new Error("the command did not run");
  await until(() => log.ended);
  return { running, log, end: () => writeFileSync(go, "") };
}

/** Have more commands end than are kept. */
async function others(runtime: Runtime): Promise<void> {
  for (const word of ["a", "b", "c"]) {
    assert.equal((await runtime.run(`echo ${word}`)).output, `${word}\n`);
  }
}

describe("the output of a command that has closed it and runs on", () => {
  it("is kept, however many others end meanwhile, until it has ended", async () => {
    await using runtime = await runtimeWith({});
    const { running, log, end } = await silent(runtime, "echo x");
    await others(runtime);
    end();
    assert.equal((await running.result).output, "x\n");
    assert.equal((await runtime.read(running.taskId)).bytes.length, 2);
    await others(runtime);
    await until(() => log.released);
  });

  it("is kept in its file as well", async () => {
    await using runtime = await runtimeWith({ headBytes: 100, tailBytes: 100 });
    const { running, log, end } = await silent(runtime, "seq 1000");
    await others(runtime);
    end();
    const { artifact, totalBytes } = await running.result;
    assert.deepEqual([artifact, totalBytes], [log.path, 3893]);
    assert.deepEqual(log.retainedRanges(), [{ from: 0, to: 3893 }]);
    await others(runtime);
    await until(() => log.released);
  });

  it("is kept when nobody waits for it any more, and when it is stopped", async () => {
    await using runtime = await runtimeWith({});
    const { running, log, end } = await silent(runtime, "echo x");
    runtime.promote(running.taskId);
    assert.equal((await running.result).outcome.type, "promoted");
    await others(runtime);
    const ended = runtime.wait(running.taskId);
    end();
    assert.equal((await ended).output, "x\n");
    const stopped = await silent(runtime, "echo y");
    await others(runtime);
    stopped.running.stop();
    const { outcome, output } = await stopped.running.result;
    assert.deepEqual([outcome.type, output], ["signaled", "y\n"]);
    await others(runtime);
    await until(() => log.released && stopped.log.released);
  });
});
