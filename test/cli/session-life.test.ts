import assert from "node:assert/strict";
import type { ChildProcess } from "node:child_process";
import process from "node:process";
import { setTimeout as pause } from "node:timers/promises";
import { describe, it } from "node:test";
import { control } from "../../src/runtime/control/protocol.ts";
import { withOwner } from "../../src/runtime/control/with-owner.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import { marked, sleeping } from "../runtime/state/world.ts";
import { type StateDirectory, stateDirectory } from "./session-world.ts";
import { startCli } from "./shellflow.ts";
import { until } from "../until.ts";

/** Start a command in a session, and wait until it runs. */
async function begun(state: StateDirectory, line: string, session = "s"): Promise<Begun> {
  const child = startCli(["run", "--log", state.path, "--session", session, "--", line]);
  const printed = { out: "", err: "" };
  child.stdout?.setEncoding("utf8").on("data", (text) => printed.out += text);
  child.stderr?.setEncoding("utf8").on("data", (text) => printed.err += text);
  const code = new Promise<number | null>((resolve) => child.once("close", resolve));
  while (!printed.out.includes("ready\n")) await pause(10);
  return { child, printed, code };
}

interface Begun {
  readonly child: ChildProcess;
  readonly printed: { readonly out: string; readonly err: string };
  readonly code: Promise<number | null>;
}

const tasksOf = ({ path }: StateDirectory) =>
  withOwner(path, (owner) => owner.request(control.ps, {}));

/** Not by `child.kill`: on Deno it reports the signal that it sent, whatever became of the child. */
function kill({ child }: Begun, signal: "SIGTERM" | "SIGINT" | "SIGKILL"): void {
  if (child.pid !== undefined) process.kill(child.pid, signal);
}

describe("a command in a session", () => {
  it("is ended by a signal to its caller, and the session goes on", async () => {
    const state = stateDirectory();
    const sleep = marked();
    for (const [signal, code] of [["SIGTERM", 143], ["SIGINT", 130]] as const) {
      const client = await begun(state, `echo ready; ${sleep}; echo never`);
      await until(() => sleeping(sleep).length > 0);
      kill(client, signal);
      assert.equal(await client.code, code, client.printed.err);
      // The shell may have a word to say about the process that was ended in it.
      assert.match(client.printed.out, /^ready\n(?!.*never)/s);
      assert.deepEqual(sleeping(sleep), []);
    }
    const tasks = await tasksOf(state);
    assert.deepEqual(tasks.map(({ status }) => status), ["ended", "ended"]);
    assert.equal((await state.cli(["run", "--session", "s", "--", "exit 5"])).code, 5);
  });

  it("is ended when its caller dies, or reads no more", async () => {
    const state = stateDirectory();
    const sleep = marked();
    const dies = await begun(state, `echo ready; ${sleep}; :`);
    await until(() => sleeping(sleep).length > 0);
    kill(dies, "SIGKILL");
    await until(() => sleeping(sleep).length === 0);

    const closes = await begun(state, "echo ready; yes");
    closes.child.stdout?.destroy();
    assert.equal(await closes.code, 141, closes.printed.err);
    const ended = async () => (await tasksOf(state)).every(({ status }) => status === "ended");
    while (!await ended()) await pause(20);
  });

  it("waits for a caller that reads slowly, and keeps nothing of it in memory", async () => {
    const state = stateDirectory();
    const client = startCli(["run", "--log", state.path, "--session", "s", "--", "yes"]);
    let read = 0;
    client.stdout?.once("data", (chunk: Uint8Array) => {
      read = chunk.length;
      client.stdout?.pause();
    });
    while (read === 0) await pause(10);
    const total = async () => (await tasksOf(state)).at(-1)?.totalBytes ?? 0;
    let before = -1;
    let now = await total();
    for (let same = 0; same < 10; same = now === before ? same + 1 : 0) {
      await pause(50);
      before = now;
      now = await total();
    }
    assert.ok(now < 8 * 1024 * 1024, `${now} bytes were written ahead of the reader`);
    const gone = new Promise((resolve) => client.once("close", resolve));
    client.stdout?.destroy();
    assert.equal(await gone, 141);
  });

  it("is lost with its host, with an error, and the next call has another host", async () => {
    const state = stateDirectory();
    const sleep = marked();
    const client = await begun(state, `echo ready; ${sleep}; :`);
    await until(() => sleeping(sleep).length > 0);
    const pid = await state.host();
    assert.ok(pid !== undefined);
    process.kill(pid, "SIGKILL");
    assert.equal(await client.code, 1);
    assert.match(
      client.printed.err,
      /^Cannot get the result of "echo ready; .*": its host is gone\n$/,
    );
    await until(() => sleeping(sleep).length === 0);
    const next = await state.cli(["run", "--resume", "s", "--", "echo next"]);
    assert.deepEqual([next.code, next.out], [0, "next\n"]);
    assert.deepEqual((await tasksOf(state)).map(({ status }) => status), [
      "lost",
      "ended",
    ]);
  });

  it("says so where its host gives no sign of life", async () => {
    const state = stateDirectory();
    const client = await begun(state, "echo ready; sleep 0.1");
    assert.equal(await client.code, 0);
    const host = await state.host() ?? 0;
    process.kill(host, "SIGSTOP");
    try {
      const { code, err } = await state.cli(["run", "--resume", "s", "--", "echo never"]);
      assert.equal(code, 1);
      assert.match(
        err,
        new RegExp(`^Cannot ask the owner of ".*": process ${host} has given no sign of`),
      );
    } finally {
      process.kill(host, "SIGCONT");
    }
  });
});

describe("a host", () => {
  it("ends when it was idle for a while, with what its commands left behind", async () => {
    const state = stateDirectory();
    const sleep = marked();
    const line = `${sleep} & echo started`;
    const { code, out, err } = await state.cli(
      ["run", "--session", "s", "--idle", "2", "--", line],
    );
    assert.deepEqual([code, out], [0, "started\n"]);
    assert.match(err, /^Left running: sleep .* \(\d+\)\n$/);
    await state.untilGone();
    assert.deepEqual(sleeping(sleep), []);
  });

  it("is no runtime that runs commands for itself alone", async () => {
    const state = stateDirectory();
    await using runtime = await createRuntime({ log: state.path, mode: "bypass" });
    await runtime.run("true");
    const { code, out, err } = await state.cli(["run", "--session", "s", "--", "echo never"]);
    assert.deepEqual([code, out], [1, ""]);
    assert.match(
      err,
      new RegExp(`^Cannot use a session in ".*": process ${process.pid} owns it and runs nothing`),
    );
    await assert.rejects(
      withOwner(state.path, (owner) => owner.request(control.end, {})),
      /Cannot answer "end": this runtime runs nothing for others/,
    );
  });
});
