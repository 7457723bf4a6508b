import assert from "node:assert/strict";
import {
  appendFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import fc from "fast-check";
import type { Recorded, RuntimeEvent } from "../../../src/event/event.ts";
import { EnvValues } from "../../../src/event/env-values.ts";
import { type FileLog, type FileLogOptions, openFileLog } from "../../../src/event/log/file-log.ts";
import { LogError } from "../../../src/event/log/log-error.ts";
import { readLog } from "../../../src/event/log/read-log.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import type { SegmentFiles } from "../../../src/platform/file/segment-files.ts";
import { VirtualClock } from "../../../src/platform/virtual-clock.ts";
import { histories } from "../events.ts";
import { scratch } from "../scratch.ts";

const lost = (n: number): RuntimeEvent => ({
  type: "task.lost",
  commandId: `task_${n}`,
  reason: "gone",
});

const unexpected = (cause: LogError): void => {
  throw cause;
};

async function opened(directory: string, options: Partial<FileLogOptions> = {}): Promise<FileLog> {
  return await openFileLog({
    directory,
    clock: new VirtualClock(1000),
    onFailure: unexpected,
    ...options,
  });
}

async function written(path: string): Promise<Recorded[]> {
  const found: Recorded[] = [];
  for await (const recorded of readLog(path)) found.push(recorded);
  return found;
}

const seqs = (events: readonly Recorded[]): number[] => events.map(({ seq }) => seq);

async function writeSome(directory: string, count: number): Promise<void> {
  const log = await opened(directory);
  for (let n = 1; n <= count; n++) log.append(lost(n));
  await log.close();
}

describe("a log in files", () => {
  it("writes what was appended, and reads it back", async () => {
    const directory = scratch();
    const log = await opened(directory);
    const one = log.append(lost(1));
    const two = log.append(lost(2));
    await log.flush();
    assert.deepEqual(await written(directory), [one, two]);
    await log.close();
    await log.close();
    assert.deepEqual(await written(join(directory, "events-000000000001.ndjson")), [one, two]);
  });

  it("heads each segment with the schema and the place of its first event", async () => {
    const directory = scratch();
    await writeSome(directory, 1);
    const [head] = readFileSync(join(directory, "events-000000000001.ndjson"), "utf8").split("\n");
    assert.equal(head, `{"shellflow":"events","schema":1,"firstSeq":1,"createdAt":1000}`);
  });

  it("makes files and directory for their owner alone", async (test) => {
    if (process.platform === "win32") return test.skip("there are no modes");
    const directory = join(scratch(), "state", "log");
    await writeSome(directory, 1);
    assert.equal(statSync(directory).mode & 0o777, 0o700);
    const file = join(directory, "events-000000000001.ndjson");
    assert.equal(statSync(file).mode & 0o777, 0o600);
  });

  it("leaves no file when nothing happened", async () => {
    const directory = scratch();
    await writeSome(directory, 0);
    assert.deepEqual(readdirSync(directory), []);
  });

  it("goes on in a new segment after the last readable event", async () => {
    const directory = scratch();
    await writeSome(directory, 2);
    const earlier: Recorded[] = [];
    const log = await opened(directory, { onEarlier: (recorded) => earlier.push(recorded) });
    assert.deepEqual(seqs(earlier), [1, 2]);
    assert.equal(log.lastSeq, 2);
    assert.equal(log.append(lost(3)).seq, 3);
    await log.close();
    assert.deepEqual(readdirSync(directory), [
      "events-000000000001.ndjson",
      "events-000000000003.ndjson",
    ]);
    assert.deepEqual(seqs(await written(directory)), [1, 2, 3]);
    assert.equal((await opened(directory)).lastSeq, 3);
  });

  it("overwrites nothing when a writer broke off, wherever that was", async () => {
    const directory = scratch();
    await writeSome(directory, 3);
    const name = "events-000000000001.ndjson";
    const whole = readFileSync(join(directory, name));
    for (let end = 0; end <= whole.length; end += 7) {
      const state = join(directory, `cut-${end}`);
      mkdirSync(state);
      const torn = whole.subarray(0, end);
      writeFileSync(join(state, name), torn);
      const log = await opened(state);
      const { seq } = log.append(lost(9));
      await log.close();
      const names = readdirSync(state);
      assert.deepEqual(readFileSync(join(state, name)), torn);
      assert.equal(names.length, 2, `cut at ${end}: ${names}`);
      const found = await written(state);
      assert.deepEqual(seqs(found), Array.from({ length: seq }, (_, i) => i + 1));
      assert.deepEqual(found.at(-1)?.event, lost(9));
    }
  });

  it("begins a new segment when one has become large", async () => {
    const directory = scratch();
    const log = await opened(directory, { segmentSize: 300, batchEvents: 2 });
    for (let n = 1; n <= 20; n++) log.append(lost(n));
    await log.close();
    assert.ok(readdirSync(directory).length > 3);
    assert.equal((await written(directory)).length, 20);
  });

  it("writes in batches: after some time, or when there are many", async () => {
    const clock = new VirtualClock();
    const writes: string[] = [];
    const files = filesThat((text) => Promise.resolve(void writes.push(text)));
    const log = await opened(scratch(), { clock, files, batchMs: 20, batchEvents: 3 });
    log.append(lost(1));
    log.append(lost(2));
    clock.advance(19);
    await turns();
    assert.deepEqual(writes, []);
    clock.advance(1);
    await turns();
    assert.deepEqual(writes.map(countEvents), [2]);
    for (let n = 3; n <= 5; n++) log.append(lost(n));
    await turns();
    assert.deepEqual(writes.map(countEvents), [2, 3]);
  });

  it("syncs every batch when asked to, or once for a flush", async () => {
    let synced = 0;
    const files = filesThat(() => Promise.resolve(), () => Promise.resolve(void synced++));
    const log = await opened(scratch(), { files });
    log.append(lost(1));
    await log.flush();
    assert.equal(synced, 0);
    await log.flush({ sync: true });
    await log.flush({ sync: true });
    assert.equal(synced, 1, "there was nothing new to sync");
    const careful = await opened(scratch(), { files, sync: true });
    careful.append(lost(1));
    await careful.flush();
    assert.equal(synced, 2);
  });

  it("tells once that it cannot write, and lets the runtime go on", async () => {
    const failures: LogError[] = [];
    let writes = 0;
    const files = filesThat(() => {
      writes++;
      return Promise.reject(new Error("ENOSPC: no space left on device"));
    });
    const log = await opened(scratch(), {
      files,
      onFailure: (cause) => failures.push(cause),
    });
    log.append(lost(1));
    await assert.rejects(log.flush(), {
      name: "LogError",
      code: "unwritable",
      message: `Cannot write log "memory": ENOSPC: no space left on device`,
    });
    assert.equal(log.append(lost(2)).seq, 2);
    await assert.rejects(log.flush(), LogError);
    await log.close();
    assert.equal(failures.length, 1);
    assert.equal(writes, 1, "nothing follows what is missing");
  });

  it("notices that its directory was removed", async (test) => {
    if (process.platform === "win32") return test.skip("files in use cannot be removed");
    const directory = join(scratch(), "log");
    const failures: LogError[] = [];
    const log = await opened(directory, { onFailure: (cause) => failures.push(cause) });
    log.append(lost(1));
    await log.flush();
    rmSync(directory, { recursive: true });
    log.append(lost(2));
    await assert.rejects(log.flush(), /Cannot write log ".*": ".*" was removed/);
    await log.close();
    assert.equal(failures.length, 1);
  });

  it("fails rather than let more wait than it was allowed to", async () => {
    const failures: LogError[] = [];
    const log = await opened(scratch(), {
      files: filesThat(() => new Promise(() => {})),
      maxWaiting: 10,
      batchEvents: 1,
      onFailure: (cause) => failures.push(cause),
    });
    for (let n = 1; n <= 30; n++) log.append(lost(n));
    assert.match(failures[0]?.message ?? "", /11 events wait to be written/);
    assert.equal(failures.length, 1);
  });

  it("cannot be opened where there can be no directory", async () => {
    const path = join(scratch(), "file");
    writeFileSync(path, "");
    await assert.rejects(opened(path), { name: "LogError", code: "unwritable" });
  });

  it("keeps every event, in any history, however it is cut into openings", async () => {
    await fc.assert(
      fc.asyncProperty(histories, fc.nat(40), async (events, pause) => {
        const directory = scratch();
        const found: Recorded[] = [];
        const appended: Recorded[] = [];
        for (const part of [events.slice(0, pause), events.slice(pause)]) {
          const log = await opened(directory, { batchEvents: 4, clock: systemClock });
          for (const event of part) appended.push(log.append(event));
          await log.close();
        }
        if (events.length > 0) found.push(...await written(directory));
        assert.deepEqual(json(found), json(appended));
      }),
      { numRuns: 30 },
    );
  });
});

describe("reading a log", () => {
  it("makes values of variables out of their names", async () => {
    const directory = scratch();
    const log = await opened(directory);
    log.append({
      type: "command.requested",
      commandId: "a",
      sessionId: "s",
      command: "make",
      origin: "model",
      env: new EnvValues({ LEVEL: "7" }),
      limits: {},
    });
    await log.close();
    const [recorded] = await written(directory);
    const event = recorded?.event;
    assert.ok(event?.type === "command.requested" && event.env instanceof EnvValues);
    assert.deepEqual(event.env.reveal(), { LEVEL: "<redacted>" });
    assert.doesNotMatch(readFileSync(join(directory, "events-000000000001.ndjson"), "utf8"), /"7"/);
  });

  const broken: Readonly<Record<string, readonly [string, RegExp]>> = {
    "a later schema": [
      `{"shellflow":"events","schema":2,"firstSeq":1}\n`,
      /^Cannot read log ".*log\.ndjson": its schema is version 2, this reads up to 1$/,
    ],
    "another kind of file": [`{"hello":"world"}\n`, /": it is no event log$/],
    "garbage in the middle": [
      `${head(1)}${line(1)}oops\n${line(2)}`,
      /": line 3 is no event$/,
    ],
    "an event of no shape": [`${head(1)}{"seq":1,"at":0,"event":{}}\n`, /": line 2 is no event$/],
    "a missing event": [`${head(1)}${line(1)}${line(3)}`, /": line 3 is event 3 instead of 2$/],
    "an event twice": [`${head(1)}${line(1)}${line(1)}`, /": line 3 is event 1 instead of 2$/],
  };
  for (const [what, [text, message]] of Object.entries(broken)) {
    it(`stops at ${what}`, async () => {
      const path = join(scratch(), "log.ndjson");
      writeFileSync(path, text);
      await assert.rejects(written(path), { name: "LogError", message });
    });
  }

  it("stops at a segment that is missing", async () => {
    const directory = scratch();
    for (let n = 0; n < 3; n++) await writeSome(directory, 1);
    rmSync(join(directory, "events-000000000002.ndjson"));
    await assert.rejects(written(directory), {
      code: "gap",
      message: /events-000000000003\.ndjson": it begins with event 3 instead of 2$/,
    });
  });

  it("can begin at a later segment, when earlier ones were put away", async () => {
    const directory = scratch();
    for (let n = 0; n < 3; n++) await writeSome(directory, 1);
    rmSync(join(directory, "events-000000000001.ndjson"));
    assert.deepEqual(seqs(await written(directory)), [2, 3]);
  });

  it("says what is not there", async () => {
    const directory = scratch();
    await assert.rejects(written(join(directory, "none")), {
      code: "missing",
      message: /^Cannot read log ".*none": there is no such file or directory$/,
    });
    await assert.rejects(written(directory), { message: /": it holds no events-\*\.ndjson$/ });
  });

  it("leaves out what a writer had not finished", async () => {
    const path = join(scratch(), "log.ndjson");
    writeFileSync(path, head(5) + line(5));
    appendFileSync(path, line(6).slice(0, 20));
    assert.deepEqual(seqs(await written(path)), [5]);
  });
});

function head(firstSeq: number): string {
  return `{"shellflow":"events","schema":1,"firstSeq":${firstSeq},"createdAt":0}\n`;
}

function line(seq: number): string {
  return `${JSON.stringify({ seq, at: 0, event: lost(seq) })}\n`;
}

function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A directory without a disk. */
function filesThat(
  write: (text: string) => Promise<void>,
  sync: () => Promise<void> = () => Promise.resolve(),
): SegmentFiles {
  return {
    path: "memory",
    pathOf: (name) => name,
    list: () => Promise.resolve([]),
    read: () => {
      throw new Error("there is nothing to read");
    },
    create: () => Promise.resolve({ write, sync, close: () => Promise.resolve() }),
  };
}

function countEvents(text: string): number {
  return text.split("\n").filter((line) => line.startsWith(`{"seq"`)).length;
}

/** Let everything go on that waits for promises only. */
function turns(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
