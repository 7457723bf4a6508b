import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, test } from "node:test";
import { fileURLToPath } from "node:url";
import fc from "fast-check";
import { Budget } from "../../src/output/spill/budget.ts";
import { WritePace } from "../../src/platform/file/write/write-pace.ts";
import { type SpillFiles, spillFiles } from "../../src/platform/file/spill-files.ts";
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
  inDirectory(async (spill, directory) => {
    const fixture = logFixture({ spill });
    await write(fixture, 50);
    assert.equal(fixture.log.path, undefined);
    assert.equal(fs.existsSync(directory), false);
    await write(fixture, 300_000);
    const path = fixture.log.path ?? "";
    assert.deepEqual(fixture.told, [{ type: "output.spilled", commandId: "c1", path }]);
    assert.match(path, /\/out\/[0-9a-f]{32}\.out$/);
    fixture.log.end();
    await fixture.log.flushed();
    assert.deepEqual(new Uint8Array(fs.readFileSync(path)), pattern(0, 300_000));
    assert.equal(fs.statSync(path).mode & 0o777, 0o600);
    assert.equal(fs.statSync(directory).mode & 0o777, 0o700);
    assert.equal(fixture.log.omitted, 0);
    assert.ok(fixture.log.memoryBytes <= 50, `${fixture.log.memoryBytes}`);
  }));

test("a file can be begun with the first byte", () =>
  inDirectory(async (spill) => {
    const fixture = logFixture({ spill, spillAfterBytes: 0 });
    await write(fixture, 3);
    fixture.log.end();
    await fixture.log.flushed();
    assert.deepEqual(new Uint8Array(fs.readFileSync(fixture.log.path ?? "")), pattern(0, 3));
  }));

test("what is read while the file is written is what was written, queue included", () =>
  inDirectory(async (spill) => {
    const fixture = logFixture({ spill });
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

test("any chunking gives the same file", () =>
  inDirectory(async (spill) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: 0, max: 200_000 }), { maxLength: 8 }),
        async (sizes) => {
          const fixture = logFixture({ spill });
          for (const size of sizes) {
            await write(fixture, fixture.log.total + size, Math.max(1, size));
          }
          const { log } = fixture;
          assert.equal(log.omitted, 0);
          assert.deepEqual((await readAll(fixture)).bytes, pattern(0, log.total));
          log.end();
          await log.flushed();
          assert.deepEqual((await readAll(fixture)).bytes, pattern(0, log.total));
          log.release();
        },
      ),
      { numRuns: 20 },
    );
  }));

test("single bytes are gathered for the file, and there after a moment", () =>
  inDirectory(async (files) => {
    let writes = 0;
    const counting = wrapped(files, (file) => ({
      writeNow: (bytes, at) => {
        writes++;
        return file.writeNow(bytes, at);
      },
    }));
    const fixture = logFixture({ spill: counting });
    await write(fixture, 10_000, 1);
    fixture.clock.advance(200);
    await fixture.log.flushed();
    assert.deepEqual(
      new Uint8Array(fs.readFileSync(fixture.log.path ?? "")),
      pattern(0, 10_000),
    );
    assert.ok(writes < 5, `${writes}`);
    fixture.log.release();
  }));

