import assert from "node:assert/strict";
import { test } from "node:test";
import { from, Subject } from "rxjs";
import type { ExecutionEvent } from "../../src/event/execution.ts";
import type { OutputEvent } from "../../src/event/output.ts";
import { buffer } from "../../src/output/buffer.ts";
import { ByteLogs } from "../../src/output/byte-logs.ts";
import type { SpillFile, SpillFiles } from "../../src/platform/file/spill-files.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";

const demand = { pause: () => {}, resume: () => {}, end: () => {} };
const encode = (text: string) => new TextEncoder().encode(text);
const started: ExecutionEvent = {
  type: "execution.started",
  commandId: "c1",
  executor: "test",
  pid: 1,
};
const exited: ExecutionEvent = {
  type: "execution.exited",
  commandId: "c1",
  outcome: { type: "exited", code: 0 },
  durationMs: 1,
  leftovers: [],
};
const closed: ExecutionEvent = { type: "execution.closed", commandId: "c1", leftovers: [] };

function setUp(options: { inlineBytes?: number } = {}) {
  const clock = new VirtualClock();
  const logs = new ByteLogs({ clock, ...options });
  const input = new Subject<ExecutionEvent>();
  const seen: (ExecutionEvent | OutputEvent)[] = [];
  let completed = false;
  input.pipe(buffer({ logs, clock })).subscribe({
    next: (event) => seen.push(event),
    complete: () => {
      completed = true;
    },
  });
  const reported = () =>
    seen.map((event) =>
      event.type === "output.appended"
        ? `${event.from}-${event.to}${
          event.inline === undefined ? "" : ` ${JSON.stringify(event.inline)}`
        }`
        : event.type
    );
  return { clock, logs, input, reported, completed: () => completed };
}

test("a short command's bytes are announced once, before its exit, and leave no timer", () => {
  const { clock, logs, input, reported, completed } = setUp();
  const sink = logs.open("c1", demand);
  input.next(started);
  sink.write(encode("hi\n"));
  assert.deepEqual(reported(), ["execution.started"]);
  input.next(exited);
  assert.equal(clock.idle, true);
  sink.end();
  input.next(closed);
  input.complete();
  assert.deepEqual(reported(), [
    "execution.started",
    '0-3 {"text":"hi\\n"}',
    "execution.exited",
    "execution.closed",
  ]);
  assert.equal(completed(), true);
});

test("what a command wrote is retained until its end was reported, or its stream is unsubscribed", async () => {
  const ends: readonly ((input: Subject<ExecutionEvent>, unsubscribe: () => void) => void)[] = [
    (input) => input.next(exited),
    (input) => input.next({ type: "execution.failed", commandId: "c1", reason: "none" }),
    (input) => input.complete(),
    (_, unsubscribe) => unsubscribe(),
  ];
  for (const end of ends) {
    const clock = new VirtualClock();
    const logs = new ByteLogs({ clock, ended: { logs: 0, bytes: 0 } });
    const input = new Subject<ExecutionEvent>();
    const subscription = input.pipe(buffer({ logs, clock })).subscribe();
    const sink = logs.open("c1", demand);
    input.next(started);
    sink.write(encode("x"));
    sink.end();
    const others = async () => {
      logs.open(`other${clock.monotonic()}`, demand).end();
      clock.advance(1);
      await new Promise((resolve) => setImmediate(resolve));
    };
    await others();
    assert.ok(logs.get("c1"));
    end(input, () => subscription.unsubscribe());
    await others();
    assert.equal(logs.get("c1"), undefined);
  }
});

test("bytes are gathered for 100 ms from the first of them", () => {
  const { clock, logs, input, reported } = setUp();
  const sink = logs.open("c1", demand);
  input.next(started);
  assert.equal(clock.idle, true);
  sink.write(encode("a"));
  clock.advance(50);
  sink.write(encode("b"));
  clock.advance(49);
  assert.deepEqual(reported(), ["execution.started"]);
  clock.advance(1);
  assert.deepEqual(reported(), ["execution.started", '0-2 {"text":"ab"}']);
  clock.advance(1000);
  assert.equal(clock.idle, true);
  sink.write(encode("c"));
  clock.advance(100);
  assert.deepEqual(reported().slice(2), ['2-3 {"text":"c"}']);
});

test("what comes between exit and close is announced before the close", () => {
  const { logs, input, reported } = setUp();
  const sink = logs.open("c1", demand);
  input.next(started);
  input.next(exited);
  sink.write(encode("late"));
  input.next(closed);
  assert.deepEqual(reported(), [
    "execution.started",
    "execution.exited",
    '0-4 {"text":"late"}',
    "execution.closed",
  ]);
});

