import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { cleanUp } from "../../clean-up.ts";
import type { Driven } from "../drive.ts";
import { escapee, settled, sweep } from "../escape/escapee.ts";
import { WAYS } from "../escape/ways.ts";
import { runArgs } from "../../run-args.ts";
import { isThere, living } from "../world.ts";
import { seat, startShells } from "./shells.ts";
import { type SteeredClock, steeredClock } from "../../steered-clock.ts";
import { until } from "../../until.ts";

const table = procTable();

interface Means {
  readonly driven: Driven;
  readonly stop: () => void;
  readonly clock: SteeredClock;
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
};

describe("what a command in a shell started", { concurrency: 2 }, () => {
  for (const way of WAYS) {
    const fate = way.outOfReach ? "may survive, as nothing marks it" : "is gone";
    for (const [name, end] of Object.entries(ENDS)) {
      it(`by ${way.name} ${fate} after ${name}, and the shell takes the next command`, async () => {
        const what = escapee();
        cleanUp(() => sweep(what));
        // Slow, so that the shell has time to obey.
        const clock = steeredClock(0.2);
        const { executor } = startShells({ clock });
        cleanUp(() => executor.close());
        const shell = seat(executor);
        await shell.done("cd /usr; export kept=1");
        const limits = name === "timeout" ? { timeoutMs: LIMIT_MS } : {};
        const driven = shell.run(way.command(what), { limits });
        await until(() => settled(way, what));
        const stop = () => executor.send(driven.commandId, { type: "stop", by: "stop" });
        await end({ driven, stop, clock });
        if (!way.outOfReach) await until(() => living(what).length === 0);
        await until(shell.free);
        assert.equal((await shell.done("pwd; echo $kept")).text, "/usr\n1\n");
        await executor.close();
        assert.ok(way.outOfReach || living(what).length === 0);
      });
    }

    it(`by ${way.name} ${fate} after close`, async () => {
      const what = escapee();
      cleanUp(() => sweep(what));
      const { executor } = startShells();
      seat(executor).run(way.command(what));
      await until(() => settled(way, what));
      await executor.close();
      assert.ok(way.outOfReach || living(what).length === 0);
    });

    it(`by ${way.name} ${fate} after the host was killed, and so are all its shells`, async () => {
      const what = escapee();
      cleanUp(() => sweep(what));
      const file = new URL("./host.ts", import.meta.url);
      const host = spawn(process.execPath, [...runArgs(file), way.command(what)], {
        stdio: "inherit",
      });
      const { pid } = host;
      assert.ok(pid !== undefined);
      cleanUp(() => isThere(pid) && process.kill(pid, "SIGKILL"));
      await until(() => settled(way, what));
      const shells = table.read().all.filter(({ pid: it, parent }) =>
        parent === pid && table.commandLine(it).includes("__sf_")
      );
      assert.equal(shells.length, 2);
      process.kill(pid, "SIGKILL");
      await until(() =>
        shells.every(({ pid }) => [undefined, "Z"].includes(table.info(pid)?.state))
      );
      if (!way.outOfReach) await until(() => living(what).length === 0);
    });
  }
});