test("a slow disk makes the writer wait, and memory stays bounded", () =>
  inDirectory(async (files) => {
    let go: () => void = () => {};
    let stuck = true;
    const slow = wrapped(files, (file) => ({
      writeNow: () => undefined,
      write: async (bytes, at) => {
        if (stuck) await new Promise<void>((resolve) => (go = resolve));
        return await file.write(bytes, at);
      },
    }));
    const fixture = logFixture({ spill: slow });
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
  inDirectory(async (spill) => {
    const fixture = logFixture({ spill, quotaBytes: 20 });
    const { log, told } = fixture;
    await write(fixture, 45, 5);
    assert.deepEqual(told, []);
    await write(fixture, 200, 5);
    log.end();
    await log.flushed();
    assert.deepEqual(told.map(({ type }) => type), ["output.spilled", "output.limited"]);
    assert.equal(fs.statSync(log.path ?? "").size, 20);
    assert.deepEqual(log.retainedRanges(), [{ from: 0, to: 20 }, { from: 160, to: 200 }]);
  }));

test("a writer that does not wait for the disk loses the file, not the tail, nor memory's bound", () =>
  inDirectory(async (files) => {
    const spill = wrapped(files, () => ({ writeNow: () => undefined }));
    const fixture = logFixture({ spill });
    const { log, told } = fixture;
    for (let i = 0; i < 60; i++) log.append(pattern(log.total, log.total + 65_536));
    assert.ok(log.memoryBytes < 2_500_000, `${log.memoryBytes}`);
    log.end();
    await log.flushed();
    assert.deepEqual(told.map(({ type }) => type), ["output.spilled", "output.spillFailed"]);
    assert.deepEqual(log.peek(log.total - 40, log.total), pattern(log.total - 40, log.total));
    assert.equal(log.retained + log.omitted, log.total);
    log.release();
  }));

test("over its quota a command's middle is dropped, counted and told", () =>
  inDirectory(async (spill) => {
    const fixture = logFixture({ spill, quotaBytes: 100_000 });
    await write(fixture, 500_000, 33_333);
    const { log, told, demand } = fixture;
    log.end();
    await log.flushed();
    assert.deepEqual(told.slice(1), [{
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
  const { log, demand, told } = logFixture({ quotaBytes: 1000, onLimit: "end" });
  log.append(pattern(0, 1000));
  assert.equal(demand.ended, 0);
  log.append(pattern(1000, 1001));
  log.append(pattern(1001, 2000));
  assert.equal(demand.ended, 1);
  assert.deepEqual(told.map(({ type }) => type), ["output.limited"]);
});

test("over its quota a command is told of without a file, too, once memory drops something", () => {
  const limited = (limitBytes: number) => [{
    type: "output.limited",
    commandId: "c1",
    limitBytes,
    scope: "command",
    action: "drop",
  }];
  const wide = logFixture({ quotaBytes: 1000 });
  wide.log.append(pattern(0, 1000));
  assert.deepEqual(wide.told, []);
  wide.log.append(pattern(1000, 1001));
  wide.log.append(pattern(1001, 2000));
  assert.deepEqual(wide.told, limited(1000));
  assert.equal(wide.demand.ended, 0);
  assert.equal(wide.log.omitted, 1950);
  const narrow = logFixture({ quotaBytes: 20 });
  narrow.log.append(pattern(0, 50));
  assert.deepEqual([narrow.told, narrow.log.omitted], [[], 0]);
  narrow.log.append(pattern(50, 51));
  assert.deepEqual([narrow.told, narrow.log.omitted], [limited(20), 1]);
});

test("all commands share the runtime's quota, and get back what is released", () =>
  inDirectory(async (spill) => {
    const budget = new Budget(150_000);
    const first = logFixture({ spill, budget });
    const second = logFixture({ spill, budget });
    for (const fixture of [first, second]) {
      await write(fixture, 100_000);
      fixture.log.end();
      await fixture.log.flushed();
    }
    assert.equal(first.log.omitted, 0);
    assert.equal(second.log.fileBytes, 50_000);
    assert.deepEqual(second.told.slice(1), [{
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
    assert.deepEqual(fs.readdirSync(spill.directory), []);
  }));

test("a disk that is nearly full is left alone", () =>
  inDirectory(async (spill) => {
    const fixture = logFixture({ spill, freeSpaceBytes: 2 ** 52 });
    await write(fixture, 100_000);
    fixture.log.end();
    await fixture.log.flushed();
    assert.deepEqual(
      fixture.told.slice(1).map((event) =>
        event.type === "output.limited" ? event.scope : event.type
      ),
      ["disk"],
    );
    assert.equal(fixture.log.retained, 50);
  }));

test("a directory that was removed is told, and what it held can be read on", () =>
  inDirectory(async (spill, directory) => {
    const fixture = logFixture({ spill });
    await write(fixture, 200_000);
    await fixture.log.flushed();
    fs.rmSync(directory, { recursive: true });
    await write(fixture, 400_000);
    fixture.log.end();
    await fixture.log.flushed();
    const [, failed, ...rest] = fixture.told;
    assert.deepEqual(rest, []);
    assert.ok(failed?.type === "output.spillFailed");
    assert.match(failed.reason, /removed or replaced/);
    assert.equal(failed.at, 0);
    assert.deepEqual((await readAll(fixture)).bytes, pattern(0, 400_000));
    fixture.log.release();
  }));

test("a directory that was removed after the end is told to whoever reads", () =>
  inDirectory(async (spill, directory) => {
    const fixture = logFixture({ spill });
    await write(fixture, 200_000);
    fixture.log.end();
    await fixture.log.flushed();
    fs.rmSync(directory, { recursive: true });
    const read = await fixture.log.read({ from: 0, maxBytes: 200_000 });
    assert.deepEqual(read.gaps, [{ from: 10, to: 199_960 }]);
    assert.equal(fixture.told[1]?.type, "output.spillFailed");
    assert.equal(fixture.log.retained + fixture.log.omitted, 200_000);
    assert.deepEqual(fixture.log.retainedRanges(), [
      { from: 0, to: 10 },
      { from: 199_960, to: 200_000 },
    ]);
  }));

const local = new WritePace(tmpdir()).local;

for (
  const [what, of] of [["removed", /removed or replaced/], ["cut short", /has changed it/]] as const
) {
  test(
    `a file that was ${what} is told of before the end is, even while a write is under way`,
    { skip: !local && "no local file system" },
    () =>
      inDirectory(async (files) => {
        for (const slow of [false, true]) {
          let stuck = false;
          let go: () => void = () => {};
          let fd: number | undefined;
          const spill = wrapped(files, (file) => ({
            // Not by the file's own: that leaves it to a thread once a busy machine has kept it from its work.
            writeNow: (bytes) => {
              if (stuck) return undefined;
              fd ??= fs.openSync(file.path, "a");
              return fs.writeSync(fd, bytes);
            },
            write: async (bytes, at) => {
              await new Promise<void>((resolve) => (go = resolve));
              return await file.write(bytes, at);
            },
          }));
          const fixture = logFixture({ spill });
          const { log, told } = fixture;
          await write(fixture, 300_000);
          await log.flushed();
          const path = log.path ?? "";
          if (what === "removed") fs.unlinkSync(path);
          else fs.truncateSync(path, 0);
          stuck = slow;
          log.append(pattern(300_000, 300_100));
          log.end();
          const [, failed, ...rest] = told;
          assert.deepEqual(rest, []);
          assert.ok(failed?.type === "output.spillFailed", `slow: ${slow}`);
          assert.match(failed.reason, of);
          assert.equal(log.settled, !slow);
          go();
          await log.flushed();
          assert.equal(log.settled, true);
          assert.equal(told.length, 2);
          log.release();
          if (fd !== undefined) fs.closeSync(fd);
        }
      }),
  );
}

for (
  const [name, spoil, reason] of [
    ["a file", (path: string) => fs.writeFileSync(path, ""), /not a directory/],
    ["a link", (path: string) => fs.symlinkSync(tmpdir(), path), /not a directory/],
    [
      "open to others",
      (path: string) => {
        fs.mkdirSync(path);
        fs.chmodSync(path, 0o777);
      },
      /others have access/,
    ],
  ] as const
) {
  test(`a directory that is ${name} costs neither command nor tail`, () =>
    inDirectory(async (spill, directory) => {
      spoil(directory);
      const fixture = logFixture({ spill });
      await write(fixture, 200_000);
      const [failed, ...rest] = fixture.told;
      assert.deepEqual(rest, []);
      assert.ok(failed?.type === "output.spillFailed");
      assert.match(failed.reason, reason);
      assert.equal(fixture.log.path, undefined);
      assert.equal(fixture.log.retained, 50);
      assert.equal(fixture.demand.paused, false);
    }));
}

const changed = (path: string, at: number) => ({
  type: "output.spillFailed",
  commandId: "c1",
  reason: `Cannot keep "${path}": somebody else has changed it`,
  at,
});

test("a file that is cut short while it grows is given up; head, tail and writer are not", () =>
  inDirectory(async (spill) => {
    const fixture = logFixture({ spill });
    const { log, told } = fixture;
    await write(fixture, 1_000_000);
    await log.flushed();
    const path = log.path ?? "";
    fs.truncateSync(path, 0);
    await write(fixture, 20_000_000, 100_000);
    assert.deepEqual(told.slice(1), [changed(path, 0)], "it is noticed before the end");
    assert.equal(fixture.demand.paused, false);
    await write(fixture, 21_000_000, 100_000);
    log.end();
    await log.flushed();
    assert.equal(told.length, 2);
    assert.equal(log.artifact, undefined);
    const { bytes, gaps } = await readAll(fixture);
    assert.deepEqual(gaps, [{ from: 10, to: 20_999_960 }]);
    assert.deepEqual(
      bytes,
      new Uint8Array([...pattern(0, 10), ...pattern(20_999_960, 21_000_000)]),
    );
    assert.equal(log.retained + log.omitted, 21_000_000);
    log.release();
  }));

test("a file that is cut short is noticed by the next reader, and at the end", () =>
  inDirectory(async (spill) => {
    const read = logFixture({ spill });
    const ended = logFixture({ spill });
    for (const fixture of [read, ended]) {
      await write(fixture, 300_000);
      await fixture.log.flushed();
      fs.truncateSync(fixture.log.path ?? "", 100_000);
      await write(fixture, 600_000);
      await fixture.log.flushed();
    }
    const { gaps, bytes } = await read.log.read({ from: 0, maxBytes: 200_000 });
    assert.deepEqual(gaps, [{ from: 10, to: 200_000 }], "nobody knows where which bytes are now");
    assert.deepEqual(bytes, pattern(0, 10));
    ended.log.end();
    await ended.log.flushed();
    for (const { log, told } of [read, ended]) {
      assert.deepEqual(told.slice(1), [changed(log.path ?? "", 0)]);
      log.release();
    }
  }));

test("a complete file that is cut short has what is left of it", () =>
  inDirectory(async (spill) => {
    const fixture = logFixture({ spill });
    const { log, told } = fixture;
    await write(fixture, 300_000);
    log.end();
    await log.flushed();
    const path = log.path ?? "";
    fs.appendFileSync(path, "what others add to it is none of its bytes", { mode: 0o600 });
    assert.deepEqual((await readAll(fixture)).bytes, pattern(0, 300_000));
    assert.deepEqual(told.slice(1), []);
    fs.truncateSync(path, 100_000);
    const { gaps, bytes } = await log.read({ from: 90_000, maxBytes: 250_000 });
    assert.deepEqual(gaps, [{ from: 100_000, to: 299_960 }]);
    assert.deepEqual(bytes.subarray(0, 10_000), pattern(90_000, 100_000));
    assert.deepEqual(told.slice(1), [changed(path, 100_000)]);
    assert.deepEqual((await readAll(fixture)).bytes.subarray(0, 100_000), pattern(0, 100_000));
    assert.deepEqual(log.artifact, { path, bytes: 100_000 });
  }));

test("a file that somebody else writes to while it grows is good up to where it was whole", () =>
  inDirectory(async (spill) => {
    const fixture = logFixture({ spill });
    const { log, told } = fixture;
    await write(fixture, 18_000_000, 100_000);
    await log.flushed();
    const path = log.path ?? "";
    fs.appendFileSync(path, "other", { mode: 0o600 });
    await write(fixture, 19_000_000, 100_000);
    log.end();
    await log.flushed();
    const [failed] = told.slice(1);
    assert.ok(failed?.type === "output.spillFailed");
    const { at } = failed;
    assert.deepEqual(failed, changed(path, at));
    assert.ok(at >= 16 * 1024 * KB && at <= 18_000_000, `${at}`);
    const { bytes, gaps } = await log.read({ from: at - 1000, maxBytes: 1040 });
    assert.deepEqual(bytes.subarray(0, 1000), pattern(at - 1000, at));
    assert.deepEqual(gaps, [{ from: at, to: 18_999_960 }]);
    log.release();
  }));

test("a file is never reached through a link, nor one that was put in its place", () =>
  inDirectory(async (spill, directory) => {
    const fixture = logFixture({ spill });
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
    assert.equal(fs.lstatSync(path).isSymbolicLink(), true);
  }));

test("an error in the middle keeps what the file has, and the tail", () =>
  inDirectory(async (files) => {
    const failing = wrapped(files, (file) => ({
      writeNow: () => undefined,
      write: (bytes, at) =>
        at + bytes.length > 300_000
          ? at === 300_000
            ? Promise.reject(new Error("ENOSPC: no space left on device, write"))
            : file.write(bytes.subarray(0, 300_000 - at), at)
          : file.write(bytes, at),
    }));
    const fixture = logFixture({ spill: failing });
    await write(fixture, 800_000);
    fixture.log.end();
    await fixture.log.flushed();
    assert.deepEqual(fixture.told.slice(1), [{
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

const fixture = fileURLToPath(new URL("./fixture/spill-limited.ts", import.meta.url));
// Deno writes what it keeps of programs to files that may be larger than the limit: none of V8's,
// and the others to new ones.
const cache = fs.mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => fs.rmSync(cache, { recursive: true, force: true }));
const self = "Deno" in globalThis
  ? `env DENO_DIR="${cache}" "${process.execPath}" run -A --no-check --no-code-cache "${fixture}"`
  : `"${process.execPath}" --import tsx "${fixture}"`;

function inShell(script: string, wrapper: readonly string[], directory: string) {
  const [file = "bash", ...args] = [...wrapper, "bash", "-c", script, directory];
  const { stdout, stderr, status } = spawnSync(file, args, { encoding: "utf8" });
  assert.equal(status, 0, stderr);
  return JSON.parse(stdout);
}

const canLimit = spawnSync("prlimit", ["--version"]).status === 0;

test(
  "a file size limit is an error, not a death",
  { skip: !canLimit && "no prlimit" },
  () =>
    inDirectory((_, directory) => {
      const result = inShell(`exec ${self} "$0" 3072000`, [], directory);
      assert.deepEqual(result.told.map(({ type }: { type: string }) => type), [
        "output.spilled",
        "output.spillFailed",
      ]);
      assert.match(result.told[1].reason, /too large/i);
      // How much of the last write was taken is not told by every runtime.
      const { at } = result.told[1];
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
      assert.match(result.told[1].reason, /no space/i);
      assert.ok(result.fileBytes > 1_500_000 && result.fileBytes <= 2 * 1024 * KB);
      assert.equal(result.retained, result.fileBytes + 40);
      assert.deepEqual(result.tail, new Array(40).fill(63));
      return Promise.resolve();
    }),
);
