import assert from "node:assert/strict";
import { test } from "node:test";
import { WritePace } from "../../../src/platform/file/write-pace.ts";

/** A file system that only Linux counts as local; elsewhere no write is done at once. */
const local = new WritePace("/dev/shm").next();

/** How many writes go to the thread pool before one is done at once again. */
function rest(pace: WritePace): number {
  let count = 0;
  while (!pace.next()) count++;
  return count;
}

test("writes are done at once while they are quick", { skip: !local }, () => {
  const pace = new WritePace("/dev/shm");
  for (let i = 0; i < 100; i++) {
    assert.equal(pace.next(), true);
    pace.took(0.1);
  }
});

test("after a slow write the thread pool writes, longer each time", { skip: !local }, () => {
  const pace = new WritePace("/dev/shm");
  const rests = Array.from({ length: 9 }, () => {
    pace.took(50);
    return rest(pace);
  });
  assert.deepEqual(rests, [128, 256, 512, 1024, 2048, 4096, 8192, 8192, 8192]);
});

test("a disk that recovered is trusted again", { skip: !local }, () => {
  const pace = new WritePace("/dev/shm");
  pace.took(50);
  assert.equal(rest(pace), 128);
  pace.took(50);
  assert.equal(rest(pace), 256);
  for (let i = 0; i < 256; i++) pace.took(1);
  pace.took(50);
  assert.equal(rest(pace), 128);
});

test("where the file system is not known to be local, no write is done at once", () => {
  assert.equal(new WritePace("/proc").next(), false);
  assert.equal(new WritePace("/does/not/exist").next(), false);
});
