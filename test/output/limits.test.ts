import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { after, describe, it } from "node:test";
import { filter, firstValueFrom, toArray } from "rxjs";
import { createRuntime } from "../../src/runtime/create.ts";
import type { OutputOptions, RuntimeOptions } from "../../src/runtime/options/options.ts";
import { readBy } from "./log-fixture.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-limits-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const MB = 1_000_000;
const lines = (bytes: number) => `yes '${"0123456789".repeat(8)}' | head -c ${bytes}`;
const digestOf = (bytes: Uint8Array) => createHash("sha256").update(bytes).digest("hex");

async function run(command: string, options: RuntimeOptions) {
  const runtime = await createRuntime({ ...options, mode: "bypass", cwd: scratch });
  const events = firstValueFrom(runtime.events.pipe(toArray()));
  const result = await runtime.run(command);
  const log = runtime.output(result.taskId);
  assert.ok(log);
  const facts = {
    result,
    retained: log.retained,
    omitted: log.omitted,
    memoryBytes: log.memoryBytes,
    fileBytes: log.path === undefined ? 0 : statSync(log.path, { throwIfNoEntry: false })?.size,
  };
  await runtime.close();
  const reported = (await events).map(({ event }) => event)
    .filter(({ type }) => /^output\.(limited|spillFailed)$/.test(type));
  return { ...facts, reported };
}

describe("output beyond its limits", () => {
  it("is counted and not kept beyond the quota, and the command goes on", async () => {
    const spill = join(scratch, "quota");
    const { result, reported, ...facts } = await run(lines(30 * MB), {
      output: { spill, quotaBytes: 10 * MB },
    });
    assert.deepEqual([result.exitCode, result.totalBytes], [0, 30 * MB]);
    assert.equal(facts.fileBytes, 10 * MB);
    assert.equal(facts.retained, 10 * MB + 40 * 1024);
    assert.equal(facts.omitted, 20 * MB - 40 * 1024);
    assert.ok(facts.memoryBytes < MB, `${facts.memoryBytes}`);
    assert.deepEqual(reported, [{
      type: "output.limited",
      commandId: result.taskId,
      limitBytes: 10 * MB,
      scope: "command",
      action: "drop",
    }]);
  });

  it("ends a command that never ends by itself, where that is asked for", async () => {
    const spill = join(scratch, "end");
    const { result, reported, ...facts } = await run("yes", {
      output: { spill, quotaBytes: 10 * MB, onLimit: "end" },
      graceMs: 100,
    });
    assert.deepEqual(result.outcome.type, "outputLimited");
    assert.equal(facts.fileBytes, 10 * MB);
    assert.equal(facts.retained + facts.omitted, result.totalBytes);
    assert.equal(reported.length, 1);
  });

  it("does not harm the command when the directory of its file is removed", async () => {
    const spill = join(scratch, "removed");
    const { result, reported } = await run(
      `${lines(20 * MB)}; rm -r ${spill}; ${lines(30 * MB)}`,
      { output: { spill } },
    );
    assert.deepEqual([result.exitCode, result.totalBytes], [0, 50 * MB]);
    assert.deepEqual(reported, []);
  });
});

describe("what a result says of bytes that memory does not keep", () => {
  const written = "a".repeat(20) + "b".repeat(10);
  const noticed = async (output: OutputOptions) => {
    const { result } = await run(`printf ${written}`, { output });
    return { ...result, artifact: result.artifact ?? "" };
  };

  it("stands where they are missing, also where beginning or end are not to be kept", async () => {
    const spill = join(scratch, "notices");
    const beginning = await noticed({ spill, headBytes: 20, tailBytes: 0 });
    const end = await noticed({ spill, headBytes: 0, tailBytes: 10 });
    const neither = await noticed({ spill, headBytes: 0, tailBytes: 0 });
    const notice = (omitted: number, from: number, artifact: string) =>
      `\n[${omitted} of 30 bytes omitted, from byte ${from} on; all of it is in ${artifact}; ` +
      `read on with: shellflow read ${artifact} --from ${from}]\n`;
    assert.equal(beginning.output, "a".repeat(20) + notice(10, 20, beginning.artifact));
    assert.equal(end.output, notice(20, 0, end.artifact) + "b".repeat(10));
    assert.equal(neither.output, notice(30, 0, neither.artifact));
    assert.deepEqual([beginning, end, neither].map((it) => it.omittedBytes), [10, 20, 30]);
  });

  it("is said without a file as well", async () => {
    const beginning = await noticed({ spill: false, headBytes: 20, tailBytes: 0 });
    const neither = await noticed({ spill: false, headBytes: 0, tailBytes: 0 });
    assert.equal(
      beginning.output,
      `${"a".repeat(20)}\n[10 of 30 bytes omitted, from byte 20 on]\n`,
    );
    assert.equal(neither.output, "\n[30 of 30 bytes omitted, from byte 0 on]\n");
    assert.equal(neither.omittedBytes, 30);
  });
});

