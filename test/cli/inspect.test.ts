import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import process from "node:process";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { after, describe, it } from "node:test";
import { createRuntime } from "../../src/runtime/create.ts";
import { counted } from "./counted.ts";
import { spawned, startCli } from "./shellflow.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-cli-inspect-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

describe("shellflow inspect", () => {
  it("shows a log, and what its owner adds, until it gets a signal", async () => {
    const log = join(scratch, "log");
    const first = await createRuntime({ mode: "bypass", log });
    await first.run("echo one");
    await first.close();

    const child = startCli(["inspect", log]);
    const ended = new Promise((resolve) => child.once("close", resolve));
    let out = "";
    child.stdout?.setEncoding("utf8").on("data", (text) => out += text);
    while (!out.includes("\n")) await pause(10);
    const ask = async (path: string) =>
      JSON.parse(await (await fetch(`${out.trim()}${path}`)).text());
    const commands = async (): Promise<readonly string[]> =>
      (await ask("state")).tasks.map(({ command }: { readonly command: string }) => command);
    while ((await commands()).length < 1) await pause(10);
    assert.deepEqual(await commands(), ["echo one"]);
    assert.equal((await ask("state")).ownerGone, true);

    const second = await createRuntime({ mode: "bypass", log });
    const owner = await counted(log);
    const line = "echo two; read; seq 50000; read; seq 60000; sleep 36";
    const { taskId, output, result } = second.start(line, { sessionId: "s", input: true });
    await output;
    while (!(await commands()).includes(line)) await pause(10);
    assert.equal((await ask("state")).ownerGone, false);
    // The owner has bytes that are in no file.
    while ((await ask(`task?id=${taskId}`)).text !== "two") await pause(10);
    const { all } = owner.seen;
    for (const end of ["\n50000", "\n60000"]) {
      await second.input(taskId, "\n");
      while (!(await ask(`task?id=${taskId}`)).text.endsWith(end)) await pause(10);
    }
    assert.equal(owner.seen.all, all, "an output that grows is read on the same connection");
    await fetch(`${out.trim()}stop?id=${taskId}`, { method: "POST" });
    assert.equal((await result).outcome.type, "signaled");
    await second.close();
    while ((await ask("state")).tasks.at(-1).status !== "ended") await pause(10);

    process.kill(child.pid ?? 0, "SIGINT");
    assert.equal(await ended, 130);
  });

  it("refuses what is no log, and a port that is none", async () => {
    const none = await spawned(["inspect", join(scratch, "none")]);
    assert.equal(none.code, 1);
    assert.match(none.err, /^Cannot read log ".*none": there is no such file or directory\n$/);
    const log = join(scratch, "other");
    await using runtime = await createRuntime({ mode: "bypass", log });
    await runtime.run("true");
    await runtime.flush();
    const port = await spawned(["inspect", log, "--port", "99999"]);
    assert.deepEqual([port.code, port.out], [2, ""]);
    assert.match(port.err, /^Cannot serve the inspector with port 99999: /);
  });
});
