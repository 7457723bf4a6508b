import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { ProcessInfo } from "../../../src/platform/process/processes.ts";
import { olderProcesses } from "../../../src/platform/process/table/older-processes.ts";

const OWN_START = "500";

/** Tables of a machine, and of which processes each read. */
function machine(ownStartTime: string | undefined = OWN_START) {
  const older = olderProcesses(ownStartTime);
  const running = new Map<number, string>();
  const table = (lastPid: number) => {
    const asked: number[] = [];
    const find = older(lastPid, (pid): ProcessInfo | undefined => {
      asked.push(pid);
      const startTime = running.get(pid);
      return startTime === undefined
        ? undefined
        : { pid, parent: 1, group: pid, session: pid, state: "S", startTime };
    });
    const found = [...running.keys()].map((pid) => find(pid)?.startTime);
    return { asked, found };
  };
  return { running, table };
}

describe("processes that are older than this one", () => {
  it("are read once, and the others for each table", () => {
    const { running, table } = machine();
    running.set(10, "100").set(20, "499").set(30, "500").set(40, "900");
    assert.deepEqual(table(40).asked, [10, 20, 30, 40]);
    assert.deepEqual(table(41), { asked: [30, 40], found: ["100", "499", "500", "900"] });
  });

  it("are read anew where the system has counted past their number", () => {
    const { running, table } = machine();
    running.set(10, "100").set(70, "100");
    table(40);
    running.set(70, "901");
    assert.deepEqual(table(69).found, ["100", "100"]);
    assert.deepEqual(table(70), { asked: [70], found: ["100", "901"] });
    assert.deepEqual(table(80), { asked: [70], found: ["100", "901"] });
  });

  it("are read anew once the count has begun again", () => {
    const { running, table } = machine();
    running.set(10, "100").set(70, "100");
    table(80);
    running.set(10, "901");
    assert.deepEqual(table(12), { asked: [10, 70], found: ["901", "100"] });
    assert.deepEqual(table(12).asked, [10]);
  });

  it("are read for each table where the system shows no count, or not when this one started", () => {
    for (const lastPid of [0, Number.NaN]) {
      const { running, table } = machine();
      running.set(10, "100");
      table(lastPid);
      assert.deepEqual(table(lastPid).asked, [10]);
    }
    const { running, table } = machine("unknown");
    running.set(10, "100");
    table(40);
    assert.deepEqual(table(40).asked, [10]);
  });
});
