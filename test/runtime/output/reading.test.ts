import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import type { ReadResult } from "../../../src/output/read/read-bytes.ts";
import { createRuntime } from "../../../src/runtime/create.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const text = ({ bytes }: ReadResult) => new TextDecoder().decode(bytes);

describe("reading by task", () => {
  it("gives each named reader what it has not read, and all to who says no name", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const { taskId } = await runtime.run("printf 0123456789");
    assert.deepEqual(runtime.unread(taskId, "agent"), { from: 0, to: 10 });
    const first = await runtime.read(taskId, { reader: "agent", maxBytes: 4 });
    assert.deepEqual([text(first), first.to, first.ended], ["0123", 4, true]);
    assert.deepEqual(runtime.unread(taskId, "agent"), { from: 4, to: 10 });
    assert.equal(text(await runtime.read(taskId, { reader: "agent" })), "456789");
    assert.equal(text(await runtime.read(taskId, { reader: "agent" })), "");
    assert.equal(text(await runtime.read(taskId, { reader: "person" })), "0123456789");
    assert.equal(text(await runtime.read(taskId)), "0123456789");
    assert.equal(text(await runtime.read(taskId, { from: 8 })), "89");
  });

  it("finds nothing of what never ran, in a log as elsewhere", async () => {
    const log = mkdtempSync(join(scratch, "log-"));
    for (const options of [{}, { log }]) {
      await using runtime = await createRuntime({ rules: { deny: ["Bash(rm *)"] }, ...options });
      const { taskId } = await runtime.run("rm x");
      const { total, ended } = await runtime.read(taskId);
      assert.deepEqual([total, ended], [0, true]);
    }
  });

  it("gives no byte to one reader twice, however many reads it has under way", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const running = runtime.start("for i in {1..50}; do echo line $i; sleep 0.005; done");
    const options = { reader: "agent", maxBytes: 30, waitMs: 5_000 };
    const reads = await Promise.all(
      Array.from({ length: 20 }, () => runtime.read(running.taskId, options)),
    );
    const { output } = await running.result;
    const rest = await runtime.read(running.taskId, { reader: "agent" });
    assert.equal([...reads, rest].map(text).join(""), output);
    assert.deepEqual(runtime.unread(running.taskId, "agent"), {
      from: output.length,
      to: output.length,
    });
  });

  it("waits for a task whose turn has not come, and for new output", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const session = { sessionId: "s" };
    runtime.start("sleep 0.2", session);
    const { taskId } = runtime.start("echo late; sleep 0.1", session);
    const read = await runtime.read(taskId, { reader: "agent", waitMs: 60_000 });
    assert.equal(text(read), "late\n");
  });

  it("waits for the end where that is asked for, whoever reads and wherever the output is", async () => {
    await using runtime = await createRuntime({ mode: "bypass", log: join(scratch, "ends") });
    for (const [at, detach] of [false, true].entries()) {
      const go = join(scratch, `go-${at}`);
      const line = `echo early; until [ -e ${go} ]; do sleep 0.02; done; echo late`;
      const { taskId } = runtime.start(line, detach ? { detach } : {});
      let over = 0;
      const end = { until: "end", waitMs: 60_000 } as const;
      const ends = [end, { ...end, from: 6 }, { ...end, reader: "agent" }].map((options) =>
        runtime.read(taskId, options).finally(() => over++)
      );
      assert.equal(text(await runtime.read(taskId, { waitMs: 60_000 })), "early\n");
      assert.equal(text(await runtime.read(taskId, { until: "end", waitMs: 1 })), "early\n");
      assert.equal(over, 0);
      writeFileSync(go, "");
      const reads = await Promise.all(ends);
      assert.deepEqual(reads.map(text), ["early\nlate\n", "late\n", "early\nlate\n"]);
      assert.deepEqual(reads.map(({ ended }) => ended), [true, true, true]);
      assert.equal(text(await runtime.read(taskId, { ...end, reader: "agent" })), "");
    }
  });

  it("knows over a restart how far a reader had come", async () => {
    const log = join(scratch, "log");
    const first = await createRuntime({ mode: "bypass", log });
    const { taskId } = await first.run("seq 5000");
    const before = await first.read(taskId, { reader: "agent", maxBytes: 5_000 });
    await first.close();
    await using second = await createRuntime({ mode: "bypass", log });
    const rest = await second.read(taskId, { reader: "agent" });
    assert.deepEqual([before.to, rest.from], [5_000, 5_000]);
    const all = Array.from({ length: 5_000 }, (_, i) => `${i + 1}\n`).join("");
    assert.equal(text(before) + text(rest), all);
  });

  it("lets nobody wait for another's patience", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const running = runtime.start("read -r -t 60 < <(sleep 60); :");
    const reader = { reader: "agent" };
    const ends = new AbortController();
    const patient = runtime.read(running.taskId, { ...reader, waitMs: 3_600_000 })
      .finally(() => ends.abort());
    const now = await runtime.read(running.taskId, reader);
    assert.deepEqual([now.to, now.ended, ends.signal.aborted], [0, false, false]);
    running.stop();
    assert.equal((await patient).ended, true);
  });

  it("ends a wait by a signal, and counts nothing as read then", async () => {
    await using runtime = await createRuntime({ mode: "bypass", log: join(scratch, "signals") });
    for (const detach of [false, true]) {
      const { taskId, result } = runtime.start("read -r -t 60 < <(sleep 60); :", { detach });
      if (detach) await result;
      const waits = [{ reader: "agent" }, { reader: "agent", until: "end" }, {}] as const;
      for (const options of waits) {
        const over = new AbortController();
        const read = runtime.read(taskId, { ...options, waitMs: 3_600_000, signal: over.signal });
        over.abort(new Error("enough"));
        await assert.rejects(read, /^Error: enough$/);
      }
      await runtime.stop(taskId);
    }
    const { taskId, output } = runtime.start("sleep 0.2; echo late");
    await output;
    const waits = { reader: "agent", waitMs: 3_600_000, signal: AbortSignal.timeout(20) };
    await assert.rejects(runtime.read(taskId, waits), { name: "TimeoutError" });
    await runtime.wait(taskId);
    const aborted = { reader: "agent", signal: AbortSignal.abort(new Error("enough")) };
    await assert.rejects(runtime.read(taskId, aborted), /^Error: enough$/);
    assert.equal(text(await runtime.read(taskId, { reader: "agent" })), "late\n");
  });

  it("tells after a restart what was short, and which bytes of what was long are gone", async () => {
    const log = join(scratch, "gaps");
    const options = { mode: "bypass", log, output: { quotaBytes: 100_000 } } as const;
    const first = await createRuntime(options);
    const [short, long, removed] = [
      await first.run("echo tiny"),
      await first.run("seq 50000"),
      await first.run("seq 20000"),
    ];
    await first.close();
    rmSync(removed.artifact ?? "");
    await using second = await createRuntime(options);
    assert.equal(text(await second.read(short.taskId, { reader: "agent" })), "tiny\n");
    for (const { taskId, totalBytes } of [long, removed]) {
      const whole = await second.read(taskId, { reader: "agent", maxBytes: 1_000_000 });
      const lost = whole.gaps.reduce((sum, { from, to }) => sum + to - from, 0);
      assert.ok(lost > 0);
      assert.deepEqual([whole.to, whole.total, whole.ended], [totalBytes, totalBytes, true]);
      assert.equal(whole.bytes.length + lost, totalBytes);
      assert.deepEqual(second.unread(taskId, "agent"), { from: totalBytes, to: totalBytes });
    }
  });

  it("refuses what it cannot use, and names it", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const { taskId } = await runtime.run("echo x");
    const refused = (options: object, message: RegExp) =>
      assert.rejects(runtime.read(taskId, options), message);
    await refused({ reader: "" }, /with reader "": it is empty/);
    await refused({ reader: "a", from: 3 }, /with from 3: a reader goes on where it stopped/);
    await refused({ from: -1 }, /with from -1: /);
    await refused({ maxBytes: 0 }, /with maxBytes 0: /);
    await refused({ until: "soon" }, /with until "soon": /);
    await refused({ nonsense: 1 }, /with nonsense 1: /);
    await refused({ signal: 1 }, /with signal 1: /);
    await assert.rejects(
      runtime.read("task_none"),
      /Cannot read "task_none": there is no such task/,
    );
    assert.throws(() => runtime.unread("task_none", "agent"), /there is no such task/);
    assert.throws(() => runtime.unread(taskId, ""), /with reader "": it is empty/);
    assert.equal(text(await runtime.read(taskId, { reader: "agent" })), "x\n");
  });
});