test("a character that is cut by the moment waits for its rest, and not beyond the end", () => {
  const { clock, logs, input, reported } = setUp();
  const sink = logs.open("c1", demand);
  input.next(started);
  const euro = encode("€");
  sink.write(encode("x"));
  sink.write(euro.subarray(0, 2));
  clock.advance(100);
  sink.write(euro.subarray(2));
  clock.advance(100);
  sink.write(euro.subarray(0, 1));
  input.next(exited);
  assert.deepEqual(reported(), [
    "execution.started",
    '0-1 {"text":"x"}',
    '1-4 {"text":"€"}',
    '4-5 {"base64":"4g=="}',
    "execution.exited",
  ]);
});

test("a lone half of a character is announced after its moment all the same", () => {
  const { clock, logs, input, reported } = setUp();
  const sink = logs.open("c1", demand);
  input.next(started);
  sink.write(Uint8Array.of(0xe2));
  clock.advance(100);
  assert.deepEqual(reported().slice(1), ['0-1 {"base64":"4g=="}']);
});

test("beyond the budget a range has no bytes, and the cut is between characters", () => {
  const { logs, input, reported } = setUp({ inlineBytes: 4 });
  const sink = logs.open("c1", demand);
  input.next(started);
  sink.write(encode("ab€cd"));
  input.next(exited);
  sink.write(encode("more"));
  input.next(closed);
  assert.deepEqual(reported(), [
    "execution.started",
    '0-2 {"text":"ab"}',
    "2-7",
    "execution.exited",
    "7-11",
    "execution.closed",
  ]);
});

test("a log that is opened after the start is found as well", () => {
  const { logs, input, reported } = setUp();
  input.next(started);
  logs.open("c1", demand).write(encode("hi"));
  input.next(exited);
  assert.deepEqual(reported(), ["execution.started", '0-2 {"text":"hi"}', "execution.exited"]);
});

/** A command that writes more than memory keeps, from its start to its close, and its events. */
function spilled(file: Partial<SpillFile>) {
  const clock = new VirtualClock();
  const files: SpillFiles = {
    directory: "/spill",
    prepare: () => {},
    create: () => ({
      path: "/spill/x",
      write: (bytes) => bytes.length,
      read: () => Promise.resolve(0),
      finish: () => {},
      remove: () => {},
      ...file,
    }),
    freeBytes: () => Promise.resolve(0),
    close: () => {},
  };
  const spill = { files, freeSpaceBytes: 0 };
  const logs = new ByteLogs({ clock, headBytes: 4, tailBytes: 4, spill });
  const input = new Subject<ExecutionEvent>();
  const seen: string[] = [];
  const ended = new Promise<void>((complete) =>
    input.pipe(buffer({ logs, clock })).subscribe({
      next: ({ type }) => seen.push(type),
      complete,
    })
  );
  const sink = logs.open("c1", demand);
  input.next(started);
  sink.write(encode("ten bytes."));
  sink.end();
  input.next(exited);
  input.next(closed);
  input.complete();
  return { seen, ended };
}

test("a file is reported when it is begun, and its failure even after the close", async () => {
  let fail: (cause: Error) => void = () => {};
  const { seen, ended } = spilled({
    write: () => new Promise((_, reject) => (fail = reject)),
  });
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(seen, [
    "execution.started",
    "output.spilled",
    "output.appended",
    "output.appended",
    "execution.exited",
    "execution.closed",
  ]);
  fail(new Error("ENOSPC"));
  await ended;
  assert.equal(seen.at(-1), "output.spillFailed");
});

test("commands in one stream are kept apart", () => {
  const { clock, logs, input, reported } = setUp();
  const one = logs.open("c1", demand);
  const two = logs.open("c2", demand);
  input.next(started);
  input.next({ ...started, commandId: "c2" });
  one.write(encode("one"));
  two.write(encode("two!"));
  input.next({ ...exited, commandId: "c2" });
  assert.deepEqual(reported().slice(2), ['0-4 {"text":"two!"}', "execution.exited"]);
  clock.advance(100);
  assert.deepEqual(reported().slice(4), ['0-3 {"text":"one"}']);
});

test("an unsubscribed stream leaves no timer behind", () => {
  const clock = new VirtualClock();
  const logs = new ByteLogs({ clock });
  const input = new Subject<ExecutionEvent>();
  const subscription = input.pipe(buffer({ logs, clock })).subscribe();
  const sink = logs.open("c1", demand);
  input.next(started);
  sink.write(encode("a"));
  assert.equal(clock.idle, false);
  subscription.unsubscribe();
  assert.equal(clock.idle, true);
});

test("a pipeline in which nothing is executed does not compile", () => {
  const logs = new ByteLogs({ clock: new VirtualClock() });
  const stage = buffer({ logs, clock: new VirtualClock() });
  // @ts-expect-error -- no stage before this one emits `execution.started`
  stage(from([{ type: "command.requested" as const }]));
});
