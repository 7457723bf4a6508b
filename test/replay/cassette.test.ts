import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, describe, it } from "node:test";
import type { Recorded } from "../../src/event/event.ts";
import { readLog } from "../../src/event/log/read-log.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import { playback, readCassette, RECORD, recordingsOf } from "../../src/testing.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-cassette-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const COMMAND = "echo one; sleep 0.3; echo two";
const SEGMENT = "events-000000000001.ndjson";
let lines: readonly string[] = [];
const events: Recorded[] = [];

before(async () => {
  const log = join(scratch, "log");
  const recorder = await createRuntime({ mode: "bypass", cwd: scratch, log, output: RECORD });
  assert.equal((await recorder.run(COMMAND)).output, "one\ntwo\n");
  await recorder.close();
  assert.deepEqual(readdirSync(log), [SEGMENT]);
  lines = readFileSync(join(log, SEGMENT), "utf8").trimEnd().split("\n");
  for await (const recorded of readLog(log)) events.push(recorded);
});

/** A log with this text. */
function logOf(text: string): string {
  const log = mkdtempSync(join(scratch, "log-"));
  writeFileSync(join(log, SEGMENT), text);
  return log;
}

const textOf = (lines: readonly string[]): string => lines.map((line) => `${line}\n`).join("");

describe("readCassette", () => {
  it("refuses a log with a damaged line, whichever that is", async () => {
    for (const [at, line] of lines.entries()) {
      const damaged = textOf(lines.with(at, line.replace(/[a-z]/, (letter) => `${letter}x`)));
      await assert.rejects(readCassette(logOf(damaged)), (cause: Error) => {
        assert.equal("code" in cause && cause.code, "damaged");
        assert.match(cause.message, /ndjson": it is damaged; restore it, or record it again$/);
        assert.ok(cause.message.startsWith(`Cannot read line ${at + 1} of log "`), cause.message);
        return true;
      });
    }
  });

  it("refuses a log that lacks an event", async () => {
    for (let at = 2; at < lines.length - 1; at++) {
      const log = logOf(textOf(lines.toSpliced(at, 1)));
      const message = new RegExp(
        `line ${at + 1} of log .*: it is event ${at + 1} instead of ${at};`,
      );
      await assert.rejects(readCassette(log), { name: "LogError", message });
    }
  });

  it("refuses a log without its beginning", async () => {
    const built = lines.findIndex((line) => line.includes('"env.built"'));
    const log = logOf(textOf([...lines.slice(0, 1), ...lines.slice(built + 1)]));
    await assert.rejects(
      readCassette(log),
      /^Error: Cannot replay "task_.*": the events begin after/,
    );
  });

  it("refuses what is no log, or an empty one", async () => {
    const rows: readonly (readonly [string, RegExp])[] = [
      ["", /^Cannot read log ".*": no event is in it$/],
      [textOf(lines.slice(0, 1)), /^Cannot read log ".*": no event is in it$/],
      ['{"a":1}\n{"b":2}\n', /^Cannot read line 1 of log ".*": it is damaged; /],
      [
        lines.join("\r\n"),
        /^Cannot read line 1 of log ".*": it ends in CRLF: .*"\* -text" in \.gitattributes; /,
      ],
    ];
    for (const [text, message] of rows) {
      await assert.rejects(readCassette(logOf(text)), { name: "LogError", message });
    }
    const message = /there is no such file/;
    await assert.rejects(readCassette(join(scratch, "none")), { name: "LogError", message });
  });

  it("finds the files of a log that was moved", async () => {
    const [log, moved] = [join(scratch, "spilled"), join(scratch, "moved")];
    const recorder = await createRuntime({ mode: "bypass", log });
    const { totalBytes } = await recorder.run("seq 1 20000");
    await recorder.close();
    renameSync(log, moved);
    const [{ steps = [] } = {}] = await readCassette(moved);
    const sizes = steps.map((step) => step.type === "bytes" ? step.bytes.length : 0);
    assert.equal(sizes.reduce((sum, size) => sum + size, 0), totalBytes);
    rmSync(join(moved, "output"), { recursive: true });
    await assert.rejects(readCassette(moved), /"seq 1 20000": neither the log nor ".*\.out" holds/);
  });

  it("gives what a killed host recorded, as lost", async () => {
    const exited = lines.findIndex((line) => line.includes('"execution.exited"'));
    const log = logOf(textOf(lines.slice(0, exited)));
    const play = async () => {
      const player = playback(await readCassette(log));
      await using runtime = await createRuntime({ mode: "bypass", ...player });
      const { output, outcome } = await runtime.run(COMMAND);
      return { output, outcome };
    };
    assert.deepEqual(await play(), {
      output: "one\ntwo\n",
      outcome: { type: "lost", reason: "Its recording ends while it runs" },
    });
    const next = await createRuntime({ mode: "bypass", log });
    await next.close();
    const { outcome } = await play();
    assert.match(outcome.type === "lost" ? outcome.reason : "", /^Its host died while it ran/);
  });
});

describe("recordingsOf", () => {
  const without = (type: string) => {
    const at = events.findIndex(({ event }) => event.type === type);
    return () => recordingsOf(events.toSpliced(at, 1));
  };

  it("refuses events of a command that lack one it relies on", () => {
    const name = "Error";
    const rows: readonly (readonly [string, RegExp])[] = [
      ["output.appended", /: no event has its output from byte 0 to 4$/],
      ["execution.started", /: it has output before "execution\.started"$/],
      ["execution.exited", /: it has "execution\.closed" before "execution\.exited"$/],
    ];
    for (const [type, message] of rows) assert.throws(without(type), { name, message });
  });

  it("has nothing of a command that never started, nor of a detached one", () => {
    const start = events.findIndex(({ event }) => event.type === "execution.started");
    assert.deepEqual(recordingsOf(events.slice(0, start)), []);
    const [{ commandId = "" } = {}] = recordingsOf(events);
    const files = { log: "/log", pidFile: "/pid", pid: 1, startTime: "1" };
    const event = { type: "task.detached", commandId, ...files } as const;
    assert.deepEqual(recordingsOf(events.toSpliced(start + 1, 0, { seq: 0, at: 0, event })), []);
  });
});
