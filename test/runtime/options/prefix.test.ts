import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createRuntime, type RuntimeEvent } from "../../../src/mod.ts";
import { cleanUp } from "../../clean-up.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-prefix-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const SHELL = { sessionId: "kept", executor: "shell" } as const;

describe("a prefix", () => {
  it("starts the shell of each command, which is judged and shown without it", async () => {
    const prefix = ["nice", "-n", "5"];
    await using runtime = await createRuntime({ prefix, rules: { allow: ["Bash(nice)"] } });
    const events: RuntimeEvent[] = [];
    runtime.events.subscribe(({ event }) => events.push(event));
    for (const options of [{}, { pty: true }, { origin: "user" as const }, SHELL, SHELL]) {
      const { output, command } = await runtime.run("nice", options);
      assert.equal(output.trim(), "5");
      assert.equal(command, "nice");
    }
    const built = events.find((event) => event.type === "env.built");
    assert.equal(built?.invocation.command, "nice");
    assert.match(built?.invocation.args.join(" ") ?? "", /^-n 5 \S+bash .* -- nice bash$/);
  });

  it("gets the line as a word of the shell's, and its end is that of the command", async () => {
    const wrapper = join(scratch, "wrapper");
    const seen = join(scratch, "seen");
    writeFileSync(wrapper, `#!/bin/sh\necho "$6" >> ${seen}\n"$@"\n`);
    chmodSync(wrapper, 0o755);
    await using runtime = await createRuntime({ mode: "bypass", prefix: [wrapper] });
    assert.equal((await runtime.run("exit 4")).exitCode, 4);
    const { outcome } = await runtime.run("sleep 60", { timeoutMs: 200 });
    assert.equal(outcome.type, "timedOut");
    assert.equal(readFileSync(seen, "utf8"), "exit 4\nsleep 60\n");
    for (const pty of [false, true]) {
      const { outcome } = await runtime.run("pwd", { ...SHELL, pty });
      assert.match(JSON.stringify(outcome), /the prefix has to become the shell \(exec\)/);
    }
  });

  it("is refused where it can start nothing", async () => {
    await assert.rejects(createRuntime({ prefix: [] }), /prefix \[\]: it is empty/);
    await assert.rejects(createRuntime({ prefix: ["no-such"] }), {
      name: "TypeError",
      message: 'Cannot use prefix "no-such": there is no such program',
    });
  });
});
