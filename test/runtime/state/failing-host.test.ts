import assert from "node:assert/strict";
import { execFile } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { promisify } from "node:util";
import { Worker } from "node:worker_threads";
import { createRuntime } from "../../../src/runtime/create.ts";
import { readState } from "../../../src/runtime/state/read-state.ts";
import { scratch } from "../../event/scratch.ts";
import { moduleUrl, runArgs } from "../../run-args.ts";
import { textOf } from "./world.ts";

const host = new URL("./failing-host.ts", import.meta.url);

async function runHost(...args: readonly string[]) {
  const all = [...runArgs(host), ...args];
  const { stdout } = await promisify(execFile)(process.execPath, all, { timeout: 60_000 });
  const answer: { outcomes: string[]; failures: string[] } = JSON.parse(stdout);
  return answer;
}

describe("a host that is killed by its own command", () => {
  for (const executor of ["process", "shell"]) {
    it(`has recorded the command in a ${executor} before it started`, async () => {
      const log = scratch();
      const ran = join(log, "ran");
      const command = `echo $$ >${ran}; kill -9 HOST; sleep 60`;
      await assert.rejects(runHost(log, executor, "", "1", command), { signal: "SIGKILL" });
      assert.notEqual(textOf(ran), "");
      const tasks = [...(await readState(log)).byId.values()];
      assert.deepEqual(tasks.map(({ command: [first], status }) => [first, status]), [
        ["t", "ended"],
        ["e", "lost"],
      ]);
      // Its next owner ends what is left.
      await (await createRuntime({ log })).close();
    });
  }
});

describe("a host that runs out of descriptors", () => {
  for (const [executor, files] of [["process", "15"], ["shell", "45"]] as const) {
    it(`answers every command in a ${executor}, and closes`, async () => {
      const { outcomes } = await runHost(scratch(), executor, files, "60", "sleep 0.3; echo hi");
      assert.equal(outcomes.length, 60);
      // Where all ask for descriptors by turns, none may get all that it needs.
      assert.ok(outcomes.every((type) => type === "exited" || type === "spawnFailed"));
      assert.ok(outcomes.includes("spawnFailed"), outcomes.join());
    });
  }
});

describe("a host whose disk is full", () => {
  it("releases its directory all the same", async () => {
    const log = scratch();
    const { outcomes, failures } = await runHost(log, "process", "bytes", "1", "echo hi");
    assert.deepEqual(outcomes, ["exited"]);
    assert.match(failures.join(), /^Cannot write log ".*": EFBIG|^Cannot write log .*too large/i);
    assert.deepEqual(readdirSync(log).filter((name) => name.includes("lock")), []);
  });
});

describe("a runtime in a worker thread", () => {
  it("has a log as anywhere else", async (test) => {
    const file = moduleUrl(new URL("./in-worker.ts", import.meta.url));
    const isLoadable = "Deno" in globalThis || file.pathname.endsWith(".js");
    if (!isLoadable) return test.skip("a worker of Node loads compiled tests only");
    const worker = new Worker(file, { workerData: scratch() });
    assert.deepEqual(await once(worker, "message"), ["in a worker\n"]);
    await worker.terminate();
  });
});

describe("a log with a damaged line", () => {
  it("is opened all the same, and a warning names the line", async () => {
    const log = scratch();
    const first = await createRuntime({ mode: "bypass", cwd: "/", log });
    await first.run("echo one");
    await first.run("echo two");
    await first.close();
    const path = join(log, "events-000000000001.ndjson");
    const lines = readFileSync(path, "utf8").split("\n");
    lines[2] = lines[2]?.replace('"', "'") ?? "";
    writeFileSync(path, lines.join("\n"));
    const warned = once(process, "warning");
    await using next = await createRuntime({ mode: "bypass", cwd: "/", log });
    const [{ message }] = await warned;
    assert.equal(message, `Cannot read line 3 of log "${path}": it is damaged`);
    assert.ok(next.tasks.current.byId.size >= 1);
  });
});
