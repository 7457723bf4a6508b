import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import type { OutputReleased } from "../../src/event/output.ts";
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
  run: (logs: ByteLogs, directory: string, released: readonly OutputReleased[]) => Promise<void>,
  ended: ByteLogsOptions["ended"] = { logs: 500, bytes: 1e9 },
) {
  const parent = fs.mkdtempSync(join(tmpdir(), "logs-"));
  const directory = join(parent, "out");
  const files = spillFiles(directory);
  const released: OutputReleased[] = [];
  const logs = new ByteLogs({
    clock: systemClock,
    spill: { files, freeSpaceBytes: 0, ...options },
    ended,
    onReleased: (event) => released.push(event),
  });
  try {
    await run(logs, directory, released);
  } finally {
    await logs.close();
    fs.rmSync(parent, { recursive: true });
  }
}

/** Write the output of a whole command, and wait for what follows its end. */
async function written(logs: ByteLogs, commandId: string, bytes: number): Promise<ByteLog> {
  const sink = logs.open(commandId, demand);
  sink.write(pattern(0, bytes));
  sink.end();
  await logOf(logs, commandId).flushed();
  await turn();
  return logOf(logs, commandId);
}

/** Let what follows an end happen. */
const turn = () => new Promise((resolve) => setImmediate(resolve));

test("the logs that ended first are kept no more", async () => {
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
  const kept = ["a", "b", "c", "d"].filter((id) => logs.get(id) !== undefined);
  assert.deepEqual(kept, ["a", "c", "d"]);
});

test("a log that is retained counts as ended once every retention is released", async () => {
  const logs = new ByteLogs({ clock: new VirtualClock(), ended: { logs: 1, bytes: 1e9 } });
  const release = logs.retain("a");
  const also = logs.retain("a");
  const kept = async (id: string) => {
    await turn();
    return logs.get(id) !== undefined;
  };
  for (const id of ["a", "b", "c"]) await written(logs, id, 10);
  assert.deepEqual([await kept("a"), await kept("b"), await kept("c")], [true, false, true]);
  release();
  release();
  assert.equal(await kept("c"), true, "one of two still retains the other");
  also();
  assert.deepEqual([await kept("c"), await kept("a")], [false, true]);
  const again = logs.retain("a");
  await written(logs, "d", 10);
  assert.equal(await kept("a"), true, "a late retention counts as well");
  again();
  await written(logs, "e", 10);
  assert.deepEqual([await kept("a"), await kept("d"), await kept("e")], [false, false, true]);
  await logs.close();
});

test("large logs are released for their size, but never the newest", async () => {
  const logs = new ByteLogs({ clock: new VirtualClock(), ended: { logs: 100, bytes: 3000 } });
  for (const id of ["a", "b", "c"]) {
    const sink = logs.open(id, demand);
    sink.write(pattern(0, id === "c" ? 40_000 : 1200));
    sink.end();
    await turn();
  }
  assert.deepEqual(["a", "b", "c"].filter((id) => logs.get(id) !== undefined), ["c"]);
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

test("files of ended commands give way to new ones, the first that ended first, and keep head and tail", () =>
  inDirectory({ runtimeQuotaBytes: 400_000 }, async (logs, directory, released) => {
    const first = await written(logs, "first", 150_000);
    const running = logs.open("running", demand);
    running.write(pattern(0, 100_000));
    await logOf(logs, "running").flushed();
    const second = await written(logs, "second", 150_000);
    assert.deepEqual(released, []);
    const path = first.path ?? "";
    const gone = [{ from: 10_240, to: 150_000 - 40_960 }];
    const third = await written(logs, "third", 130_000);
    assert.deepEqual(released, [
      { type: "output.released", commandId: "first", path, gone, cause: "runtimeQuota" },
    ]);
    assert.equal(third.omitted, 0);
    assert.equal(second.omitted, 0);
    assert.equal(fs.existsSync(path), false);
    assert.equal(fs.readdirSync(directory).length, 3);
    assert.equal(logs.spilledBytes, 380_000);
    assert.deepEqual([first.artifact, first.path, first.released], [undefined, undefined, false]);
    const read = await first.read({ from: 0, maxBytes: 150_000 });
    assert.deepEqual(read.gaps, gone);
    assert.deepEqual(read.bytes.subarray(10_240), pattern(150_000 - 40_960, 150_000));
    assert.equal(first.retained + first.omitted, 150_000);
    running.end();
  }));

test("where no file of an ended command is left, a command is limited by the quota of all", () =>
  inDirectory({ runtimeQuotaBytes: 200_000 }, async (logs, _directory, released) => {
    const first = await written(logs, "first", 150_000);
    const large = await written(logs, "large", 300_000);
    assert.deepEqual(released.map(({ commandId }) => commandId), ["first"]);
    assert.equal(first.fileBytes, 0);
    assert.equal(large.fileBytes, 200_000);
    assert.equal(large.omitted, 300_000 - 200_000 - 40_960);
    assert.equal(logs.spilledBytes, 200_000);
  }));

test("a file that is deleted as newer commands have ended is reported as well", () =>
  inDirectory({}, async (logs, directory, released) => {
    const { path = "" } = await written(logs, "first", 100_000);
    await written(logs, "small", 10);
    assert.deepEqual(released, []);
    await written(logs, "newest", 10);
    assert.deepEqual(released, [{
      type: "output.released",
      commandId: "first",
      path,
      gone: [{ from: 0, to: 100_000 }],
      cause: "retention",
    }]);
    await written(logs, "last", 10);
    assert.equal(released.length, 1, "what was in memory alone has no file to report");
    assert.deepEqual(fs.readdirSync(directory), []);
  }, { logs: 2, bytes: 1e9 }));

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

test("a call that waits for a log gets it when it is opened", () => {
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
