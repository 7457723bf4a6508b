import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { after, describe, it } from "node:test";
import {
  createExecutor,
  createRuntime,
  openLog,
  type OutputAppended,
  type Recorded,
} from "../../../src/mod.ts";
import { marked, sleeping } from "../state/world.ts";
import { playback, readCassette, RECORD } from "../../../src/testing.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-split-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const text = ({ bytes }: { readonly bytes: Uint8Array }) => new TextDecoder().decode(bytes);
/** The pauses keep the order, which two pipes do not. */
const LINE = "echo a; sleep 0.1; echo b >&2; sleep 0.1; echo c; sleep 0.1; echo d > /dev/stderr";

const apart = { stdout: "a\nc\n", stderr: "b\nd\n" };

describe("outputs that are kept apart", () => {
  it("are each in the result, and both in its output", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const { output, streams } = await runtime.run(LINE, { split: true });
    assert.deepEqual(streams, apart);
    assert.equal([...output].sort().join("").trim(), "abcd");
    // Not for those that do not ask.
    assert.equal((await runtime.run("echo a; echo b >&2")).streams, undefined);
    const silent = await runtime.run("true", { split: true });
    assert.deepEqual(silent.streams, { stdout: "", stderr: "" });
  });

  it("can be read each alone, by offsets that count both", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const { taskId, totalBytes } = await runtime.run(LINE, { split: true });
    for (const stream of ["stdout", "stderr"] as const) {
      const whole = await runtime.read(taskId, { stream });
      assert.deepEqual([text(whole), whole.from, whole.to], [apart[stream], 0, totalBytes]);
      let parts = "";
      for (let from = 0; from < totalBytes; from++) {
        parts += text(await runtime.read(taskId, { stream, from, maxBytes: 1 }));
      }
      assert.equal(parts, apart[stream]);
    }
    const reader = { reader: "one", stream: "stderr" } as const;
    assert.equal(text(await runtime.read(taskId, reader)), apart.stderr);
    assert.equal(text(await runtime.read(taskId, reader)), "");
    const merged = await runtime.run("echo a");
    await assert.rejects(
      runtime.read(merged.taskId, { stream: "stdout" }),
      /^Error: Cannot read the streams of ".*" apart: it ran without split/,
    );
    const asked = { reader: "one", stream: "stdout" } as const;
    await assert.rejects(runtime.read(merged.taskId, asked), /it ran without split/);
    assert.deepEqual(runtime.unread(merged.taskId, "one"), { from: 0, to: 2 });
    await assert.rejects(runtime.read("none", asked), /there is no such task/);
  });

  it("are known while the command runs, and of what its background writes late", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const line = "printf out; printf err >&2; read x; { sleep 0.3; printf late >&2; } &";
    const running = runtime.start(line, { split: true, input: true });
    await running.output;
    const { taskId } = running;
    const read = async (stream: "stdout" | "stderr") =>
      text(await runtime.read(taskId, { stream }));
    while ((await read("stderr")) + (await read("stdout")) !== "errout") await pause(5);
    await runtime.input(taskId, "\n");
    assert.equal((await running.result).streams?.stdout, "out");
    while ((await read("stderr")) !== "errlate") await pause(5);
  });

  it("lead to the processes that hold one of them alone", async () => {
    await using runtime = await createRuntime({ mode: "bypass" });
    const what = marked();
    const line =
      `{ env -i setsid ${what} > /dev/null & } ; while ! pgrep -fx '${what}'; do :; done`;
    const { taskId, leftovers } = await runtime.run(line, { split: true });
    assert.deepEqual(leftovers.map(({ command }) => command), [what]);
    assert.deepEqual(await runtime.stop(taskId), []);
    assert.deepEqual(sleeping(what), []);
  });

  it("are whole where there is much of both, and hidden are secrets in each", async () => {
    const SECRET = "s3cret-value-0123456789";
    const output = { headBytes: 4_000_000 };
    const hostEnv = { PATH: "/usr/bin:/bin", DEPLOY_TOKEN: SECRET };
    await using runtime = await createRuntime({ mode: "bypass", output, hostEnv });
    const much = await runtime.run("seq 1 90000 & seq 1 70000 >&2; wait", { split: true });
    const seq = (most: number) => Array.from({ length: most }, (_, i) => `${i + 1}\n`).join("");
    assert.ok(much.streams?.stdout === seq(90_000) && much.streams.stderr === seq(70_000));
    const hidden = await runtime.run("printf s3cret-value-; echo x >&2; echo 0123456789", {
      split: true,
    });
    assert.equal(hidden.streams?.stdout, `${"*".repeat(SECRET.length)}\n`);
    const { taskId } = hidden;
    const shown = await runtime.read(taskId, { stream: "stdout", masked: true });
    assert.equal(text(shown), hidden.streams?.stdout);
  });

  it("say what of them is left out of a result", async () => {
    const output = { headBytes: 8, tailBytes: 8 };
    await using runtime = await createRuntime({ mode: "bypass", output });
    const { taskId, streams } = await runtime.run("seq 1 30 >&2", { split: true });
    assert.deepEqual(streams, {
      stdout: "",
      stderr: "1\n2\n3\n4\n\n[65 bytes omitted]\n8\n29\n30\n",
    });
    assert.equal((await runtime.read(taskId, { stream: "stderr" })).bytes.length, 81);
    assert.equal((await runtime.read(taskId, { stream: "stdout" })).bytes.length, 0);
  });

  it("are in the events, in recordings and in what plays them", async () => {
    const log = join(scratch, "log");
    const recorder = await createRuntime({ mode: "bypass", log, output: RECORD });
    const real = await recorder.run(LINE, { split: true });
    const events: Recorded[] = [];
    recorder.events.subscribe((recorded) => events.push(recorded)).unsubscribe();
    await recorder.close();
    const ranges = events.map(({ event }) => event)
      .filter((event): event is OutputAppended => event.type === "output.appended")
      .flatMap(({ stderr = [] }) => stderr);
    assert.equal(ranges.reduce((sum, { from, to }) => sum + to - from, 0), 4);

    await using opened = await openLog(log);
    assert.equal(text(await opened.read(real.taskId, { stream: "stderr" })), apart.stderr);
    await using next = await createRuntime({ mode: "bypass", log });
    assert.equal(text(await next.read(real.taskId, { stream: "stdout" })), apart.stdout);

    const recordings = await readCassette(log);
    await using player = await createRuntime({ mode: "bypass", ...playback(recordings) });
    const played = await player.run(LINE, { split: true });
    assert.deepEqual([played.streams, played.output], [real.streams, real.output]);
    await using merging = await createRuntime({ mode: "bypass", ...playback(recordings) });
    const merged = await merging.run(LINE);
    assert.deepEqual([merged.streams, merged.output], [undefined, real.output]);
  });

  it("need a process of their own", async () => {
    await using runtime = await createRuntime({ mode: "bypass", defaultExecutor: "shell" });
    const admitted: unknown[] = [];
    runtime.events.subscribe(({ event }) => {
      if (event.type === "command.admitted") admitted.push(event.executor);
    });
    const { streams } = await runtime.run("echo a >&2", { split: true, sessionId: "s" });
    assert.deepEqual(streams, { stdout: "", stderr: "a\n" });
    const reason = "its outputs are kept apart";
    assert.deepEqual(admitted, [{ kind: "process", reason }]);
  });

  it("are refused where both are one", async () => {
    await using runtime = await createRuntime({ mode: "bypass", log: join(scratch, "refused") });
    const rows = [
      [{ pty: true }, "a terminal has one output for both streams"],
      [{ executor: "shell" }, "the shell of a session has one output for both streams"],
      [{ detach: true }, "a file has one output for both streams"],
    ] as const;
    for (const [options, why] of rows) {
      await assert.rejects(runtime.run("true", { split: true, ...options }), {
        name: "RequestError",
        field: "split",
        message: `Cannot run a command with split true: ${why}`,
      });
    }
    const own = await createExecutor();
    const capabilities = { ...own.capabilities, splits: false };
    const executor = { ...own, capabilities };
    await using other = await createRuntime({ mode: "bypass", executor });
    await assert.rejects(other.run("true", { split: true }), {
      name: "RequestError",
      field: "split",
      message: /what runs commands here gives both streams as one$/,
    });
  });
});
