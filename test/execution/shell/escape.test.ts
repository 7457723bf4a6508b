import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { cleanUp } from "../../clean-up.ts";
import { runArgs } from "../../run-args.ts";
import { type SteeredClock, steeredClock } from "../../steered-clock.ts";
import { until } from "../../until.ts";
import type { Driven } from "../drive.ts";
import { escapee, settled, sweep } from "../escape/escapee.ts";
import { WAYS } from "../escape/ways.ts";
import { isThere, living } from "../world.ts";
import { seat, startShells } from "./shells.ts";

interface Means {
  readonly driven: Driven;
  readonly stop: () => void;
  readonly clock: SteeredClock;
  readonly close: () => Promise<void>;
}

const LIMIT_MS = 600_000;

const ENDS: Readonly<Record<string, (means: Means) => Promise<unknown>>> = {
  stop: async ({ driven: { exited }, stop }) => {
    stop();
    await exited;
  },
  timeout: async ({ driven: { exited }, clock }) => {
    clock.forward(LIMIT_MS);
    await exited;
  },
  abort: async ({ driven: { unsubscribe } }) => {
    unsubscribe();
    await Promise.resolve();
  },
  close: ({ close }) => close(),
};
const names = Object.keys(ENDS);

// Processes are found and ended as those of a command with a process of its own are, whose tests
// combine every way with every end.
describe("what a command in a shell started", { concurrency: 2 }, () => {
  for (const [i, way] of WAYS.entries()) {
    const name = names[i % names.length] ?? "stop";
    it(`by ${way.name} ${way.outOfReach ? "may survive" : "is gone"} after ${name}`, async () => {
      const what = escapee();
      cleanUp(() => sweep(what));
      const clock = steeredClock();
      const { executor } = startShells({ clock });
      cleanUp(() => executor.close());
      const shell = seat(executor);
      await shell.done("cd /usr; export kept=1");
      const driven = shell.run(way.command(what), { limits: { timeoutMs: LIMIT_MS } });
      await until(() => settled(way, what));
      const stop = () => executor.send(driven.commandId, { type: "stop", by: "stop" });
      await ENDS[name]?.({ driven, stop, clock, close: () => executor.close() });
      if (!way.outOfReach) await until(() => living(what).length === 0);
      if (name === "close") return;
      await until(shell.free);
      assert.equal((await shell.done("pwd; echo $kept")).text, "/usr\n1\n");
      await executor.close();
    });
  }

  it("is gone after the host was killed, and so are all its shells", async () => {
    const what = escapee();
    cleanUp(() => sweep(what));
    const file = new URL("./host.ts", import.meta.url);
    const line = `setsid ${what} & ${what}`;
    const host = spawn(process.execPath, [...runArgs(file), line], { stdio: "inherit" });
    const { pid } = host;
    assert.ok(pid !== undefined);
    cleanUp(() => isThere(pid) && process.kill(pid, "SIGKILL"));
    await until(() => living(what).filter(({ parent }) => parent !== pid).length >= 2);
    const table = procTable();
    const shells = table.read().all.filter(({ pid: it, parent }) =>
      parent === pid && table.commandLine(it).includes("__sf_")
    );
    assert.equal(shells.length, 2);
    process.kill(pid, "SIGKILL");
    await until(() => shells.every(({ pid }) => [undefined, "Z"].includes(table.info(pid)?.state)));
    await until(() => living(what).length === 0);
  });
});