describe("the files of a runtime's commands", () => {
  it("take no more than their quota: ended commands give way, and that is an event", async () => {
    const spill = join(scratch, "runtime-quota");
    await using runtime = await createRuntime({
      mode: "bypass",
      cwd: scratch,
      output: { spill, runtimeQuotaBytes: 10 * MB, freeSpaceBytes: 0 },
    });
    const released = firstValueFrom(
      runtime.events.pipe(filter(({ event }) => event.type === "output.released")),
    );
    const first = await runtime.run(lines(6 * MB));
    const second = await runtime.run(lines(7 * MB));
    assert.deepEqual((await released).event, {
      type: "output.released",
      commandId: first.taskId,
      path: first.artifact,
      gone: [{ from: 10 * 1024, to: 6 * MB - 40 * 1024 }],
      cause: "runtimeQuota",
    });
    const log = runtime.output(first.taskId);
    const { gaps } = await log?.read({ from: 0, maxBytes: 6 * MB }) ?? {};
    assert.deepEqual(gaps, [{ from: 10 * 1024, to: 6 * MB - 40 * 1024 }]);
    assert.deepEqual(readdirSync(spill), [basename(second.artifact ?? "")]);
    assert.equal(statSync(second.artifact ?? "").size, 7 * MB);
  });

  it("leave as much of the disk free as was asked for", async () => {
    const spill = join(scratch, "free-space");
    const { result, reported } = await run(lines(MB), {
      output: { spill, freeSpaceBytes: Number.MAX_SAFE_INTEGER },
    });
    assert.deepEqual([result.exitCode, result.totalBytes], [0, MB]);
    assert.deepEqual(reported, [{
      type: "output.limited",
      commandId: result.taskId,
      limitBytes: Number.MAX_SAFE_INTEGER,
      scope: "disk",
      action: "drop",
    }]);
  });

  it("are limited by numbers of bytes and nothing else", async () => {
    const wrong: readonly (readonly [OutputOptions, RegExp])[] = [
      [{ runtimeQuotaBytes: -1 }, /^Cannot create a runtime with output\.runtimeQuotaBytes "?-1/],
      [{ runtimeQuotaBytes: 0.5 }, /output\.runtimeQuotaBytes "?0\.5"?: it must be a whole number/],
      [
        { freeSpaceBytes: Number.NaN },
        /^Cannot create a runtime with output\.freeSpaceBytes "?NaN/,
      ],
      [{ ended: { logs: -1, bytes: 0 } }, /^Cannot create a runtime with output\.ended\.logs "?-1/],
    ];
    for (const [output, message] of wrong) {
      await assert.rejects(createRuntime({ output }), (cause) => {
        assert.ok(cause instanceof TypeError);
        assert.match(cause.message, message);
        return true;
      });
    }
  });
});

describe("readers of a running command", () => {
  it("get adjoining ranges, and one that was stopped reads on byte for byte", async () => {
    const spill = join(scratch, "readers");
    await using runtime = await createRuntime({ mode: "bypass", cwd: scratch, output: { spill } });
    const ended = firstValueFrom(
      runtime.events.pipe(filter(({ event }) => event.type === "execution.exited")),
    );
    const running = runtime.start(lines(20 * MB));
    const log = await running.output;
    assert.ok(log);
    const notices = Array.from({ length: 99 }, () => ({ to: 0 }));
    for (const notice of notices) {
      log.follow().subscribe(({ from, to }) => {
        assert.equal(from, notice.to);
        notice.to = to;
      });
    }
    const hash = createHash("sha256");
    const to = await readBy(log, async ({ bytes }) => {
      await ended;
      hash.update(bytes);
    });
    const whole = new TextEncoder().encode(`${"0123456789".repeat(8)}\n`.repeat(20 * MB / 81 + 1));
    assert.equal(to, 20 * MB);
    assert.equal(hash.digest("hex"), digestOf(whole.subarray(0, 20 * MB)));
    for (const { to } of notices) assert.equal(to, 20 * MB);
  });
});
