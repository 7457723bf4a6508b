import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { cpSync, mkdtempSync, rmSync, statSync, truncateSync, writeFileSync } from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { excerpt } from "../../src/text/excerpt/excerpt.ts";
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
    const [, next = "", command = ""] =
      /^(\d+)\n\[\.\.\.[^]*\n4999\n5000\n\[23893 bytes in all; read on with: shellflow (.*), or/m
        .exec(out) ?? [];
    assert.equal(command, `read ${file} --lines ${Number(next) + 1}:`);
    assert.ok((await shellflow(command.split(" "))).out.startsWith(`${Number(next) + 1}\n`));
  });

  it("tells in a result how to read on, in words that a shell takes", async () => {
    const spill = join(scratch, "it's a directory");
    await using runtime = await createRuntime({ mode: "bypass", output: { spill } });
    const { taskId, output, artifact = "" } = await runtime.run("seq 1 40000");
    const [notice = "", offset = ""] = /\[\d+ of 228894 bytes omitted, from byte (\d+) on.*\]/
      .exec(output) ?? [];
    const quoted = `'${artifact.replaceAll("'", "'\\''")}'`;
    assert.ok(
      notice.endsWith(
        `; all of it is in ${artifact}; read on with: shellflow read ${quoted} --from ${offset}]`,
      ),
      notice,
    );
    const { out } = await shellflow(["read", artifact, "--from", offset]);
    const all = Array.from({ length: 40_000 }, (_, i) => `${i + 1}\n`).join("");
    const [shown = "", more] = out.split(/^(?=\[)/m);
    assert.ok(shown.length > 1000 && all.slice(Number(offset)).startsWith(shown));
    assert.match(more ?? "", /^\[read on with --from \d+ of 228894\]\n$/);
    const log = runtime.output(taskId);
    assert.ok(log);
    const { text } = await excerpt(log, { maxChars: 1000 });
    const [, next = "", footer = ""] = /^(\d+)\n\[\.\.\.[^]*\n(\[.*\])$/m.exec(text) ?? [];
    assert.equal(
      footer,
      `[228894 bytes in all; all of it is in ${artifact}; ` +
        `read on with: shellflow read ${quoted} --lines ${Number(next) + 1}:]`,
    );
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

  it("says what is wrong", async () => {
    const failing = async (args: readonly string[], error: RegExp, exitCode = 1) => {
      const { code, out, err } = await shellflow(["read", ...args]);
      assert.deepEqual([code, out], [exitCode, ""]);
      assert.match(err, error);
    };
    await failing([file, "--grep", "(a"], /^Cannot search for "\(a": /, 2);
    await failing([file, "--encoding", "nope"], /^Cannot decode "nope": no such encoding\n$/, 2);
    await failing([join(scratch, "none")], /^Cannot read ".*none": there is no such file\n$/);
    await failing(
      [scratch],
      /^Cannot read ".*": it is a directory, not a regular file; name a task where it is a log\n$/,
    );
    await failing(
      ["/dev/null"],
      /^Cannot read "\/dev\/null": it is a device, not a regular file\n$/,
    );
    for (const lines of ["3:2", "0:2", ":2", "2", "2:x"]) {
      const { code, err } = await shellflow(["read", file, "--lines", lines]);
      assert.equal(code, 2);
      assert.match(err, /two numbers of lines/);
    }
  });

  it("refuses a FIFO and a socket at once, whoever may write to them", async () => {
    const fifo = join(scratch, "fifo");
    execFileSync("mkfifo", [fifo]);
    for (const args of [[fifo], [fifo, "task-1"]]) {
      const { code, out, err } = await shellflow(["read", ...args]);
      assert.deepEqual([code, out], [1, ""]);
      assert.equal(err, `Cannot read "${fifo}": it is a FIFO, not a regular file\n`);
    }
    const path = join(scratch, "socket");
    const server = createServer();
    await new Promise<void>((resolve) => server.listen(path, resolve));
    const { code, err } = await shellflow(["read", path]);
    assert.deepEqual([code, err], [
      1,
      `Cannot read "${path}": it is a socket, not a regular file\n`,
    ]);
    await new Promise((resolve) => server.close(resolve));
  });

  it("refuses options of which one would be ignored", async () => {
    const clashes: readonly (readonly [readonly string[], RegExp])[] = [
      [["--lines", "2:3", "--from", "0"], /'--lines .*' cannot be used with option '--from /],
      [["--lines", "2:", "--grep", "x"], /'--lines .*' cannot be used with option '--grep /],
      [["--raw", "--lines", "2:3"], /'--raw' cannot be used with option '--lines /],
      [["--raw", "--grep", "x"], /'--raw' cannot be used with option '--grep /],
      [["--raw", "--json"], /'--raw' cannot be used with option '--json'/],
      [["--raw", "--encoding", "latin1"], /'--raw' cannot be used with option '--encoding /],
      [["--context", "2"], /^Cannot use --context 2: it is for --grep/],
    ];
    for (const [args, words] of clashes) {
      const { code, out, err } = await shellflow(["read", file, ...args]);
      assert.deepEqual([code, out], [2, ""]);
      assert.match(err, words);
    }
  });

  it("says what is not there of what is asked for", async () => {
    const shown = async (...args: string[]) => (await shellflow(["read", file, ...args])).out;
    const none = (line: number) => `[there is no line ${line}: there are 5000 lines]\n`;
    assert.equal(await shown("--lines", "6000:6001"), none(6000));
    assert.equal(await shown("--lines", "5001:"), none(5001));
    assert.equal(await shown("--lines", "4999:5001"), `4999\n5000\n${none(5001)}`);
    assert.equal(await shown("--lines", "4999:"), "4999\n5000\n");
  });

  it("says how much of a line it leaves out", async () => {
    const line = join(scratch, "long line");
    writeFileSync(line, `${"x".repeat(100_000)}NEEDLE\nsecond\n`);
    const shown = `${"x".repeat(16_384)} [... 83622 columns omitted ...]\nsecond\n`;
    for (const args of [["--lines", "1:2"], ["--from", "0"]]) {
      assert.equal((await shellflow(["read", line, ...args])).out, shown);
    }
  });

  it("says of every way to read that it begins beyond the end", async () => {
    const beyond = "[there is no byte 23894: there are 23893 bytes]\n";
    const from = ["read", file, "--from", "23894"];
    assert.equal((await shellflow(from)).out, beyond);
    assert.equal((await shellflow([...from, "--grep", "1"])).out, `[no line matches]\n${beyond}`);
    const raw = await shellflow([...from, "--raw"]);
    assert.deepEqual([raw.out, raw.err], ["", beyond]);
  });

  it("tells what is lost at its place, as one, whatever is asked for", async () => {
    const log = join(scratch, "lossy");
    const runtime = await createRuntime({ log, mode: "bypass", output: { inlineBytes: 24 } });
    const { taskId, artifact = "" } = await runtime.run("seq 1 40000");
    await runtime.close();
    const { size } = statSync(artifact);
    truncateSync(artifact, 0);
    const shown = async (...args: string[]) => {
      const { out, err } = await shellflow(["read", log, taskId, ...args]);
      return [out, err];
    };
    const lost = `[bytes 24 to ${size} are lost]\n`;
    const [all] = await shown("--lines", "1:3");
    assert.equal(all, `1\n2\n3\n[read on with --from 6 of ${size}]\n`);
    const seen = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n";
    assert.deepEqual(await shown("--from", "0"), [`${seen}${lost}`, ""]);
    assert.deepEqual(await shown("--raw"), [seen, lost]);
    assert.equal((await shellflow(["read", log, taskId, "--raw"])).code, 1);
    assert.deepEqual(await shown("--grep", "^1"), [`1: 1\n10: 10\n11: 11\n${lost}`, ""]);
    assert.deepEqual(await shown("--grep", "none"), [`${lost}[no line matches]\n`, ""]);
    assert.deepEqual(await shown("--lines", "100:"), [
      `${lost}[lines were counted without those that are lost]\n`,
      "",
    ]);
    const { gaps } = JSON.parse((await shown("--grep", "none", "--json"))[0] ?? "");
    assert.deepEqual(gaps, [{ from: 24, to: size }]);
  });

  it("reads a task of a log: what its events carry, and what is in its file", async () => {
    const log = join(scratch, "log");
    const runtime = await createRuntime({ log, mode: "bypass" });
    const short = await runtime.run("echo short");
    const long = await runtime.run("seq 1 5000");
    await runtime.close();
    assert.equal((await shellflow(["read", log, short.taskId])).out, "short\n");
    assert.equal((await shellflow(["read", log, long.taskId, "--raw"])).out, numbers);
    const moved = join(scratch, "moved");
    cpSync(log, moved, { recursive: true });
    if (long.artifact !== undefined) rmSync(long.artifact);
    for (const place of [moved, join(moved, "events-000000000001.ndjson")]) {
      const { code, out } = await shellflow(["read", place, long.taskId, "--raw"]);
      assert.deepEqual([code, out], [0, numbers]);
    }
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
