import assert from "node:assert/strict";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { processExecutor } from "../../../src/execution/process/process-executor.ts";
import { type Clock, systemClock } from "../../../src/platform/clock.ts";
import type { Processes } from "../../../src/platform/process/processes.ts";
import { stopTask } from "../../../src/runtime/control/stop-task.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { scratch } from "../../event/scratch.ts";
import { until } from "../../until.ts";
import { living, marked, processes, sweep } from "./world.ts";

let count = 0;

/** A runtime that does not search for processes with nothing but the mark, as among many younger ones. */
const inCrowd = (
  world: Partial<Processes> = {},
  clock: Clock = systemClock,
): Promise<Runtime> =>
  createRuntime({
    mode: "bypass",
    cwd: "/",
    executor: processExecutor({
      processes: { ...processes, close: () => {}, mayHaveFollowers: () => false, ...world },
      clock,
      runtimeId: `stop-${process.pid}-${++count}`,
      graceMs: 300,
    }),
  });

/**
 * A task that is over, and left a process that ignores TERM and has nothing of it but the mark.
 *
 * @param run How the one that carries the mark runs that process; default by becoming it.
 */
async function daemonOf(
  runtime: Runtime,
  run = (what: string) => `exec ${what}`,
): Promise<{ taskId: string; what: string }> {
  const what = marked();
  const ready = join(scratch(), "ready");
  // Deno's children have copies of the output of which they do not know.
  const alone = 'for fd in /dev/fd/*; do eval "exec ${fd##*/}>&-"; done';
  const daemon = `${alone}; trap "" TERM; : > ${ready}; ${run(what)}`;
  const { taskId, outcome, leftovers } = await runtime.run(
    `setsid bash -c '${daemon}' 2>/dev/null & until [ -e ${ready} ]; do sleep 0.02; done`,
  );
  assert.deepEqual([outcome, leftovers], [{ type: "exited", code: 0 }, []]);
  await until(() => runtime.tasks.current.byId.get(taskId)?.closed === true);
  await until(() => living(what).some(({ pid }) => processes.commandLine(pid) === what));
  return { taskId, what };
}

describe("the end of a task that is over", () => {
  it("is answered to every request once also the processes that no event names are gone", async () => {
    await using runtime = await inCrowd();
    const { taskId, what } = await daemonOf(runtime);
    const stop = () => stopTask(runtime, taskId);
    const answer = { taskId, outcome: { type: "exited", code: 0 }, leftovers: [] };
    assert.deepEqual(await Promise.all([stop(), stop()]), [answer, answer]);
    assert.deepEqual(living(what), []);
    assert.deepEqual(await stop(), answer);
  });

  it("names processes that cannot be ended", async () => {
    const fast: Clock = {
      ...systemClock,
      monotonic: () => systemClock.monotonic() * 20,
      after: (ms, call) => systemClock.after(ms / 20, call),
    };
    await using runtime = await inCrowd({ signal: () => true }, fast);
    const { taskId, what } = await daemonOf(runtime);
    const { leftovers } = await stopTask(runtime, taskId);
    assert.deepEqual(leftovers.map(({ command }) => command), [what]);
    sweep(what);
    await until(() => living(what).length === 0);
  });

  it("is waited for by the end of its runtime", async () => {
    const runtime = await inCrowd();
    // Known by its parent alone, which ends at once.
    const child = (what: string) => `env -i ${what} & trap - TERM; wait`;
    const { taskId, what } = await daemonOf(runtime, child);
    const over: string[] = [];
    void stopTask(runtime, taskId).then(() => over.push("stop"));
    await until(() => living(what).length <= 1);
    await runtime.close().then(() => over.push("close"));
    assert.deepEqual([over, living(what)], [["stop", "close"], []]);
  });
});
