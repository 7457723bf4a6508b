import assert from "node:assert/strict";
import { appendFileSync, cpSync, mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import { filter, firstValueFrom, last, toArray } from "rxjs";
import {
  createRuntime,
  fold,
  openLog,
  readLog,
  type Recorded,
  sessions,
  tasks,
} from "../../../src/mod.ts";
import { checkedLine, segmentName } from "../../../src/event/log/segment.ts";
import { until } from "../../until.ts";
import { playback, RECORD, scripted } from "../../../src/testing.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-open-log-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const text = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes);

/** What is written of a run of several commands, and what its runtime said at its end. */
const directory = join(scratch, "log");
let first = "";
let background = "";
let events: readonly Recorded[] = [];
before(async () => {
  const runtime = await createRuntime({
    log: directory,
    mode: "bypass",
    output: RECORD,
    ...playback([
      scripted("make", { output: [[0, "one\n"], [1_000, "two\n"]], ends: 2 }),
      scripted("serve", { output: "up\n", durationMs: 5_000 }),
    ]),
  });
  ({ taskId: first } = await runtime.run("make", { sessionId: "s" }));
  await runtime.read(first, { reader: "agent", maxBytes: 4 });
  const serving = runtime.start("serve", { background: true, owner: "agent", sessionId: "b" });
  background = serving.taskId;
  await runtime.wait(background);
  const until = runtime.events.pipe(toArray());
  const all = firstValueFrom(until);
  await runtime.close();
  events = await all;
});

describe("an opened log", () => {
  it("answers what the fold of its events says, now and after each of them", async () => {
    await using log = await openLog(directory);
    assert.deepEqual([log.seq, log.firstSeq, log.damage], [events.length, 1, []]);
    const listed = ({ byId }: { readonly byId: Iterable<unknown> }) => JSON.stringify([...byId]);
    for (let seq = 0; seq <= events.length; seq++) {
      const then = log.at(seq);
      assert.equal(then.seq, seq);
      assert.equal(listed(then.tasks.current), listed(fold(tasks, events.slice(0, seq))));
      assert.equal(listed(then.sessions.current), listed(fold(sessions, events.slice(0, seq))));
    }
    const readOneByOne = await fold(tasks, readLog(directory));
    assert.equal(listed(log.tasks.current), listed(readOneByOne));
    assert.equal(log.atTime(log.time).seq, log.seq);
    assert.equal(log.atTime(-1).tasks.current.byId.size, 0);
    assert.deepEqual(await firstValueFrom(log.at(3).tasks.changes), log.at(3).tasks.current);
  });

  it("has its events, as a stream and one by one, of a span and of a task", async () => {
    await using log = await openLog(directory);
    const seqs = async (events: AsyncIterable<Recorded>) => {
      const read: number[] = [];
      for await (const { seq } of events) read.push(seq);
      return read;
    };
    const all = events.map(({ seq }) => seq);
    assert.deepEqual(await seqs(log.events), all);
    assert.deepEqual(await seqs(log.at(5).events), all.slice(0, 5));
    assert.deepEqual(await seqs(log.select({ from: 3, to: 6 })), [3, 4, 5, 6]);
    assert.deepEqual(await seqs(log.at(5).select({ from: 3, to: 600 })), [3, 4, 5]);
    const streamed = await firstValueFrom(log.select({ taskId: first }).pipe(toArray()));
    const own = events.filter(({ event }) => "commandId" in event && event.commandId === first);
    assert.deepEqual(streamed.map(({ seq }) => seq), own.map(({ seq }) => seq));
    const ends = { name: "ends", initial: 0 };
    const evolve = (ended: number, { event }: Recorded) =>
      event.type === "execution.exited" ? ended + 1 : ended;
    assert.equal(log.project({ ...ends, evolve }).current, 2);
    assert.equal(log.at(2).project({ ...ends, evolve }).current, 0);
  });

  it("reads output as it was written by then, and what a reader had not read", async () => {
    await using log = await openLog(directory);
    const parts = events.filter(({ event }) => event.type === "output.appended");
    const then = log.at(parts[0]?.seq ?? 0);
    const early = await then.read(first);
    assert.deepEqual([text(early), early.total, early.ended], ["one\n", 4, false]);
    const late = await log.read(first, { from: 2, maxBytes: 4 });
    assert.deepEqual([text(late), late.total, late.ended], ["e\ntw", 8, true]);
    assert.equal(log.output(first).total, 8);
    assert.deepEqual(then.unread(first, "agent"), { from: 0, to: 4 });
    assert.deepEqual(log.unread(first, "agent"), { from: 4, to: 8 });
    // What was not asked for yet.
    assert.throws(() => then.output(background), /^Error: Cannot read ".*": no such task; it has/);
    await assert.rejects(log.read("none"), /Cannot read "none": no such task; it has ".*", ".*"$/);
  });

  it("reads the log once, when it is opened", async () => {
    const log = join(scratch, "gone");
    cpSync(directory, log, { recursive: true });
    await using opened = await openLog(log);
    rmSync(log, { recursive: true });
    assert.equal(text(await opened.read(first)), "one\ntwo\n");
    assert.equal(text(await opened.read(background)), "up\n");
  });

  it("has the notices that were due, and what ran in the background", async () => {
    await using log = await openLog(directory);
    const due = log.notices.due("agent").map(({ commandId, kind }) => [commandId, kind]);
    assert.deepEqual(due, [[background, "completed"]]);
    assert.deepEqual(log.notices.due("other"), []);
    const ended = events.find(({ event }) =>
      event.type === "execution.exited" && event.commandId === background
    );
    const running = log.at((ended?.seq ?? 0) - 1).notices;
    assert.deepEqual(running.due(), []);
    assert.deepEqual(running.background("agent").map(({ command }) => command), ["serve"]);
  });

  it("shows a terminal as it was", async () => {
    const log = join(scratch, "terminal");
    const runtime = await createRuntime({ log, mode: "bypass" });
    const { taskId } = await runtime.run("printf '\\033[31mred\\033[m'", { pty: true });
    await runtime.close();
    await using opened = await openLog(log);
    assert.equal((await opened.screen(taskId)).lines[0], "red");
    const started = await firstValueFrom(
      opened.events.pipe(filter(({ event }) => event.type === "execution.started")),
    );
    assert.equal((await opened.at(started.seq).screen(taskId)).lines[0], "");
    await assert.rejects(
      opened.screen("none"),
      /^Error: Cannot show the screen of "none": no such/,
    );
  });

  it("can be opened before anything has happened, while its owner lives", async () => {
    const log = join(scratch, "new");
    await using runtime = await createRuntime({
      log,
      mode: "bypass",
      ...playback([scripted("a")]),
    });
    await using opened = await openLog(log, { follow: true });
    assert.equal(opened.seq, 0);
    const next = firstValueFrom(opened.events);
    await runtime.run("a");
    assert.equal((await next).seq, 1);
  });

  it("follows what its owner adds, until it is closed", async () => {
    const log = join(scratch, "followed");
    const runtime = await createRuntime({ log, mode: "bypass" });
    await runtime.run("echo one");
    await runtime.flush();
    const opened = await openLog(log, { follow: true });
    const known = opened.seq;
    const { taskId } = await runtime.run("echo two");
    const changed = opened.tasks.changes.pipe(
      filter(({ byId }) => byId.get(taskId)?.closed === true),
    );
    await firstValueFrom(changed);
    assert.ok(opened.seq > known);
    assert.equal(opened.at(known).tasks.current.byId.has(taskId), false);
    // The owner has bytes that are in no file.
    assert.equal(text(await opened.read(taskId)), "two\n");
    const rest = firstValueFrom(opened.events.pipe(toArray()));
    await opened.close();
    assert.equal((await rest).length, opened.seq);
    await runtime.close();
  });

  it("follows a log line by line, whatever part of one is written, and into its next segments", async () => {
    const log = join(scratch, "in-parts");
    cpSync(directory, log, { recursive: true });
    const [name = ""] = readdirSync(log).filter((name) => name.endsWith(".ndjson"));
    const path = join(log, name);
    const header = readFileSync(path, "utf8").split("\n")[0] ?? "";
    const line = (seq: number, reason = "…") =>
      checkedLine({ seq, at: 0, event: { type: "session.closed", sessionId: "s", reason } });
    await using opened = await openLog(log, { follow: true });
    const { seq } = opened;
    const reached = async (wanted: number) => await until(() => opened.seq === wanted);
    const bytes = new TextEncoder().encode(line(seq + 1) + line(seq + 2));
    // Within a character of the second line.
    const cut = bytes.lastIndexOf(0xe2) + 1;
    appendFileSync(path, bytes.subarray(0, cut));
    await reached(seq + 1);
    appendFileSync(path, bytes.subarray(cut));
    await reached(seq + 2);
    const [second, third] = [seq + 3, seq + 4].map((at) => join(log, segmentName(at)));
    assert.ok(second !== undefined && third !== undefined);
    writeFileSync(second, `${header}\n${line(seq + 3)}`);
    writeFileSync(third, `${header}\n${line(seq + 4)}`);
    await reached(seq + 4);
    const failed = assert.rejects(firstValueFrom(opened.events.pipe(last())), {
      code: "otherSchema",
    });
    appendFileSync(third, checkedLine({ shellflow: "events", schema: 9, firstSeq: 1 }));
    await failed;
  });

  it("follows a log past a damaged line of bytes that are no text", async () => {
    const log = join(scratch, "no-text");
    cpSync(directory, log, { recursive: true });
    const [name = ""] = readdirSync(log).filter((name) => name.endsWith(".ndjson"));
    const path = join(log, name);
    await using opened = await openLog(log, { follow: true });
    const { seq } = opened;
    for (let more = 1; more <= 3; more++) {
      const event = { type: "session.closed", sessionId: "s", reason: "…" };
      appendFileSync(path, Uint8Array.of(0xff, 0xe2, 0x80, 0xff, 0x0a));
      appendFileSync(path, checkedLine({ seq: seq + more, at: 0, event }));
      await until(() => opened.seq === seq + more);
    }
  });

  it("reports damaged lines, and keeps all others", async () => {
    const log = join(scratch, "damaged");
    cpSync(directory, log, { recursive: true });
    const [name = ""] = readdirSync(log).filter((name) => name.endsWith(".ndjson"));
    const lines = readFileSync(join(log, name), "utf8").split("\n");
    lines[3] = "nonsense";
    writeFileSync(join(log, name), lines.join("\n"));
    await using opened = await openLog(log);
    assert.deepEqual(opened.damage, [{ path: join(log, name), line: 4, state: "is damaged" }]);
    assert.equal(opened.seq, events.length);
    assert.equal(opened.at(3).seq, 2);
  });

  it("keeps the newest events where it is asked to", async () => {
    const log = join(scratch, "many");
    const lines = Array.from({ length: 60 }, (_, i) => `make ${i}`);
    const runtime = await createRuntime({
      log,
      mode: "bypass",
      ...playback(lines.map((line) => scripted(line, { output: "x", durationMs: 10 }))),
    });
    for (const line of lines) await runtime.run(line, { sessionId: "s" });
    await runtime.close();
    await using whole = await openLog(log);
    await using opened = await openLog(log, { maxEvents: 130 });
    const { firstSeq, seq } = opened;
    assert.ok(firstSeq > 1 && seq - firstSeq >= 129, `from ${firstSeq} to ${seq}`);
    for (const at of [firstSeq - 1, firstSeq, firstSeq + 50, seq]) {
      const listed = (log: typeof whole) => [...log.at(at).tasks.current.byId.values()];
      assert.deepEqual(listed(opened), listed(whole));
    }
    assert.throws(() => opened.at(1), RangeError);
  });

  it("refuses what is no log, and what is not in it", async () => {
    const none = join(scratch, "none");
    await assert.rejects(openLog(none), { name: "LogError", code: "missing" });
    await assert.rejects(openLog(scratch), { name: "LogError", code: "notALog" });
    const file = join(scratch, "file");
    appendFileSync(file, "nonsense\n");
    await assert.rejects(openLog(file), { name: "LogError", code: "notALog" });
    await using log = await openLog(directory);
    const count = events.length;
    assert.throws(() => log.at(count + 1), {
      name: "RangeError",
      message: `Cannot go to event ${count + 1}: there are 1 to ${count}`,
    });
    for (const seq of [-1, 1.5, NaN]) assert.throws(() => log.at(seq), RangeError);
    assert.throws(() => log.select({ from: -1 }), /^TypeError: Cannot select events with from -1/);
    const [name = ""] = readdirSync(directory).filter((name) => name.endsWith(".ndjson"));
    const segment = join(directory, name);
    await assert.rejects(
      openLog(segment, { follow: true }),
      /with follow true: it is a file; give the directory of the log$/,
    );
    await using one = await openLog(segment);
    assert.equal(one.seq, count);
    assert.equal(text(await one.read(first)), "one\ntwo\n");
    await assert.rejects(openLog(directory, { maxEvents: 0 }), /with maxEvents 0/);
    await assert.rejects(openLog(JSON.parse("5")), {
      name: "TypeError",
      message: "Cannot read log 5: its path must be a string",
    });
  });
});
