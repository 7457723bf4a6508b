import assert from "node:assert/strict";
import { test } from "node:test";
import fc from "fast-check";
import { shownValue } from "../../src/value/shown.ts";
import { logFixture, pattern, readBy } from "./log-fixture.ts";

/** Any way to cut a stream of up to 400 bytes into chunks. */
const sizes = fc.array(fc.oneof(fc.integer({ min: 0, max: 5 }), fc.integer({ min: 0, max: 120 })), {
  maxLength: 30,
});
const limits = fc.record({
  headBytes: fc.integer({ min: 0, max: 60 }),
  tailBytes: fc.integer({ min: 0, max: 90 }),
});

test("any chunking keeps the first and the newest bytes, and total is retained and omitted", () => {
  fc.assert(fc.property(sizes, limits, (chunks, { headBytes, tailBytes }) => {
    const { log } = logFixture({ headBytes, tailBytes });
    const reused = new Uint8Array(200);
    let total = 0;
    for (const size of chunks) {
      reused.set(pattern(total, total + size));
      log.append(reused.subarray(0, size));
      reused.fill(255);
      total += size;
      const head = Math.min(headBytes, total);
      const tail = Math.max(head, total - tailBytes);
      const expected = head === tail
        ? (total === 0 ? [] : [{ from: 0, to: total }])
        : [{ from: 0, to: head }, { from: tail, to: total }].filter(({ from, to }) => to > from);
      assert.equal(log.total, total);
      assert.deepEqual(log.retainedRanges(), expected);
      assert.equal(log.retained + log.omitted, total);
      for (const { from, to } of expected) assert.deepEqual(log.peek(from, to), pattern(from, to));
    }
  }));
});

test("every reader reads the same of a range, and what is gone is a gap", async () => {
  await fc.assert(
    fc.asyncProperty(
      sizes,
      limits,
      fc.nat(500),
      fc.integer({ min: 1, max: 200 }),
      async (chunks, limits, from, maxBytes) => {
        const { log } = logFixture(limits);
        let total = 0;
        for (const size of chunks) {
          log.append(pattern(total, total + size));
          total += size;
        }
        const read = await log.read({ from, maxBytes });
        assert.equal(read.total, total);
        assert.equal(read.from, Math.min(from, total));
        assert.ok(read.bytes.length <= maxBytes);
        const expected: number[] = [];
        for (let at = read.from; at < read.to; at++) {
          if (!read.gaps.some((gap) => at >= gap.from && at < gap.to)) {
            expected.push(...pattern(at, at + 1));
          }
        }
        assert.deepEqual([...read.bytes], expected);
        const gone = read.gaps.reduce((size, gap) => size + gap.to - gap.from, 0);
        assert.equal(read.bytes.length + gone, read.to - read.from);
        const all = await log.read({ from: 0, maxBytes: 1000 });
        assert.equal(all.bytes.length, log.retained);
        assert.equal(all.to, total);
      },
    ),
  );
});

test("a short output costs hundreds of bytes of memory", () => {
  const { log } = logFixture({ headBytes: 10_240, tailBytes: 40_960 });
  log.append(new TextEncoder().encode("hi\n"));
  assert.ok(log.memoryBytes <= 256, `${log.memoryBytes}`);
});

test("memory stays within head and tail however much comes", () => {
  const { log } = logFixture({ headBytes: 10_240, tailBytes: 40_960 });
  const chunk = new Uint8Array(16_384);
  for (let i = 0; i < 1000; i++) log.append(chunk);
  assert.equal(log.memoryBytes, 51_200);
  for (let i = 0; i < 100_000; i++) log.append(chunk.subarray(0, 1));
  assert.equal(log.memoryBytes, 51_200);
});

test("bytes that are handed over are copied", () => {
  const { log } = logFixture();
  const chunk = Uint8Array.of(1, 2, 3);
  log.append(chunk);
  chunk.fill(9);
  assert.deepEqual(log.peek(0, 3), Uint8Array.of(1, 2, 3));
});

test("what is read does not change when more comes", async () => {
  const { log } = logFixture();
  log.append(pattern(0, 50));
  const { bytes } = await log.read({ from: 0 });
  log.append(pattern(50, 90));
  assert.deepEqual(bytes, pattern(0, 50));
});

test("a read waits for the first new byte", async () => {
  const { log, clock } = logFixture();
  log.append(pattern(0, 3));
  const read = log.read({ from: 3, waitMs: 1000 });
  clock.advance(500);
  log.append(pattern(3, 5));
  assert.deepEqual({ ...await read }, {
    from: 3,
    to: 5,
    bytes: pattern(3, 5),
    gaps: [],
    total: 5,
    ended: false,
  });
  assert.equal(clock.idle, true);
});

