import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { text } from "node:stream/consumers";
import { describe, it } from "node:test";
import { cleanUp } from "../clean-up.ts";
import { until } from "../until.ts";
import { runArgs } from "../run-args.ts";
import { shellflow, startCli } from "./shellflow.ts";

const main = new URL("../../src/cli/main.ts", import.meta.url);

const scratch = mkdtempSync(join(tmpdir(), "shellflow-bench-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));

const bench = async (...args: readonly string[]) => {
  const child = startCli(["bench", "--rounds", "1", ...args], { cwd: scratch });
  assert.ok(child.stdout && child.stderr);
  const [out, err, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, "close"),
  ]);
  return { out, err, code };
};

describe("shellflow bench", () => {
  it("measures a command in three ways, and counts all of its output", async () => {
    const line = "head -c 2000000 /dev/zero; pwd >&2; exit 3";
    const { out, err, code } = await bench("--output-format", "json", "--", line);
    assert.equal(code, 0, err);
    const { command, rounds, cases } = JSON.parse(out);
    assert.deepEqual([command, rounds], [line, 1]);
    assert.deepEqual(cases.map(({ name }: { name: string }) => name), ["plain", "memory", "file"]);
    for (const { bytes, ms, cpuMs, bytesPerSecond, timesPlain, memoryBytes, exitCode } of cases) {
      assert.equal(bytes, 2_000_000 + scratch.length + 1);
      assert.equal(exitCode, 3);
      assert.ok(ms > 0 && cpuMs > 0 && bytesPerSecond > 0 && timesPlain > 0 && memoryBytes >= 0);
    }
  });

  it("prints a table, and what makes the comparison questionable", async () => {
    const { out, err, code } = await bench("--", "echo x >> count; cat count; exit 1");
    assert.equal(code, 0, err);
    const [title, how, , head, plain, memory, file] = out.split("\n");
    assert.equal(title, "echo x >> count; cat count; exit 1");
    assert.equal(how, "1 round in turn, each in a fresh process; medians");
    assert.match(head ?? "", /^ +output +time +rate +times plain +host CPU +host memory$/);
    assert.match(
      plain ?? "",
      /^spawn, counted +2 B +[\d.]+ ms +- +1\.00 +[\d.]+ ms +[\d.]+ k?M?B$/,
    );
    assert.match(memory ?? "", /^shellflow, in memory +4 B /);
    assert.match(file ?? "", /^shellflow, with file +6 B /);
    assert.match(out, /\nThe command ended with exit code 1\.\n/);
    assert.match(out, /\nThe command did not write the same amount each time\.\n$/);
  });

  it("measures no file that could not take the whole output, as on a full disk", async () => {
    const line = "head -c 2000000 /dev/zero";
    const args = [...runArgs(main), "bench-case", "--case", "file", "--", line];
    // A limit of a shell stands in for the disk: 500 KiB for each file.
    const child = spawn("bash", [
      "-c",
      'ulimit -f 500; exec "$@"',
      "bash",
      process.execPath,
      ...args,
    ]);
    const [err, [code]] = await Promise.all([text(child.stderr), once(child, "close")]);
    assert.equal(code, 1);
    assert.match(err, /^Cannot keep the output in a file: \d+ of 2000000 bytes found no room; /);
  });

  it("ends what it measures when it is asked to stop, or killed", async () => {
    for (const [signal, code] of [["SIGINT", 130], ["SIGKILL", null]] as const) {
      const pid = join(scratch, signal);
      // Also where a process of the command left its group, with the output.
      const line = `setsid -f sleep 5; echo $$ > '${pid}'; exec sleep 1000`;
      const child = startCli(["bench", "--", line]);
      const closed = once(child, "close");
      await until(() => existsSync(pid) && readFileSync(pid, "utf8").endsWith("\n"));
      // Deno's own `kill` of a child answers the signal in place of the exit code.
      assert.ok(child.pid !== undefined);
      process.kill(child.pid, signal);
      assert.equal((await closed)[0], code);
      await until(() => !existsSync(`/proc/${readFileSync(pid, "utf8").trim()}`));
    }
  });

  it("does not wait for what a command leaves in the background", async () => {
    const { out, err, code } = await bench("--", "sleep 30 & echo hi");
    assert.equal(code, 0, err);
    assert.match(out, /spawn, counted +3 B/);
  });

  it("refuses what cannot be measured", async () => {
    const refused = async (args: readonly string[], reason: RegExp) => {
      const { code, err } = await shellflow(["bench", ...args]);
      assert.equal(code, 2);
      assert.match(err, reason);
    };
    await refused(
      ["--rounds", "0"],
      /'--rounds <n>' argument '0' is invalid\. It must be a whole number, 1 or more/,
    );
    await refused(["--", ""], /^Cannot measure "": it is no command/);
    await refused(["--cwd", join(scratch, "none")], /^Cannot run in ".*none": no such directory/);
  });
});
