import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { Budget } from "../../src/output/spill/budget.ts";
import { type SpillFiles, spillFiles } from "../../src/platform/file/spill-files.ts";
import { concatenated } from "../../src/stream/concatenated.ts";
import { runArgs } from "../run-args.ts";
import { logFixture, pattern, wrapped } from "./log-fixture.ts";

const KB = 1024;

/** Run with a directory of its own for spill files. */
async function inDirectory(run: (files: SpillFiles, directory: string) => Promise<void>) {
  const parent = fs.mkdtempSync(join(tmpdir(), "spill-"));
  const files = spillFiles(join(parent, "out"));
  try {
    await run(files, join(parent, "out"));
  } finally {
    files.close();
    fs.rmSync(parent, { recursive: true, force: true });
  }
}

/** Write a stream as its demand allows. */
async function write(
  { log, ready }: ReturnType<typeof logFixture>,
  to: number,
  chunk = 10_000,
): Promise<void> {
  while (log.total < to) {
    await ready();
    log.append(pattern(log.total, Math.min(to, log.total + chunk)));
  }
}

/** Read all there is, in pieces. */
async function readAll({ log }: ReturnType<typeof logFixture>) {
  const bytes = new Uint8Array(log.retained);
  const gaps = [];
  let size = 0;
  for (let at = 0; at < log.total;) {
    const read = await log.read({ from: at, maxBytes: 70_001 });
    bytes.set(read.bytes, size);
    size += read.bytes.length;
    gaps.push(...read.gaps);
    at = read.to;
  }
  assert.equal(size, bytes.length);
  return { bytes, gaps };
}

test("beyond memory the whole stream goes to a private file", () =>
  inDirectory(async (files, directory) => {
    const fixture = logFixture({ files });
    await write(fixture, 50);
    assert.equal(fixture.log.path, undefined);
    assert.equal(fs.existsSync(directory), false);
    await write(fixture, 300_000);
    const path = fixture.log.path ?? "";
    assert.deepEqual(fixture.reported, [{ type: "output.spilled", commandId: "c1", path }]);
    assert.match(path, /\/out\/[0-9a-f]{32}\.out$/);
    fixture.log.end();
    await fixture.log.flushed();
    assert.deepEqual(new Uint8Array(fs.readFileSync(path)), pattern(0, 300_000));
    assert.equal(fs.statSync(path).mode & 0o777, 0o600);
    assert.equal(fs.statSync(directory).mode & 0o777, 0o700);
    assert.equal(fixture.log.omitted, 0);
    assert.ok(fixture.log.memoryBytes <= 50, `${fixture.log.memoryBytes}`);
  }));

test("what is read while the file is written is what was written, queue included", () =>
  inDirectory(async (files) => {
    const fixture = logFixture({ files });
    const { log } = fixture;
    while (log.total < 2_000_000) {
      await fixture.ready();
      log.append(pattern(log.total, log.total + 9_973));
      if (log.total % 7 !== 0) continue;
      const from = Math.floor(log.total / 3);
      const { bytes, gaps, to } = await log.read({ from, maxBytes: 100_000 });
      assert.deepEqual(gaps, []);
      assert.deepEqual(bytes, pattern(from, to));
    }
    log.end();
    assert.deepEqual((await readAll(fixture)).bytes, pattern(0, log.total));
    await log.flushed();
    assert.deepEqual((await readAll(fixture)).bytes, pattern(0, log.total));
  }));

