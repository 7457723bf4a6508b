import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import process from "node:process";
import { after, describe, it } from "node:test";
import { loadNativeCalls } from "../../../src/platform/native/load-native-calls.ts";
import { hostProcesses } from "../../../src/platform/process/host-processes.ts";
import type { ExitStatus, InputPipe, Processes } from "../../../src/platform/process/processes.ts";
import { openFiles } from "../../execution/world.ts";
import { until } from "../../until.ts";

const ways: Readonly<Record<string, Processes>> = {
  "the runtime": hostProcesses("shellflow-test"),
  "native calls": hostProcesses("shellflow-test", { native: await loadNativeCalls() }),
};
after(() => {
  for (const processes of Object.values(ways)) processes.close();
});

/** A shell that takes input. */
function started(processes: Processes, line: string) {
  let output = "";
  const exited = new Promise<ExitStatus>((resolve, reject) => {
    const spec = { file: "sh", args: ["-c", line], cwd: "/", input: true } as const;
    const child = processes.spawn({ ...spec, env: { PATH: "/usr/bin:/bin" } }, {
      data: (chunk) => output += new TextDecoder().decode(chunk),
      end: () => {},
      exit: resolve,
      error: reject,
    });
    input = child?.input;
  });
  assert.ok(input !== undefined);
  return { input, exited, output: () => output };
}

let input: InputPipe | undefined;
const bytes = (text: string) => new TextEncoder().encode(text);

for (const [way, processes] of Object.entries(ways)) {
  describe(`the input of a process that is started by ${way}`, () => {
    it("arrives in order, and ends after the last write", async () => {
      const { input, exited, output } = started(processes, "cat; echo end");
      await input.write(bytes("one\n"));
      await until(() => output() === "one\n");
      void input.write(bytes("two\n"));
      void input.write(bytes("three\n"));
      input.end();
      input.end();
      assert.deepEqual(await exited, { code: 0, signal: null });
      await until(() => output() === "one\ntwo\nthree\nend\n");
    });

    it("arrives whole, as fast as it is read, without being kept in memory", async () => {
      const { input, exited, output } = started(processes, "sleep 0.3; sha256sum");
      const chunk = new Uint8Array(1024 * 1024);
      const hash = createHash("sha256");
      const before = process.memoryUsage().rss;
      let taken = 0;
      for (let i = 0; i < 100; i++) {
        chunk.fill(i);
        hash.update(chunk);
        await input.write(chunk);
        taken = Math.max(taken, process.memoryUsage().rss - before);
      }
      input.end();
      assert.deepEqual(await exited, { code: 0, signal: null });
      await until(() => output() !== "");
      assert.equal(output().slice(0, 64), hash.digest("hex"));
      assert.ok(taken < 50 * 2 ** 20, `${taken} bytes`);
    });

    it("is refused once no process reads it, and the host lives on", async () => {
      const { input, exited } = started(processes, "exec <&-; sleep 0.2");
      const refused = { message: "Cannot write input: no process reads it any more" };
      await assert.rejects(async () => {
        for (;;) await input.write(bytes("x\n"));
      }, refused);
      await assert.rejects(input.write(bytes("y\n")));
      await exited;
    });

    it("ends with the process, and leaves no open file", async () => {
      const before = openFiles();
      const { input, exited } = started(processes, "exit 3");
      assert.deepEqual(await exited, { code: 3, signal: null });
      await assert.rejects(input.write(new Uint8Array(1)));
      await until(() => openFiles() <= before);
    });
  });
}
