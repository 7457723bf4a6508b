import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { after, describe, it } from "node:test";
import { createRuntime } from "../../src/runtime/create.ts";
import { openLog } from "../../src/runtime/history/open-log.ts";
import { marked, sleeping, sweep } from "../runtime/state/world.ts";
import { shellflow, startCli } from "./shellflow.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-cli-state-"));
const what = marked();
const living = () => sleeping(what);
after(() => rmSync(scratch, { recursive: true, force: true }));

interface Listed {
  readonly id: string;
  readonly status: string;
  readonly totalBytes: number;
  readonly leftovers: readonly { readonly command: string }[];
}

async function listed(log: string): Promise<readonly Listed[]> {
  const { code, out, err } = await shellflow(["ps", "--json", "--log", log]);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

describe("shellflow run --detach", () => {
  it("prints the task, its log and its pid file, and exits while the command goes on", async () => {
    const log = join(scratch, "detached");
    const line = `echo hello; ${what}; :`;
    const { code, out, err } = await shellflow(["run", "--detach", "--log", log, "--", line]);
    assert.equal(code, 0, err);
    const [, taskId = "", file = "", pidFile = ""] =
      /^task (\S+)\nlog (.+)\npid file (.+)\n$/.exec(out) ?? [];
    assert.ok(statSync(pidFile).isFile());
    while (readFileSync(file, "utf8") !== "hello\n" || living().length === 0) await pause(10);
    assert.deepEqual((await listed(log)).map(({ id, status }) => [id, status]), [
      [taskId, "running"],
    ]);

    const stopped = await shellflow(["stop", taskId, "--log", log]);
    assert.deepEqual([stopped.code, stopped.out], [0, `${taskId}  SIGTERM\n`], stopped.err);
    assert.deepEqual(living(), []);
    assert.deepEqual((await listed(log)).map(({ status }) => status), ["ended"]);
    const again = await shellflow(["stop", taskId, "--log", log]);
    assert.deepEqual([again.code, again.out], [0, `${taskId}  SIGTERM\n`]);
    const read = await shellflow(["read", log, taskId]);
    assert.deepEqual([read.code, read.err], [0, ""]);
    assert.equal(read.out, "hello\n");
    const replayed = await shellflow(["replay", log]);
    assert.match(replayed.out, /^\$ .*\n\[its output is in .*\]\n[^]*SIGTERM +6 B /m);
    await using opened = await openLog(log);
    const until = await shellflow(["replay", log, "--until", `${opened.seq}`]);
    assert.equal(until.out, replayed.out);
  });
});

describe("shellflow ps and replay", () => {
  it("show control characters of a command by their code points", async () => {
    const log = join(scratch, "control-characters");
    const line = ": '\u001b]0;title\u0007\u001b[31m'; echo plain";
    assert.equal((await shellflow(["run", "--log", log, "--", line])).code, 0);
    for (const args of [["ps", "--log", log], ["replay", log]]) {
      const { out } = await shellflow(args);
      assert.ok(out.includes("\\u001b]0;title\\u0007\\u001b[31m"), out);
      assert.ok(!out.includes("\u001b") && !out.includes("\u0007"), out);
    }
  });
});

describe("shellflow ps and stop", () => {
  it("ask the owner of a directory while it lives", async () => {
    const log = join(scratch, "owned");
    const owner = startCli(["run", "--log", log, "--", `echo ready; ${what}; :`]);
    const gone = new Promise((resolve) => owner.once("close", resolve));
    let out = "";
    owner.stdout?.setEncoding("utf8").on("data", (text) => out += text);
    while (out !== "ready\n") await pause(10);
    const [task, ...others] = await listed(log);
    assert.deepEqual([task?.status, others], ["running", []]);
    const second = await shellflow(["run", "--log", log, "--", "echo second"]);
    assert.deepEqual([second.code, second.out], [1, ""]);
    assert.match(second.err, new RegExp(`^Cannot open "${log}": process ${owner.pid} owns it; `));

    const stopped = await shellflow(["stop", task?.id ?? "", "--json", "--log", log]);
    assert.equal(stopped.code, 0, stopped.err);
    const { outcome, leftovers } = JSON.parse(stopped.out);
    assert.deepEqual([outcome.type, outcome.by, leftovers], ["signaled", "stop", []]);
    assert.equal(await gone, 143);
    assert.deepEqual(living(), []);
    const { out: lines } = await shellflow(["ps", "--log", log]);
    assert.match(lines, /^TASK .*\n\S+ +SIGTERM .*echo ready/);
  });

  it("report what is left of a task that has ended, and how much a detached one has written", async () => {
    const log = join(scratch, "left");
    const runtime = await createRuntime({ mode: "bypass", log, cwd: "/", graceMs: 300 });
    const line = `${what} & (setsid ${what} > /dev/null 2>&1 &); echo over`;
    const attached = await runtime.run(line);
    const detached = await runtime.run(`${what} & echo detached`, { detach: true });
    await runtime.wait(detached.taskId);
    const report = async () =>
      (await listed(log)).map(({ id, leftovers, totalBytes }) => {
        return [id, leftovers.map(({ command }) => command), totalBytes];
      });
    const written = "detached\n".length;
    assert.deepEqual(await report(), [
      [attached.taskId, [what, what], "over\n".length],
      [detached.taskId, [what], written],
    ]);
    const { out } = await shellflow(["ps", "--log", log]);
    assert.match(out, /exited 0, 2 left +5 B .*\n.* exited 0, 1 left +9 B /);

    await runtime.close();
    assert.deepEqual(await report(), [
      [attached.taskId, [], "over\n".length],
      [detached.taskId, [what], written],
    ]);
    sweep(what);
    assert.deepEqual((await report())[1], [detached.taskId, [], written]);
  });

  it("end each task that they are asked for, also several at once where no process owns the directory", async () => {
    const log = join(scratch, "several");
    const runtime = await createRuntime({ mode: "bypass", log, cwd: "/", graceMs: 300 });
    const lines = [`${what}; :`, `trap '' TERM; ${what}; ${what}`, `${what}; :`];
    const started = await Promise.all(lines.map((line) => runtime.run(line, { detach: true })));
    await runtime.close();
    const stopped = await Promise.all(
      started.map(({ taskId }) => shellflow(["stop", taskId, "--log", log])),
    );
    assert.deepEqual(
      stopped.map(({ code, err }) => [code, err]),
      lines.map(() => [0, ""]),
    );
    assert.deepEqual(living(), []);
  });

  const log = join(scratch, "bad");
  const loop = join(scratch, "loop");
  const taken = join(scratch, "taken");
  const NO_ERRORS = /^Cannot keep sessions in ".*\/taken": .*host\.err/;
  const rows: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ["no log", ["ps", "--log", "/nowhere"], 1, /^Cannot read log "\/nowhere": there is no such/],
    ["a directory without a log", ["ps", "--log", scratch], 1, /it holds no events/],
    ["a path that leads nowhere", ["ps", "--log", loop], 1, /^Cannot read ".*\/loop.*": .*ELOOP/],
    ["one to replay", ["replay", loop], 1, /^Cannot read ".*\/loop.*": .*ELOOP/],
    ["one for sessions", ["run", "--session", "s", "--log", loop, "--", ":"], 1, /^Cannot read "/],
    ["no place for errors", ["run", "--session", "s", "--log", taken, "--", ":"], 1, NO_ERRORS],
    ["a task that is none", ["stop", "x", "--log", log], 1, /^Cannot stop "x": ".*" has no/],
    ["no directory", ["stop", "x"], 1, /it holds no events.*; --log DIRECTORY names another one/],
    [
      "no task",
      ["stop", "--log", log],
      2,
      /missing required argument 'task'\n\(.* stop --help lists/,
    ],
    ["no such command", ["ls"], 2, /unknown command 'ls'\n[^]*; shellflow run -- COMMAND runs/],
  ];
  it("report what is wrong", async () => {
    await shellflow(["run", "--log", log, "--", "true"]);
    symlinkSync(loop, loop);
    mkdirSync(join(taken, "host.err"), { recursive: true });
    for (const [title, args, code, message] of rows) {
      const ran = await shellflow(args);
      assert.deepEqual([ran.code, ran.out], [code, ""], title);
      assert.match(ran.err, message, title);
    }
  });
});