test("a slow disk makes the writer wait, and memory stays bounded", () =>
  inDirectory(async (files) => {
    let go: () => void = () => {};
    let stuck = true;
    const slow = wrapped(files, (file) => ({
      write: async (bytes) => {
        if (stuck) await new Promise<void>((resolve) => (go = resolve));
        return await file.write(bytes);
      },
    }));
    const fixture = logFixture({ files: slow });
    const { log, demand } = fixture;
    while (!demand.paused) {
      assert.ok(log.total < 1_000_000);
      log.append(pattern(log.total, log.total + 10_000));
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.ok(log.memoryBytes < 1_100_000, `${log.memoryBytes}`);
    stuck = false;
    go();
    await fixture.ready();
    assert.equal(demand.paused, false);
    await write(fixture, 2_000_000);
    log.end();
    await log.flushed();
    assert.deepEqual((await readAll(fixture)).bytes, pattern(0, 2_000_000));
    log.release();
  }));

test("a quota below what memory holds is one for the file, too", () =>
  inDirectory(async (files) => {
    const fixture = logFixture({ files, quotaBytes: 20 });
    const { log, reported } = fixture;
    await write(fixture, 45, 5);
    assert.deepEqual(reported, []);
    await write(fixture, 200, 5);
    log.end();
    await log.flushed();
    assert.deepEqual(reported.map(({ type }) => type), ["output.spilled", "output.limited"]);
    assert.equal(fs.statSync(log.path ?? "").size, 20);
    assert.deepEqual(log.retainedRanges(), [{ from: 0, to: 20 }, { from: 160, to: 200 }]);
  }));

test("a writer that does not wait for the disk loses the file, not the tail, nor memory's bound", () =>
  inDirectory((files) => {
    const stuck = wrapped(files, () => ({ write: () => new Promise(() => {}) }));
    const fixture = logFixture({ files: stuck });
    const { log, reported } = fixture;
    for (let i = 0; i < 60; i++) log.append(pattern(log.total, log.total + 65_536));
    assert.ok(log.memoryBytes < 2_500_000, `${log.memoryBytes}`);
    log.end();
    assert.deepEqual(reported.map(({ type }) => type), ["output.spilled", "output.spillFailed"]);
    assert.deepEqual(log.peek(log.total - 40, log.total), pattern(log.total - 40, log.total));
    assert.equal(log.retained + log.omitted, log.total);
    log.release();
    return Promise.resolve();
  }));

test("over its quota a command's middle is dropped, counted and reported", () =>
  inDirectory(async (files) => {
    const fixture = logFixture({ files, quotaBytes: 100_000 });
    await write(fixture, 500_000, 33_333);
    const { log, reported, demand } = fixture;
    log.end();
    await log.flushed();
    assert.deepEqual(reported.slice(1), [{
      type: "output.limited",
      commandId: "c1",
      limitBytes: 100_000,
      scope: "command",
      action: "drop",
    }]);
    assert.deepEqual(log.retainedRanges(), [
      { from: 0, to: 100_000 },
      { from: 499_960, to: 500_000 },
    ]);
    assert.equal(log.omitted, 399_960);
    assert.equal(fs.statSync(log.path ?? "").size, 100_000);
    assert.equal(demand.ended, 0);
    const { bytes, gaps } = await readAll(fixture);
    assert.deepEqual(gaps, [{ from: 100_000, to: 499_960 }]);
    assert.deepEqual(bytes.subarray(0, 100_000), pattern(0, 100_000));
    assert.deepEqual(bytes.subarray(100_000), pattern(499_960, 500_000));
    assert.ok(log.memoryBytes <= 50);
  }));

test("over its quota a command can be ended, also without a file", () => {
  const { log, demand, reported } = logFixture({ quotaBytes: 1000, onLimit: "end" });
  log.append(pattern(0, 1000));
  assert.equal(demand.ended, 0);
  log.append(pattern(1000, 1001));
  log.append(pattern(1001, 2000));
  assert.equal(demand.ended, 1);
  assert.deepEqual(reported.map(({ type }) => type), ["output.limited"]);
});

test("over its quota a command is reported also without a file, once memory drops something", () => {
  const limited = (limitBytes: number) => [{
    type: "output.limited",
    commandId: "c1",
    limitBytes,
    scope: "command",
    action: "drop",
  }];
  const wide = logFixture({ quotaBytes: 1000 });
  wide.log.append(pattern(0, 1000));
  assert.deepEqual(wide.reported, []);
  wide.log.append(pattern(1000, 1001));
  wide.log.append(pattern(1001, 2000));
  assert.deepEqual(wide.reported, limited(1000));
  assert.equal(wide.demand.ended, 0);
  assert.equal(wide.log.omitted, 1950);
  const narrow = logFixture({ quotaBytes: 20 });
  narrow.log.append(pattern(0, 50));
  assert.deepEqual([narrow.reported, narrow.log.omitted], [[], 0]);
  narrow.log.append(pattern(50, 51));
  assert.deepEqual([narrow.reported, narrow.log.omitted], [limited(20), 1]);
});

test("all commands share the runtime's quota, and get back what is released", () =>
  inDirectory(async (files) => {
    const budget = new Budget(150_000);
    const first = logFixture({ files, budget });
    const second = logFixture({ files, budget });
    for (const fixture of [first, second]) {
      await write(fixture, 100_000);
      fixture.log.end();
      await fixture.log.flushed();
    }
    assert.equal(first.log.omitted, 0);
    assert.equal(second.log.fileBytes, 50_000);
    assert.deepEqual(second.reported.slice(1), [{
      type: "output.limited",
      commandId: "c1",
      limitBytes: 150_000,
      scope: "runtime",
      action: "drop",
    }]);
    assert.equal(second.log.retained, 50_040);
    first.log.release();
    second.log.release();
    assert.equal(budget.used, 0);
    assert.deepEqual(fs.readdirSync(files.directory), []);
  }));

for (
  const [name, spoil, reason] of [
    ["a file", (path: string) => fs.writeFileSync(path, ""), /is a regular file, not a directory/],
    [
      "a link to one that is open to others",
      (path: string) => {
        fs.mkdirSync(`${path}-open`);
        fs.chmodSync(`${path}-open`, 0o777);
        fs.symlinkSync(`${path}-open`, path);
      },
      /other users have access/,
    ],
    [
      "open to others",
      (path: string) => {
        fs.mkdirSync(path);
        fs.chmodSync(path, 0o777);
      },
      /other users have access/,
    ],
  ] as const
) {
  test(`a directory that is ${name} costs neither command nor tail`, () =>
    inDirectory(async (files, directory) => {
      spoil(directory);
      const fixture = logFixture({ files });
      await write(fixture, 200_000);
      const [failed, ...rest] = fixture.reported;
      assert.deepEqual(rest, []);
      assert.ok(failed?.type === "output.spillFailed");
      assert.match(failed.reason, reason);
      assert.equal(fixture.log.path, undefined);
      assert.equal(fixture.log.retained, 50);
      assert.equal(fixture.demand.paused, false);
    }));
}

/** Read all there is in pieces, and check every byte that is no gap. */
async function readable({ log }: ReturnType<typeof logFixture>): Promise<number> {
  let size = 0;
  for (let at = 0; at < log.total;) {
    const { from, to, bytes, gaps } = await log.read({ from: at, maxBytes: 70_001 });
    const expected: Uint8Array[] = [];
    let next = from;
    for (const gap of [...gaps, { from: to, to }]) {
      expected.push(pattern(next, gap.from));
      next = gap.to;
    }
    assert.deepEqual(bytes, concatenated(expected));
    size += bytes.length;
    at = to;
  }
  return size;
}

const changes: Readonly<Record<string, (path: string) => void>> = {
  "removed": (path) => fs.unlinkSync(path),
  "cut short": (path) => fs.truncateSync(path, 100_000),
};

for (const [what, change] of Object.entries(changes)) {
  test(`a file that was ${what} is a gap to its readers, never other bytes, and the rest stays`, () =>
    inDirectory(async (files) => {
      const growing = logFixture({ files });
      const ended = logFixture({ files });
      for (const fixture of [growing, ended]) {
        await write(fixture, 300_000);
        if (fixture === ended) fixture.log.end();
        await fixture.log.flushed();
        change(fixture.log.path ?? "");
      }
      await write(growing, 600_000);
      assert.ok(await readable(growing) >= 50);
      growing.log.end();
      await growing.log.flushed();
      for (const fixture of [growing, ended]) {
        assert.equal(await readable(fixture), 50);
        assert.equal(fixture.reported.length, 1);
        fixture.log.release();
      }
    }));
}

test("a file is never reached through a link", () =>
  inDirectory(async (files, directory) => {
    const fixture = logFixture({ files });
    await write(fixture, 200_000);
    fixture.log.end();
    await fixture.log.flushed();
    const path = fixture.log.path ?? "";
    const other = join(directory, "other");
    fs.writeFileSync(other, new Uint8Array(200_000));
    fs.unlinkSync(path);
    fs.symlinkSync(other, path);
    const { gaps } = await fixture.log.read({ from: 0, maxBytes: 200_000 });
    assert.equal(gaps.length, 1);
    fixture.log.release();
    assert.equal(fs.existsSync(other), true);
  }));

test("an error in the middle keeps what the file has, and the tail", () =>
  inDirectory(async (files) => {
    const failing = wrapped(files, (file) => ({
      write: async (bytes) => {
        const room = 300_000 - fs.statSync(file.path).size;
        if (room === 0) throw new Error("ENOSPC: no space left on device, write");
        return await file.write(bytes.subarray(0, room));
      },
    }));
    const fixture = logFixture({ files: failing });
    await write(fixture, 800_000);
    fixture.log.end();
    await fixture.log.flushed();
    assert.deepEqual(fixture.reported.slice(1), [{
      type: "output.spillFailed",
      commandId: "c1",
      reason: "ENOSPC: no space left on device, write",
      at: 300_000,
    }]);
    assert.equal(fixture.demand.paused, false);
    const { bytes, gaps } = await readAll(fixture);
    assert.deepEqual(gaps, [{ from: 300_000, to: 799_960 }]);
    assert.deepEqual(bytes.subarray(0, 300_000), pattern(0, 300_000));
  }));

const words = runArgs(new URL("./fixture/spill-limited.ts", import.meta.url))
  .map((word) => `"${word}"`).join(" ");
// Deno writes what it keeps of programs to files that may be larger than the limit: none of V8's,
// and the others to new ones.
const cache = fs.mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => fs.rmSync(cache, { recursive: true, force: true }));
const self = "Deno" in globalThis
  ? `env DENO_DIR="${cache}" "${process.execPath}" ${
    words.replace('"run"', '"run" --no-code-cache')
  }`
  : `"${process.execPath}" ${words}`;

