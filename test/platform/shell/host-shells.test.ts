import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { hostShells } from "../../../src/platform/shell/host-shells.ts";
import { until } from "../../until.ts";

const REPORTS = 50;

describe("the end of a shell", () => {
  it("is told after all that it has reported", async () => {
    const shells = hostShells(`shellflow-test-${process.pid}-ends-`);
    const table = procTable();
    let reports = 0;
    let toldBefore: number | undefined;
    const live = shells.start({
      file: "/bin/bash",
      args: ({ bell, orders }) => [
        "-c",
        `read -r _ <"$0"; read -r to <"$1"; printf '1\\n' >"$to"; ` +
        `read -r _ <"$0"; printf '%d\\n' {2..${REPORTS}} >"$to"`,
        bell,
        orders,
      ],
      cwd: "/",
      env: {},
    }, {
      report: () => {
        reports++;
        if (reports > 1 || live === undefined) return;
        // Nothing else is heard before it has ended.
        live.send("", 1);
        while (!["Z", undefined].includes(table.info(live.pid)?.state));
      },
      exit: () => {
        toldBefore = reports;
      },
      error: (cause) => assert.fail(cause),
    });
    assert.ok(live);
    assert.equal(live.ended, false);
    live.send(`${live.reports}\n`, 0);
    await until(() => toldBefore !== undefined);
    assert.equal(live.ended, true);
    assert.equal(toldBefore, REPORTS);
    live.close();
    shells.close();
  });
});
