import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import type { ExecutorMessage } from "../../../src/execution/executor.ts";
import { cleanUp } from "../../clean-up.ts";
import { sized } from "../../sized.ts";
import { until } from "../../until.ts";
import { hasStarted, isStopped, living, uniqueSeconds } from "../world.ts";
import { SHELLS, type TriedShell } from "./confusion/tried-shells.ts";
import { seat, startShells } from "./shells.ts";

/** The shell of a session, its pid, and what sends it signals. */
async function ready({ file, dialect }: Pick<TriedShell, "file" | "dialect">) {
  const { executor } = startShells({ graceMs: 2_000 });
  cleanUp(() => executor.close());
  const shell = seat(executor);
  const start = (line: string) => {
    const driven = shell.run(line, { file, dialect });
    const send = (message: ExecutorMessage) => executor.send(driven.commandId, message);
    return {
      ...driven,
      signal: (signal: string) => send({ type: "signal", signal }),
      stop: () => send({ type: "stop", by: "stop" }),
    };
  };
  const run = (line: string) => shell.done(line, { file, dialect });
  return { start, run, pid: Number((await run("echo $$")).text) };
}

for (const [name, shell] of SHELLS) {
  describe(`a signal to a command in ${name}`, () => {
    it("waits until the shell has begun with the command", async () => {
      const { start, run, pid } = await ready(shell);
      process.kill(pid, "SIGSTOP");
      await until(() => isStopped(pid));
      const command = start(`sleep ${uniqueSeconds()}; echo not this`);
      assert.ok(command.signal("SIGINT"));
      process.kill(pid, "SIGCONT");
      const { outcome } = await command.exited;
      assert.deepEqual(outcome, {
        type: "signaled",
        signal: "SIGINT",
        by: "user",
        coreDump: false,
      });
      assert.equal(command.text(), "");
      assert.equal((await run("echo on")).text, "on\n");
    });

    it("ends all of it at any moment, and leaves the session", async () => {
      const { start, run } = await ready(shell);
      for (let count = 0; count < sized(12, 200); count++) {
        const what = `sleep ${uniqueSeconds()}`;
        const command = start(`${what}; echo not this`);
        const name = count % 2 === 0 ? "SIGINT" : "SIGTERM";
        // A SIGINT that bash gets before it starts a program is looked at after the end of that.
        if (name === "SIGINT") await until(() => hasStarted(what));
        else if (count % 3 > 0) await pause(count % 3 * 2);
        command.signal(name);
        const { outcome } = await command.exited;
        assert.deepEqual(outcome, { type: "signaled", signal: name, by: "user", coreDump: false });
        // A shell that sees its program end first may say so.
        assert.doesNotMatch(command.text(), /not this/);
        // One that was forked a moment ago gets the signal again once it has executed its program.
        await until(() => living(what).length === 0);
        assert.equal((await run("echo on")).text, "on\n");
      }
    });
  });

  describe(`a stop of a command in ${name}`, () => {
    it("leaves no word of the shell in the output, at any moment", async () => {
      const { start, run } = await ready(shell);
      for (let count = 0; count < sized(12, 200); count++) {
        const what = `sleep ${uniqueSeconds()}`;
        const command = start(`${what}; echo not this`);
        if (count % 3 > 0) await pause(count % 3 * 2);
        command.stop();
        const { outcome } = await command.exited;
        assert.ok(outcome.type === "signaled" && outcome.by === "stop");
        assert.equal(command.text(), "");
        assert.deepEqual(living(what), []);
        assert.equal((await run("echo on")).text, "on\n");
      }
    });
  });
}

describe("a shell that was stopped", () => {
  it("stays so when its command gets another signal", async () => {
    const { start, pid } = await ready({ file: "/bin/bash", dialect: "bash" });
    const what = `sleep ${uniqueSeconds()}`;
    const command = start(`trap '' USR1; ${what}; echo done`);
    await until(() => hasStarted(what));
    command.signal("SIGSTOP");
    await until(() => isStopped(pid));
    command.signal("SIGUSR1");
    assert.ok(isStopped(pid));
    command.signal("SIGCONT");
    command.signal("SIGKILL");
    await command.exited;
  });
});
