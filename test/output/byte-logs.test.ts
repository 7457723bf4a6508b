import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { ByteLog } from "../../src/output/byte-log.ts";
import { ByteLogs, type ByteLogsOptions } from "../../src/output/byte-logs.ts";
import { systemClock } from "../../src/platform/clock.ts";
import { spillFiles } from "../../src/platform/file/spill-files.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";
import { pattern } from "./log-fixture.ts";

const demand = { pause: () => {}, resume: () => {}, end: () => {} };

function logOf(logs: ByteLogs, commandId: string): ByteLog {
  const log = logs.get(commandId);
  if (log === undefined) throw new Error(`Cannot find a log of "${commandId}"`);
  return log;
}

async function inDirectory(
  options: Partial<ByteLogsOptions["spill"]>,
  run: (logs: ByteLogs, directory: string) => Promise<void>,
) {
  const parent = fs.mkdtempSync(join(tmpdir(), "logs-"));
  const directory = join(parent, "out");
  const files = spillFiles(directory);
  const logs = new ByteLogs({
    clock: systemClock,
    spill: { files, freeSpaceBytes: 0, ...options },
  });
  try {
    await run(logs, directory);
  } finally {
    await logs.close();
    fs.rmSync(parent, { recursive: true });
  }
}

/** Let what follows an end happen. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("the logs that ended first are released, and say so", async () => {
  const logs = new ByteLogs({
    clock: new VirtualClock(),
    ended: { logs: 2, bytes: 1e9 },
  });
  for (const id of ["a", "b", "c", "d"]) {
    const sink = logs.open(id, demand);
    sink.write(pattern(0, 10));
    if (id !== "a") sink.end();
    await turn();
  }
  const kept = ["a", "b", "c", "d"].map((id) => [id, logOf(logs, id).released]);
  assert.deepEqual(kept, [["a", false], ["b", true], ["c", false], ["d", false]]);
  assert.deepEqual((await logOf(logs, "b").read({ from: 0 })).gaps, [{ from: 0, to: 10 }]);
});

test("large logs are released for their size, but never the newest", async () => {
  const logs = new ByteLogs({ clock: new VirtualClock(), ended: { logs: 100, bytes: 3000 } });
  for (const id of ["a", "b", "c"]) {
    const sink = logs.open(id, demand);
    sink.write(pattern(0, id === "c" ? 40_000 : 1200));
    sink.end();
    await turn();
  }
  assert.deepEqual(["a", "b", "c"].map((id) => logOf(logs, id).released), [true, true, false]);
});

test("what a released log had on disk is deleted and its quota given back", () =>
  inDirectory({}, async (logs, directory) => {
    const sink = logs.open("a", demand);
    sink.write(pattern(0, 100_000));
    sink.end();
    const log = logOf(logs, "a");
    await log.flushed();
    assert.equal(logs.spilledBytes, 100_000);
    assert.equal(fs.readdirSync(directory).length, 1);
    log.release();
    assert.equal(logs.spilledBytes, 0);
    assert.deepEqual(fs.readdirSync(directory), []);
  }));

test("files outlive the runtime, or are removed with it", async () => {
  for (const [onClose, count] of [["keep", 1], ["remove", 0]] as const) {
    await inDirectory({ onClose }, async (logs, directory) => {
      const sink = logs.open("a", demand);
      sink.write(pattern(0, 100_000));
      await logs.close();
      const found = fs.existsSync(directory) ? fs.readdirSync(directory) : [];
      assert.equal(found.length, count);
      for (const name of found) {
        assert.deepEqual(
          new Uint8Array(fs.readFileSync(join(directory, name))),
          pattern(0, 100_000),
        );
      }
    });
  }
});

test("whoever waits for a log gets it when it is opened", () => {
  const logs = new ByteLogs({ clock: new VirtualClock() });
  const seen: string[] = [];
  logs.whenOpen("a", () => seen.push("early"));
  logs.whenOpen("a", () => seen.push("never"))();
  logs.open("a", demand);
  logs.whenOpen("a", () => seen.push("late"));
  assert.deepEqual(seen, ["early", "late"]);
});

test("a command has one log, and none once all are closed", async () => {
  const logs = new ByteLogs({ clock: new VirtualClock() });
  logs.open("a", demand);
  assert.throws(() => logs.open("a", demand), /Cannot open a log for "a": there is one already/);
  await logs.close();
  await logs.close();
  assert.equal(logOf(logs, "a").ended, true);
  assert.throws(() => logs.open("b", demand), /the logs are closed/);
});