function inShell(script: string, wrapper: readonly string[], directory: string) {
  const [file = "bash", ...args] = [...wrapper, "bash", "-c", script, directory];
  const { stdout, stderr, status } = spawnSync(file, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

test("a temporary directory goes with a process that exits without closing", () =>
  inDirectory((_, directory) => {
    const fixture = runArgs(new URL("./fixture/left-behind.ts", import.meta.url));
    const { stdout } = spawnSync(process.execPath, [...fixture, directory], { encoding: "utf8" });
    assert.equal(stdout, "kept");
    assert.ok(!fs.existsSync(directory));
    return Promise.resolve();
  }));

const canLimit = spawnSync("prlimit", ["--version"]).status === 0;

test(
  "a file size limit is an error, not a death",
  { skip: !canLimit && "no prlimit" },
  () =>
    inDirectory((_, directory) => {
      const result = inShell(`exec ${self} "$0" 3072000`, [], directory);
      assert.deepEqual(result.reported.map(({ type }: { type: string }) => type), [
        "output.spilled",
        "output.spillFailed",
      ]);
      assert.match(result.reported[1].reason, /too large/i);
      // How much of the last write was taken is not reported by every runtime.
      const { at } = result.reported[1];
      assert.ok(at > 3_072_000 - 256 * KB && at <= 3_072_000, `${at}`);
      assert.equal(result.fileBytes, at);
      assert.equal(result.retained + result.omitted, result.total);
      assert.deepEqual(result.tail, new Array(40).fill(63));
      assert.equal(result.start, 100_000);
      return Promise.resolve();
    }),
);

const unshare = ["unshare", "-Urm"];
const canMount = spawnSync(
  "unshare",
  ["-Urm", "mount", "-t", "tmpfs", "tmpfs", "/mnt"],
  { encoding: "utf8" },
).status === 0;

test(
  "a full disk costs neither command nor tail",
  { skip: !canMount && "no user namespaces" },
  () =>
    inDirectory((_, directory) => {
      fs.mkdirSync(directory);
      const mount = `mount -t tmpfs -o size=2m,mode=700 tmpfs "$0"`;
      const result = inShell(`${mount}; exec ${self} "$0"`, unshare, directory);
      assert.match(result.reported[1].reason, /no space/i);
      assert.ok(result.fileBytes > 1_500_000 && result.fileBytes <= 2 * 1024 * KB);
      assert.equal(result.retained, result.fileBytes + 40);
      assert.deepEqual(result.tail, new Array(40).fill(63));
      return Promise.resolve();
    }),
);

test("what is in the file can be read while more is written", () =>
  inDirectory(async (files) => {
    const file = files.create();
    await file.write(new Uint8Array(64 * KB));
    let isWriting = true;
    const read = async () => {
      for (let count = 0; isWriting; count++) {
        assert.equal(await file.read(new Uint8Array(KB), 0), KB, `read ${count}`);
      }
    };
    const readers = [read(), read(), read()];
    for (let count = 0; count < 300; count++) {
      await file.write(new Uint8Array(64 * KB));
      await new Promise((resolve) => setImmediate(resolve));
    }
    isWriting = false;
    await Promise.all(readers);
    file.remove();
  }));
