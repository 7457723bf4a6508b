import assert from "node:assert/strict";
import process from "node:process";
import { after, describe, it } from "node:test";
import { EnvValues } from "../../../src/event/env-values.ts";
import { processExecutor } from "../../../src/execution/process/process-executor.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { bash, drive } from "../drive.ts";
import { living, uniqueSeconds } from "../world.ts";
import { runArgs } from "../../run-args.ts";
import { until } from "../../until.ts";

const outer = (name: string, graceMs: number) =>
  processExecutor({
    processes: hostProcesses(`shellflow-${name}`),
    clock: systemClock,
    runtimeId: `${name}-${process.pid}`,
    graceMs,
  });
const executor = outer("outer", 3_000);
/** Has killed what is left before the watchdog of an inner runtime kills what it knows of. */
const hasty = outer("hasty", 300);
after(async () => {
  await executor.close();
  await hasty.close();
});

const run = (command: string) => drive(executor, bash(command));
const table = procTable();
const hostArgs = runArgs(new URL("./host.ts", import.meta.url));
let count = 0;

/** A command that runs a runtime that runs a command. */
function inner(command: string, { how = "stay", by = executor } = {}) {
  const id = `inner-${process.pid}-${++count}`;
  const words = [process.execPath, ...hostArgs, id, command, how];
  const line = words.map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(" ");
  const hosts = () =>
    table.read().all.filter(({ pid, state }) =>
      state !== "Z" && table.commandLine(pid).includes(`${hostArgs.at(-1)} ${id} `) &&
      !table.commandLine(pid).startsWith("bash")
    );
  const dogs = () =>
    table.read().all.filter(({ pid, state }) =>
      state !== "Z" && table.commandLine(pid).includes(`shellflow-watchdog ${id} `)
    );
  const values = ["PATH", "HOME", "DENO_DIR"].flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  const env = new EnvValues(Object.fromEntries(values));
  const driven = drive(by, { ...bash(line), cwd: process.cwd(), env });
  return { driven, hosts, dogs };
}

describe("a runtime in a command of another", () => {
  it("ends with all of its work when the command is stopped", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const { driven, hosts, dogs } = inner(`${what} & (setsid ${what} >/dev/null 2>&1 &) ; wait`);
    await until(() => living(what).length >= 2 && dogs().length === 1);
    executor.send(driven.commandId, { type: "stop", by: "stop" });
    await driven.completed;
    assert.deepEqual([living(what), hosts()], [[], []]);
    await until(() => dogs().length === 0);
  });

  it("ends what it alone knows though the command is ended to which both belong", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const stubborn = `trap "" TERM; while :; do ${what}; done`;
    // Nothing but the pipe of the inner runtime tells whose it is.
    const line = `(setsid env -i $BASH -c '${stubborn}' &) ; sleep 3600`;
    const { driven, hosts, dogs } = inner(line, { by: hasty });
    await until(() => living(what).some(({ parent }) => parent > 1) && dogs().length === 1);
    hasty.send(driven.commandId, { type: "stop", by: "stop" });
    await driven.completed;
    assert.deepEqual(hosts(), []);
    await until(() => living(what).length === 0);
    await until(() => dogs().length === 0);
  });

  it("ends its own work and nothing else when it is killed", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const other = `sleep ${uniqueSeconds()}`;
    const beside = run(`${other} & (setsid ${other} &) ; wait`);
    const { driven, hosts, dogs } = inner(`${what} & (setsid ${what} &) ; wait`);
    await until(() => living(what).length >= 2 && living(other).length >= 2);
    await until(() => dogs().length === 1);
    for (const { pid } of hosts()) process.kill(pid, "SIGKILL");
    await until(() => living(what).length === 0);
    await driven.completed;
    assert.equal(living(other).filter(({ pid }) => table.commandLine(pid) === other).length, 2);
    executor.send(beside.commandId, { type: "stop", by: "stop" });
    await beside.completed;
    assert.deepEqual(living(other), []);
  });

  it("ends its own work and nothing else when it closes", async () => {
    const what = `sleep ${uniqueSeconds()}`;
    const other = `sleep ${uniqueSeconds()}`;
    const beside = run(`(setsid ${other} &) ; exec ${other}`);
    await until(() => living(other).length >= 2);
    const { driven, dogs } = inner(`(setsid ${what} >/dev/null 2>&1 &) ; echo x`, { how: "close" });
    assert.deepEqual((await driven.exited).outcome, { type: "exited", code: 0 });
    assert.equal(driven.text(), "closed\n");
    assert.deepEqual(living(what), []);
    await until(() => dogs().length === 0);
    assert.equal(living(other).filter(({ pid }) => table.commandLine(pid) === other).length, 2);
    executor.send(beside.commandId, { type: "stop", by: "stop" });
    await beside.completed;
  });
});