test("a read waits no longer than its time, and not at all when there is something", async () => {
  const { log, clock } = logFixture();
  log.append(pattern(0, 3));
  assert.equal((await log.read({ from: 0, waitMs: 1000 })).to, 3);
  const read = log.read({ from: 3, waitMs: 1000 });
  clock.advance(1000);
  assert.equal((await read).bytes.length, 0);
});

test("a read until the end waits for the end", async () => {
  const { log, clock } = logFixture();
  const read = log.read({ from: 0, waitMs: 1000, until: "end" });
  log.append(pattern(0, 3));
  log.append(pattern(3, 4));
  log.end();
  const { to, ended } = await read;
  assert.deepEqual({ to, ended }, { to: 4, ended: true });
  assert.equal(clock.idle, true);
});

test("an aborted read rejects with the reason and leaves no timer", async () => {
  const { log, clock } = logFixture();
  const abort = new AbortController();
  const read = log.read({ from: 0, waitMs: 1000, signal: abort.signal });
  abort.abort(new Error("enough"));
  await assert.rejects(read, /enough/);
  assert.equal(clock.idle, true);
});

test("an offset or an amount that is none is the caller's mistake, named with its value", async () => {
  const { log } = logFixture();
  log.append(pattern(0, 4));
  for (const from of [-1, -5, 1.5, Number.NaN, Number.NEGATIVE_INFINITY]) {
    const message = (doing: string) => ({
      name: "TypeError",
      message: `Cannot ${doing} with from ${
        shownValue(from)
      }: it must be a whole number, 0 or more`,
    });
    await assert.rejects(log.read({ from }), message("read"));
    await assert.rejects(log.pieces({ from }).next(), message("read"));
    assert.throws(() => log.follow({ from }), message("follow"));
    assert.throws(() => log.hold(from), message("hold"));
  }
  for (const maxBytes of [0, -1, 0.5, 1.5, Number.NaN]) {
    const message = {
      name: "TypeError",
      message: `Cannot read with maxBytes ${
        shownValue(maxBytes)
      }: it must be a whole number, 1 or more`,
    };
    await assert.rejects(log.read({ from: 0, maxBytes }), message);
  }
});

test("infinite is the end as an offset, and all as an amount", async () => {
  const { log } = logFixture();
  log.append(pattern(0, 4));
  assert.deepEqual((await log.read({ from: 0, maxBytes: Infinity })).bytes, pattern(0, 4));
  assert.equal((await log.read({ from: Infinity })).from, 4);
});

test("a released log knows how much there was and that all of it is gone", async () => {
  const { log } = logFixture();
  log.append(pattern(0, 30));
  log.release();
  assert.equal(log.memoryBytes, 0);
  assert.equal(log.omitted, 30);
  const { bytes, gaps, to, ended } = await log.read({ from: 5 });
  assert.deepEqual({ size: bytes.length, gaps, to, ended }, {
    size: 0,
    gaps: [{ from: 5, to: 30 }],
    to: 30,
    ended: true,
  });
});

test("followers get adjoining ranges, gathered, and the end", () => {
  const { log, clock } = logFixture();
  log.append(pattern(0, 3));
  const seen: string[] = [];
  log.follow({ everyMs: 10 }).subscribe({
    next: ({ from, to }) => seen.push(`${from}-${to}`),
    complete: () => seen.push("end"),
  });
  log.append(pattern(3, 5));
  log.append(pattern(5, 6));
  assert.deepEqual(seen, ["0-3"]);
  clock.advance(10);
  assert.deepEqual(seen, ["0-3", "3-6"]);
  log.append(pattern(6, 9));
  log.end();
  assert.deepEqual(seen, ["0-3", "3-6", "6-9", "end"]);
  assert.equal(clock.idle, true);
});

test("followers get a range once in a while, however many chunks there are, and at once after a rest", () => {
  const { log, clock } = logFixture();
  const seen: number[] = [];
  log.follow().subscribe(({ to }) => seen.push(to));
  log.append(pattern(0, 1));
  clock.advance(0);
  for (let at = 1; at < 1000; at++) log.append(pattern(at, at + 1));
  clock.advance(49);
  assert.deepEqual(seen, [1]);
  clock.advance(1);
  assert.deepEqual(seen, [1, 1000]);
  clock.advance(50);
  log.append(pattern(1000, 1001));
  clock.advance(0);
  assert.deepEqual(seen, [1, 1000, 1001]);
});

test("a follower that stops is not called and leaves no timer", () => {
  const { log, clock } = logFixture();
  const seen: number[] = [];
  const subscription = log.follow().subscribe(({ to }) => seen.push(to));
  log.append(pattern(0, 3));
  subscription.unsubscribe();
  log.append(pattern(3, 5));
  log.end();
  assert.deepEqual(seen, []);
  assert.equal(clock.idle, true);
});

