import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { ReadPace, type ReadTime } from "../../../src/platform/pipe/read-pace.ts";

const KB = 1024;

interface TestTime extends ReadTime {
  readonly sleeps: number[];
  readonly waits: number[];
  work(ms: number): void;
}

/** How long to rest at a pipe as Linux makes it. */
const rest = (napMs = 0.001) => ({ napMs, fillMs: 0.065 + napMs });

/** A time that stands still but for sleeps and work; a sleep lasts longer by what a system adds. */
function testTime(lateMs = 0.05): TestTime {
  let at = 1_000;
  const sleeps: number[] = [];
  const waits: number[] = [];
  return {
    sleeps,
    waits,
    now: () => at,
    sleep: (ms) => {
      sleeps.push(ms);
      at += ms + lateMs;
    },
    wait: (ms) => {
      waits.push(ms);
      at += ms;
    },
    work: (ms) => {
      at += ms;
    },
  };
}

/** A reader whose stream is at full speed. */
function fast(time: ReadTime): ReadPace {
  const pace = new ReadPace(time);
  for (let i = 0; i < 33; i++) pace.read(16 * KB);
  return pace;
}

describe("a stream", () => {
  it("is at full speed once half a MiB came without a rest", () => {
    const pace = new ReadPace(testTime());
    const answers = Array.from({ length: 40 }, () => pace.read(16 * KB));
    assert.equal(answers.indexOf(true), 32);
    assert.ok(answers.slice(32).every((fullSpeed) => fullSpeed));
  });

  it("is not after a rest, nor when it brings less than a page", () => {
    const time = testTime();
    const rested = fast(time);
    time.work(1);
    assert.equal(rested.read(16 * KB), true);
    time.work(1.001);
    assert.equal(rested.read(16 * KB), false);
    const small = fast(time);
    assert.equal(small.read(4095), false);
    assert.equal(small.read(16 * KB), false);
  });
});

describe("a reader at full speed", () => {
  it("sleeps after each chunk, for as long as it is told", () => {
    const time = testTime();
    const pace = fast(time);
    for (const ms of [0.001, 0.1, 0.001]) {
      pace.read(16 * KB);
      pace.rest(rest(ms));
    }
    assert.deepEqual(time.sleeps, [0.001, 0.1, 0.001]);
  });

  it("does not sleep when its work on the chunk took as long as that", () => {
    const time = testTime();
    const pace = fast(time);
    for (const workMs of [0.014, 0.016, 0.5]) {
      pace.read(16 * KB);
      time.work(workMs);
      pace.rest(rest());
    }
    assert.deepEqual(time.sleeps, [0.001]);
    assert.equal(pace.read(16 * KB), true, "work is no rest");
  });

  it("is served by another's nap for a moment, but never by its own", () => {
    const time = testTime();
    const [first, second] = [fast(time), fast(time)];
    const chunk = (pace: ReadPace) => {
      pace.read(16 * KB);
      pace.rest(rest());
    };
    chunk(first);
    chunk(second);
    assert.equal(time.sleeps.length, 1);
    chunk(first);
    assert.equal(time.sleeps.length, 2);
    time.work(0.11);
    chunk(second);
    assert.equal(time.sleeps.length, 3);
  });

  it("waits awake for a second where the system lets it sleep until the pipe is full", () => {
    const time = testTime(0.08);
    const pace = fast(time);
    const chunk = () => {
      pace.read(16 * KB);
      pace.rest(rest());
    };
    chunk();
    chunk();
    chunk();
    assert.deepEqual([time.sleeps.length, time.waits], [1, [0.02, 0.02]]);
    pace.read(16 * KB);
    pace.rest({ napMs: 0.1, fillMs: 0.8 });
    assert.equal(time.sleeps.length, 2, "a larger pipe takes longer to fill");
    time.work(1_001);
    for (let i = 0; i < 33; i++) pace.read(16 * KB);
    pace.rest(rest());
    assert.equal(time.sleeps.length, 3);
  });

  it("is not served by naps of another time", () => {
    const [time, other] = [testTime(), testTime()];
    const [here, there] = [fast(time), fast(other)];
    for (const pace of [here, there]) {
      pace.read(16 * KB);
      pace.rest(rest());
    }
    assert.deepEqual([time.sleeps.length, other.sleeps.length], [1, 1]);
  });
});
