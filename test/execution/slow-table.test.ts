import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { processExecutor } from "../../src/execution/process/process-executor.ts";
import { hostProcesses } from "../../src/platform/process/host-processes.ts";
import type { ProcessTable } from "../../src/platform/process/processes.ts";
import { cleanUp } from "../clean-up.ts";
import { gate } from "../gate.ts";
import { steeredClock } from "../steered-clock.ts";
import { until } from "../until.ts";
import { bash, drive } from "./drive.ts";
import { isStopped } from "./world.ts";

describe("a process table that takes long to be read", () => {
  it("does not show as asleep who was woken since, and has had no processor", async () => {
    const real = hostProcesses("shellflow-slow-table");
    /** One that is stopped stands for one that waits: for others first, and then for a processor. */
    const shown = (state: string): ProcessTable => {
      const table = real.table(true);
      return { ...table, all: table.all.map((it) => it.state === "T" ? { ...it, state } : it) };
    };
    let served: { readonly table: ProcessTable; readonly until: number } | undefined = undefined;
    let writer = 0;
    const executor = processExecutor({
      processes: {
        ...real,
        table: (fresh) => {
          if (!fresh && served !== undefined && performance.now() < served.until) {
            return served.table;
          }
          if (served === undefined) return shown("S");
          // From here on it is known that it works; it goes on in a moment.
          if (isStopped(writer)) process.kill(writer, "SIGCONT");
          return shown("R");
        },
        lastTable: () => served?.table,
      },
      // Slow, so that it has time to write before the limit.
      clock: steeredClock(0.1),
      runtimeId: `slow-table-${process.pid}`,
    });
    cleanUp(() => executor.close());
    const { wait, open } = gate();
    const line = `{ kill -STOP $BASHPID; echo late; } & echo $!; ${wait}`;
    const it = drive(executor, bash(line));
    await until(() => it.text().endsWith("\n"));
    writer = Number(it.text());
    await until(() => isStopped(writer));
    served = { table: shown("S"), until: performance.now() + 1_500 };
    open();
    await it.exited;
    assert.equal(it.text(), `${writer}\nlate\n`);
  });
});