test("a reader that is quick gets every byte in order", async () => {
  await fc.assert(fc.asyncProperty(sizes, limits, async (chunks, limits) => {
    const { log } = logFixture(limits);
    const got: number[] = [];
    const reading = readBy(log, ({ bytes }) => void got.push(...bytes), { hold: true });
    let total = 0;
    for (const size of chunks) {
      log.append(pattern(total, total + size));
      total += size;
      if (size % 2 === 0) await Promise.resolve();
    }
    log.end();
    assert.equal(await reading, total);
    assert.deepEqual(Uint8Array.from(got), pattern(0, total));
    assert.deepEqual(log.memoryBytes <= limits.headBytes + limits.tailBytes, true);
  }));
});

test("a slow reader that holds makes the command wait, and loses nothing", async () => {
  const { log, demand, ready } = logFixture();
  const chunk = 65_536;
  let got = 0;
  let most = 0;
  const reading = readBy(log, async ({ bytes }) => {
    assert.deepEqual(bytes, pattern(got, got + bytes.length));
    got += bytes.length;
    for (let i = 0; i < 5; i++) await Promise.resolve();
  }, { hold: true });
  for (let at = 0; at < 40 * chunk; at += chunk) {
    await ready();
    log.append(pattern(at, at + chunk));
    most = Math.max(most, log.memoryBytes);
  }
  log.end();
  assert.equal(await reading, 40 * chunk);
  assert.equal(got, 40 * chunk);
  assert.ok(demand.pauses > 0);
  assert.ok(most <= 1024 * 1024, `${most}`);
});

test("for await reads every piece in order, waits for more, and ends with the output", async () => {
  const { log } = logFixture();
  log.append(pattern(0, 10));
  const read: number[] = [];
  for await (const { from, bytes, gaps } of log) {
    assert.equal(from, read.length);
    assert.deepEqual(gaps, []);
    read.push(...bytes);
    if (read.length === 10) setImmediate(() => log.append(pattern(10, 15)));
    if (read.length === 15) log.end();
  }
  assert.deepEqual(Uint8Array.from(read), pattern(0, 15));
});

test("a reader of pieces that stops early holds the command back no longer", async () => {
  const { log, demand } = logFixture();
  log.append(pattern(0, 10));
  for await (const { to } of log.pieces({ from: 4, hold: true })) {
    assert.equal(to, 10);
    break;
  }
  log.append(new Uint8Array(2_000_000));
  assert.equal(demand.pauses, 0);
  const until = Promise.resolve();
  const rest: number[] = [];
  for await (const { to } of log.pieces({ from: log.total - 1, until })) rest.push(to);
  assert.deepEqual(rest, [log.total]);
});

test("a slow reader that does not hold gets the gaps that it missed", async () => {
  const { log, demand } = logFixture();
  const gaps: unknown[] = [];
  let go: () => void = () => {};
  const reading = readBy(log, (piece) => {
    gaps.push(...piece.gaps);
    return new Promise((resolve) => (go = resolve));
  });
  log.append(pattern(0, 20));
  await new Promise((resolve) => setImmediate(resolve));
  for (let at = 20; at < 2_000_020; at += 1000) log.append(pattern(at, at + 1000));
  log.end();
  go();
  await new Promise((resolve) => setImmediate(resolve));
  go();
  assert.equal(await reading, 2_000_020);
  assert.equal(demand.pauses, 0);
  assert.deepEqual(gaps, [{ from: 20, to: 1_999_980 }]);
});

test("a reader that fails lets the command go on", async () => {
  const { log, demand } = logFixture();
  let fail: (cause: Error) => void = () => {};
  const taken = new Promise<void>((_, reject) => (fail = reject));
  const reading = readBy(log, () => taken, { hold: true });
  for (let at = 0; !demand.paused; at += 10_000) {
    assert.ok(at < 1_000_000);
    log.append(pattern(at, at + 10_000));
  }
  await new Promise((resolve) => setImmediate(resolve));
  fail(new Error("the pipe is broken"));
  await assert.rejects(reading, /the pipe is broken/);
  assert.equal(demand.paused, false);
  log.append(pattern(0, 10));
  assert.ok(log.memoryBytes <= 50);
});

test("a reader until an event gets what there is by then, and not more", async () => {
  const { log } = logFixture();
  let settle: () => void = () => {};
  const until = new Promise<void>((resolve) => (settle = resolve));
  log.append(pattern(0, 3));
  const reading = readBy(log, () => {}, { until });
  await new Promise((resolve) => setImmediate(resolve));
  log.append(pattern(3, 5));
  settle();
  assert.equal(await reading, 5);
  log.append(pattern(5, 6));
  assert.equal(await readBy(log, () => {}, { from: 2, until }), 6);
});

test("a writer that does not wait cannot make memory grow", () => {
  const { log, demand } = logFixture();
  const hold = log.hold(0);
  const chunk = new Uint8Array(65_536);
  for (let i = 0; i < 100; i++) log.append(chunk);
  assert.equal(demand.paused, true);
  assert.ok(log.memoryBytes <= 2 * 1024 * 1024 + 100, `${log.memoryBytes}`);
  assert.ok(hold.at > 0);
});
