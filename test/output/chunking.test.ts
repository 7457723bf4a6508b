import assert from "node:assert/strict";
import * as fs from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { Budget } from "../../src/output/spill/budget.ts";
import { type SpillFiles, spillFiles } from "../../src/platform/file/spill-files.ts";
import { logFixture, readBy, wrapped } from "./log-fixture.ts";

const KB = 1024;

/** Chunks as they come: single bytes, lines, pages, full pipes and more. */
const chunk = fc.oneof(
  fc.integer({ min: 0, max: 3 }),
  fc.integer({ min: 0, max: 300 }),
  fc.integer({ min: 4 * KB - 2, max: 40 * KB }),
  fc.integer({ min: 64 * KB - 1, max: 300 * KB }),
);

const limits = fc.record({
  headBytes: fc.integer({ min: 0, max: 20 * KB }),
  tailBytes: fc.integer({ min: 0, max: 80 * KB }),
  spillAfterShare: fc.double({ min: 0, max: 1, noNaN: true }),
  quotaBytes: fc.oneof(fc.integer({ min: 0, max: 600 * KB }), fc.constant(2 ** 40)),
  budgetBytes: fc.oneof(fc.integer({ min: 0, max: 600 * KB }), fc.constant(2 ** 40)),
});

/** What a disk does with a write: takes it at once, or part of it, or has to be waited for. */
const disk = fc.infiniteStream(fc.constantFrom("now", "now", "part", "later"));

const seeds = fc.integer({ min: 1, max: 2 ** 31 - 1 });

/** Bytes that do not follow from their offset. */
function random(size: number, seed: number): Uint8Array {
  let state = seed;
  return Uint8Array.from({ length: size }, () => {
    state = Math.imul(state, 48_271) % 0x7fff_ffff;
    return state >> 8;
  });
}

/** Compared by themselves: what `assert` says of the difference of large arrays takes minutes. */
function assertSame(actual: Uint8Array | undefined, expected: Uint8Array): void {
  assert.equal(actual?.length, expected.length);
  const at = expected.findIndex((byte, i) => byte !== actual?.[i]);
  assert.equal(at, -1, `byte ${at} is another one`);
}

async function inDirectory(run: (files: SpillFiles) => Promise<void>): Promise<void> {
  const parent = fs.mkdtempSync(join(tmpdir(), "chunking-"));
  const files = spillFiles(join(parent, "out"));
  try {
    await run(files);
  } finally {
    files.close();
    fs.rmSync(parent, { recursive: true, force: true });
  }
}

function moody(files: SpillFiles, moods: Iterator<string>): SpillFiles {
  return wrapped(files, (file) => ({
    write: (bytes) => {
      const mood = moods.next().value;
      const part = mood === "part" ? bytes.subarray(0, bytes.length + 1 >> 1) : bytes;
      if (mood !== "later") return file.write(part);
      return new Promise((resolve) => setImmediate(() => resolve(file.write(part))));
    },
  }));
}

test("whatever comes, in whatever chunks, within whatever limits, is kept or counted", () =>
  inDirectory((files) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { maxLength: 24 }),
        seeds,
        limits,
        disk,
        async (sizes, seed, { headBytes, tailBytes, spillAfterShare, ...most }, moods) => {
          const all = random(sizes.reduce((sum, size) => sum + size, 0), seed);
          const budget = new Budget(most.budgetBytes);
          const { log, ready, reported } = logFixture({
            headBytes,
            tailBytes,
            spillAfterBytes: Math.floor(spillAfterShare * (headBytes + tailBytes)),
            quotaBytes: most.quotaBytes,
            budget,
            files: moody(files, moods[Symbol.iterator]()),
          });
          const reused = new Uint8Array(300 * KB);
          for (const size of sizes) {
            await ready();
            reused.set(all.subarray(log.total, log.total + size));
            log.append(reused.subarray(0, size));
            reused.fill(170, 0, size);
            assert.equal(log.retained + log.omitted, log.total);
          }
          log.end();
          await log.flushed();
          assert.equal(log.total, all.length);
          assert.equal(log.retained + log.omitted, log.total);
          const head = Math.min(headBytes, all.length);
          const tail = Math.max(0, all.length - tailBytes);
          assertSame(log.peek(0, head), all.slice(0, head));
          assertSame(log.peek(tail, all.length), all.slice(tail));
          if (log.path !== undefined) {
            const kept = Math.min(all.length, most.quotaBytes, most.budgetBytes);
            const stored = new Uint8Array(fs.readFileSync(log.path));
            assertSame(stored, all.slice(0, kept));
            assert.equal(log.fileBytes, kept);
            assert.equal(budget.used, kept);
            const limited = reported.filter(({ type }) => type === "output.limited");
            assert.equal(limited.length > 0, kept < all.length);
          }
          for (const { from, to } of log.retainedRanges()) {
            for (let at = from; at < to;) {
              const read = await log.read({ from: at, maxBytes: Math.min(50 * KB, to - at) });
              assert.deepEqual(read.gaps, []);
              assertSame(read.bytes, all.slice(at, read.to));
              at = read.to;
            }
          }
          log.release();
          assert.equal(budget.used, 0);
        },
      ),
      { numRuns: 60 },
    )
  ));

test("quick and slow readers get every byte while a file is written", () =>
  inDirectory((files) =>
    fc.assert(
      fc.asyncProperty(
        fc.array(chunk, { maxLength: 16 }),
        seeds,
        disk,
        async (sizes, seed, moods) => {
          const all = random(sizes.reduce((sum, size) => sum + size, 0), seed);
          const { log, ready } = logFixture({
            headBytes: 1 * KB,
            tailBytes: 8 * KB,
            spillAfterBytes: 9 * KB,
            files: moody(files, moods[Symbol.iterator]()),
          });
          const got = [new Uint8Array(all.length), new Uint8Array(all.length)];
          const readers = got.map((into, slow) => {
            let at = 0;
            return readBy(log, async ({ bytes }) => {
              into.set(bytes, at);
              at += bytes.length;
              if (slow === 1) await new Promise((resolve) => setImmediate(resolve));
            }, { hold: slow === 1 });
          });
          for (const size of sizes) {
            await ready();
            log.append(all.subarray(log.total, log.total + size));
          }
          log.end();
          assert.deepEqual(await Promise.all(readers), [all.length, all.length]);
          for (const bytes of got) assertSame(bytes, all);
          await log.flushed();
          log.release();
        },
      ),
      { numRuns: 40 },
    )
  ));
