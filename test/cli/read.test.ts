import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { createRuntime } from "../../src/runtime/create.ts";
import { shellflow } from "./shellflow.ts";
import { until } from "../until.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-read-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const file = join(scratch, "output");
const numbers = Array.from({ length: 5000 }, (_, i) => `${i + 1}\n`).join("");
writeFileSync(file, numbers);

describe("shellflow read", () => {
  it("shows an excerpt, and how to read on", async () => {
    const { code, out } = await shellflow(["read", file]);
    assert.equal(code, 0);
    assert.ok(out.startsWith("1\n2\n3\n"));
    assert.match(out, /\n\[\.\.\. 45\d\d lines, \d+ bytes omitted.*\]\n/);
    assert.match(out, /\n4999\n5000\n\[23893 bytes in all; read on with --lines A:B/);
  });

  it("shows the lines that are asked for, and where they end", async () => {
    const { out } = await shellflow(["read", file, "--lines", "10:12"]);
    assert.equal(out, "10\n11\n12\n[read on with --from 27 of 23893]\n");
    const { out: last } = await shellflow(["read", file, "--from", "23883"]);
    assert.equal(last, "4999\n5000\n");
  });

  it("shows the lines that match, with those around them", async () => {
    const { out } = await shellflow(["read", file, "--grep", "^49[0]0$", "--context", "1"]);
    assert.equal(out, "  4899\n4900: 4900\n  4901\n");
    assert.equal((await shellflow(["read", file, "--grep", "none"])).out, "[no line matches]\n");
  });

  it("gives the bytes as they are", async () => {
    const bytes = join(scratch, "latin");
    writeFileSync(bytes, Uint8Array.of(0x66, 0xfc, 0x72, 0x1b, 0x5b, 0x6d, 0x0a));
    const { out } = await shellflow(["read", bytes, "--encoding", "latin1"]);
    assert.equal(out, "für\n");
    assert.equal((await shellflow(["read", bytes, "--raw", "--from", "2"])).out, "r\x1b[m\n");
  });

  it("gives one JSON object", async () => {
    const { out } = await shellflow(["read", file, "--lines", "2:2", "--json"]);
    const { lines, to, atEnd } = JSON.parse(out);
    assert.deepEqual([lines[0].text, to, atEnd], ["2", 4, false]);
  });

  it("is not held up by an expression that other engines take for ever with", async () => {
    const line = join(scratch, "line");
    writeFileSync(line, `${"a".repeat(5000)}!`);
    const { code, out } = await shellflow(["read", line, "--grep", "^(a+)+$"]);
    assert.deepEqual([code, out], [0, "[no line matches]\n"]);
  });

  it("says what is wrong", async () => {
    const failing = async (args: readonly string[], error: RegExp) => {
      const { code, out, err } = await shellflow(["read", ...args]);
      assert.deepEqual([code, out], [1, ""]);
      assert.match(err, error);
    };
    await failing([file, "--grep", "(a"], /^Cannot search for "\(a": /);
    await failing([join(scratch, "none")], /^Cannot read ".*none": there is no such file\n$/);
    await failing([scratch], /^Cannot read ".*": it is not a file\n$/);
    const { code, err } = await shellflow(["read", file, "--lines", "3:2"]);
    assert.equal(code, 2);
    assert.match(err, /two numbers of lines/);
  });

  it("reads a task of a log: what its events carry, and what is in its file", async () => {
    const log = join(scratch, "log");
    const runtime = await createRuntime({ log, mode: "bypass" });
    const short = await runtime.run("echo short");
    const long = await runtime.run("seq 1 5000");
    await runtime.close();
    assert.equal((await shellflow(["read", log, short.taskId])).out, "short\n");
    assert.equal((await shellflow(["read", log, long.taskId, "--raw"])).out, numbers);
    if (long.artifact !== undefined) rmSync(long.artifact);
    const lost = await shellflow(["read", log, long.taskId, "--raw"]);
    assert.ok(lost.out.length > 1000 && numbers.startsWith(lost.out));
    assert.match(lost.err, /^\[bytes \d+ to 23893 are lost\]\n$/);
    const { code, err } = await shellflow(["read", log, "task-none"]);
    assert.equal(code, 1);
    assert.ok(err.includes(`Cannot read "task-none" of "${log}"`) && err.includes(long.taskId));
  });

  it("asks the owner of a log while it lives, also for what is in its memory alone", async () => {
    const log = join(scratch, "owned");
    await using runtime = await createRuntime({ log, mode: "bypass", output: { spill: false } });
    const { taskId, output } = runtime.start("seq 1 5000; sleep 61.5");
    const bytes = await output;
    await until(() => bytes?.total === numbers.length);
    assert.equal((await shellflow(["read", log, taskId, "--raw"])).out, numbers);
    const { out } = await shellflow(["read", log, taskId, "--grep", "^49[0]0$"]);
    assert.equal(out, "4900: 4900\n");
    await runtime.close();
    const { err } = await shellflow(["read", log, taskId, "--raw"]);
    assert.match(err, /^\[bytes \d+ to 23893 are lost\]\n$/);
  });

  it("finds in a log what its owner does not know of", async () => {
    const log = join(scratch, "again");
    const first = await createRuntime({ log, mode: "bypass", output: { spill: false } });
    const { taskId } = await first.run("echo of the first");
    await first.close();
    await using _second = await createRuntime({ log, mode: "bypass" });
    assert.equal((await shellflow(["read", log, taskId])).out, "of the first\n");
    const { code, err } = await shellflow(["read", log, "task-none"]);
    assert.equal(code, 1);
    assert.ok(err.includes(`Cannot read "task-none" of "${log}": no such task`), err);
  });
});
