import assert from "node:assert/strict";
import { existsSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { firstValueFrom, toArray } from "rxjs";
import { createRuntime } from "../../src/runtime/create.ts";
import type { RunResult } from "../../src/runtime/result.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-loop-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const skip = existsSync("/proc/self/fd") ? false : "nobody tells who has a file open";
const MB = 1_000_000;
/** More than pipes and programs hold on the way, until that is in the file. */
const begin = (directory: string) =>
  "yes 0123456789 | head -c 2000000; " +
  `until [ "$(stat -c %s ${directory}/*)" -ge 2000000 ]; do sleep 0.05; done`;

/** Run commands at once with one directory for their files, and say when one takes no more. */
async function runAll(
  name: string,
  commands: readonly ((directory: string) => string)[],
  onFailure = () => {},
) {
  const directory = join(scratch, name);
  const runtime = await createRuntime({
    mode: "bypass",
    cwd: scratch,
    output: { spill: directory, quotaBytes: 100 * MB },
  });
  const events = firstValueFrom(runtime.events.pipe(toArray()));
  runtime.events.subscribe(({ event }) => {
    if (event.type === "output.spillFailed") onFailure();
  });
  const results = await Promise.all(
    commands.map((command) => runtime.run(command(directory), { timeoutMs: 60_000 })),
  );
  const logs = results.map(({ taskId }) => runtime.output(taskId));
  for (const log of logs) assert.equal(log && log.retained + log.omitted, log?.total);
  const size = ({ artifact = "" }: RunResult) => statSync(artifact).size;
  const sizes = results.map(size);
  await runtime.close();
  const failed = (await events).flatMap(({ event }) =>
    event.type === "output.spillFailed" ? [event] : []
  );
  return { results, sizes, failed };
}

describe("a command that reads the file which its own output fills", () => {
  const readers = {
    "by a pattern": (directory: string) => `cat ${directory}/*`,
    "through a whole directory": (directory: string) => `grep -r 0 ${directory}`,
    "at the end of a pipeline": (directory: string) => `cat ${directory}/* | tr 0 1 | cat`,
    "from a background child": (directory: string) => `cat ${directory}/* & wait`,
    "from another session": (directory: string) => `setsid -w cat ${directory}/*`,
    "from another session, without a mark": (directory: string) =>
      `setsid -w env -i cat ${directory}/*`,
    "from another session, with an output of its own": (directory: string) =>
      `setsid -w cat ${directory}/* | cat`,
  };
  for (const [how, reader] of Object.entries(readers)) {
    it(`${how} comes to its end, and that is told`, { skip }, async () => {
      const { results: [result], sizes: [size = 0], failed } = await runAll(
        how.replaceAll(/\W+/g, "-"),
        [(directory) => `${begin(directory)}; ${reader(directory)}`],
      );
      assert.deepEqual(result?.outcome, { type: "exited", code: 0 });
      assert.equal(failed.length, 1);
      assert.match(failed[0]?.reason ?? "", /reads its own output$/);
      assert.equal(failed[0]?.at, size);
      assert.ok(size < 20 * MB, `${size}`);
    });
  }

  it("and goes on to wait for more is like one that waits for any file that grows no more", {
    skip,
  }, async () => {
    const told = join(scratch, "told");
    const wait = `until [ -e ${told} ]; do sleep 0.05; done`;
    const { results: [result], sizes: [size = 0], failed } = await runAll(
      "tail",
      [(directory) =>
        `${begin(directory)}; tail -n +1 -f ${directory}/* & ${wait}; kill $!; exit 3`],
      () => writeFileSync(told, ""),
    );
    assert.deepEqual(result?.outcome, { type: "exited", code: 3 });
    assert.equal(failed.length, 1);
    assert.ok(size < 20 * MB, `${size}`);
  });
});

describe("a command that reads the file of another one", () => {
  it("gets all of it, while it grows and afterwards", { skip }, async () => {
    const begun = `until [ -s "$(ls $DIR/* 2>/dev/null | head -n 1)" ]; do sleep 0.05; done`;
    const writer = "for i in 1 2 3 4 5 6; do yes | head -c 1000000; sleep 0.2; done";
    const reader = `exec 3< <(exec tail -c +1 -f "$(ls $DIR/*)"); head -c 6000000 <&3; kill $!`;
    const { results: [first, second], sizes, failed } = await runAll("other", [
      () => writer,
      (directory) => `DIR=${directory}; ${begun}; ${reader}`,
    ]);
    assert.deepEqual(failed, []);
    assert.equal(first?.totalBytes, 6 * MB);
    assert.equal(second?.totalBytes, 6 * MB);
    assert.deepEqual(sizes, [6 * MB, 6 * MB]);
    assert.equal(readdirSync(join(scratch, "other")).length, 2);
  });
});
