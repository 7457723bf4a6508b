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
import type { EventLog } from "../../../src/event/log/log.ts";
import type { Recorded, RuntimeEvent } from "../../../src/event/event.ts";
import { EnvValues } from "../../../src/event/env-values.ts";
import { type FileLogOptions, openFileLog } from "../../../src/event/log/file-log.ts";
import { LogError } from "../../../src/event/log/log-error.ts";
import { type LogDamage, readLog } from "../../../src/event/log/read-log.ts";
import { checkedLine, headerLine } from "../../../src/event/log/segment.ts";
import { systemClock } from "../../../src/platform/clock.ts";
import type { SegmentFiles } from "../../../src/platform/file/segment-files.ts";
import { VirtualClock } from "../../../src/platform/virtual-clock.ts";
import { histories } from "../events.ts";
import { recheck } from "../recheck.ts";
import { scratch } from "../scratch.ts";

const lost = (n: number): RuntimeEvent => ({
  type: "task.lost",
  commandId: `task_${n}`,
  reason: "gone",
});

const unexpected = (cause: LogError): void => {
  throw cause;
};

async function opened(directory: string, options: Partial<FileLogOptions> = {}): Promise<EventLog> {
  return await openFileLog({
    directory,
    clock: new VirtualClock(1000),
    onFailure: unexpected,
    ...options,
  });
}

async function written(path: string, damages: LogDamage[] = []): Promise<Recorded[]> {
  const found: Recorded[] = [];
  const onDamage = (damage: LogDamage) => damages.push(damage);
  for await (const recorded of readLog(path, { onDamage })) found.push(recorded);
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
    const [head = ""] = readFileSync(join(directory, "events-000000000001.ndjson"), "utf8").split(
      "\n",
    );
    const { check, ...header } = JSON.parse(head);
    assert.deepEqual(header, { shellflow: "events", schema: 2, firstSeq: 1, createdAt: 1000 });
    assert.match(check, /^[0-9a-f]{8}$/);
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

  it("writes in batches: after some time, when there are many, or when asked to", async () => {
    const clock = new VirtualClock();
    const writes: string[] = [];
    const files = filesThat((text) => void writes.push(text));
    const log = await opened(scratch(), { clock, files, batchMs: 20, batchEvents: 3 });
    log.append(lost(1));
    log.append(lost(2));
    clock.advance(19);
    assert.deepEqual(writes, []);
    clock.advance(1);
    assert.deepEqual(writes.map(countEvents), [2]);
    for (let n = 3; n <= 5; n++) log.append(lost(n));
    assert.deepEqual(writes.map(countEvents), [2, 3]);
    log.append(lost(6));
    log.writeNow();
    log.writeNow();
    assert.deepEqual(writes.map(countEvents), [2, 3, 1]);
    assert.ok(clock.idle);
  });

  it("syncs for a flush that asks for it", async () => {
    let synced = 0;
    const files = filesThat(() => {}, () => Promise.resolve(void synced++));
    const log = await opened(scratch(), { files });
    log.append(lost(1));
    await log.flush();
    assert.equal(synced, 0);
    await log.flush({ sync: true });
    assert.equal(synced, 1);
  });

  it("closes no file of which a sync is under way, be it the last one or followed by another", async () => {
    for (const segmentSize of [1, 1_000_000]) {
      for (let round = 0; round < 10; round++) {
        const log = await opened(scratch(), { segmentSize });
        const flushes = [1, 2, 3, 4].map((n) => {
          log.append(lost(n));
          return log.flush({ sync: true });
        });
        await Promise.all([...flushes, log.close()]);
      }
    }
  });

  it("reports once that it cannot write, and lets the runtime go on", async () => {
    const failures: LogError[] = [];
    let writes = 0;
    const files = filesThat(() => {
      writes++;
      throw new Error("ENOSPC: no space left on device");
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

  const refused: Readonly<Record<string, readonly [string, RegExp]>> = {
    "another schema": [
      headerLine(1, 0).replace('"schema":2', '"schema":3'),
      /^Cannot read log ".*log\.ndjson": its schema is version 3, this reads version 2$/,
    ],
    "another kind of file": [`{"hello":"world"}\n`, /": it is no event log$/],
  };
  for (const [what, [text, message]] of Object.entries(refused)) {
    it(`refuses ${what}`, async () => {
      const path = join(scratch(), "log.ndjson");
      writeFileSync(path, recheck(text));
      await assert.rejects(written(path), { name: "LogError", message });
    });
  }

  it("passes over a damaged line wherever a bit is flipped, and reports it", async () => {
    const directory = scratch();
    await writeSome(directory, 4);
    const path = join(directory, "events-000000000001.ndjson");
    const whole = readFileSync(path);
    const lineAt = (at: number) => whole.subarray(0, at).filter((byte) => byte === 10).length;
    for (let at = 0; at < whole.length; at++) {
      const damaged = Uint8Array.from(whole);
      damaged[at] = (whole[at] ?? 0) ^ (1 << at % 8);
      writeFileSync(path, damaged);
      const damages: LogDamage[] = [];
      const found = await written(directory, damages);
      const line = lineAt(at);
      // The end of a line that is damaged takes the next one with it.
      const hit = whole[at] === 10 ? [line, line + 1] : [line];
      const rest = [1, 2, 3, 4].filter((seq) => !hit.includes(seq));
      assert.deepEqual(
        seqs(found),
        line === 0 && whole[at] === 10 ? [2, 3, 4] : rest,
        `byte ${at}`,
      );
      assert.equal(damages[0]?.line, line + 1, `byte ${at}`);
    }
  });

  const gaps: Readonly<Record<string, readonly [string, readonly number[], string]>> = {
    "a missing event": [headerLine(1, 0) + line(1) + line(3), [1, 3], "is event 3 instead of 2"],
    "an event twice": [headerLine(1, 0) + line(1) + line(1), [1], "is event 1 instead of 2"],
  };
  for (const [what, [text, rest, state]] of Object.entries(gaps)) {
    it(`reports ${what}`, async () => {
      const path = join(scratch(), "log.ndjson");
      writeFileSync(path, text);
      const damages: LogDamage[] = [];
      assert.deepEqual(seqs(await written(path, damages)), rest);
      assert.deepEqual(damages, [{ path, line: 3, state }]);
    });
  }

  it("reports a segment that is missing", async () => {
    const directory = scratch();
    for (let n = 0; n < 3; n++) await writeSome(directory, 1);
    rmSync(join(directory, "events-000000000002.ndjson"));
    const damages: LogDamage[] = [];
    assert.deepEqual(seqs(await written(directory, damages)), [1, 3]);
    assert.deepEqual(damages.map(({ state }) => state), ["is event 3 instead of 2"]);
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
    writeFileSync(path, headerLine(5, 0) + line(5));
    appendFileSync(path, line(6).slice(0, 20));
    assert.deepEqual(seqs(await written(path)), [5]);
  });
});

function line(seq: number): string {
  return checkedLine({ seq, at: 0, event: lost(seq) });
}

function json(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value));
}

/** A directory without a disk. */
function filesThat(
  write: (text: string) => void,
  sync: () => Promise<void> = () => Promise.resolve(),
): SegmentFiles {
  return {
    path: "memory",
    pathOf: (name) => name,
    list: () => Promise.resolve([]),
    read: () => {
      throw new Error("there is nothing to read");
    },
    bytes: () => {
      throw new Error("there is nothing to read");
    },
    create: () => ({ write, sync, close: () => {} }),
  };
}

function countEvents(text: string): number {
  return text.split("\n").filter((line) => line.startsWith(`{"seq"`)).length;
}
