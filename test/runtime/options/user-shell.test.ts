import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { userShell } from "../../../src/runtime/options/user-shell.ts";
import { cleanUp } from "../../clean-up.ts";

const LINE = 'printf %s "$ZSH_VERSION"';
const zsh = findProgram("zsh", process.env["PATH"] ?? "");

function useZsh(file: string): void {
  const before = process.env["SHELL"];
  process.env["SHELL"] = file;
  cleanUp(() => {
    if (before === undefined) delete process.env["SHELL"];
    else process.env["SHELL"] = before;
  });
}

describe("the shell of a person", () => {
  it("runs what the person asks for, and nothing that the model does", async (test) => {
    if (zsh === undefined) return test.skip("there is no zsh");
    useZsh(zsh);
    await using runtime = await createRuntime({ mode: "bypass", userShell: "detect" });
    const { output } = await runtime.run(LINE, { origin: "user" });
    assert.match(output, /^\d/);
    assert.equal((await runtime.run(LINE)).output, "");
    await using asks = await createRuntime({
      userShell: "detect",
      rules: { allow: ["Bash(printf *)"], deny: ["Bash(rm *)"] },
    });
    const [asked, denied] = [
      await asks.run(LINE, { origin: "user" }),
      await asks.run("rm x", { origin: "user" }),
    ];
    assert.match(JSON.stringify(asked.outcome), /it is a line for zsh, and only those for bash/);
    assert.match(JSON.stringify(denied.outcome), /Bash\(rm \*\).* denies it/);
    assert.equal((await asks.run(LINE)).outcome.type, "exited");
  });

  it("runs no line for bash, also in a session that keeps it", async (test) => {
    if (zsh === undefined) return test.skip("there is no zsh");
    useZsh(zsh);
    const options = { mode: "bypass", userShell: "detect", defaultExecutor: "shell" } as const;
    await using runtime = await createRuntime(options);
    const user = { sessionId: "s", origin: "user" } as const;
    assert.match((await runtime.run(LINE, user)).output, /^\d/);
    assert.equal((await runtime.run(LINE, { ...user, dialect: "bash" })).output, "");
    assert.match((await runtime.run(LINE, user)).output, /^\d/);
    // One that is only being started.
    const aborter = new AbortController();
    const other = { sessionId: "t", origin: "user", signal: aborter.signal } as const;
    runtime.events.subscribe(({ event }) => {
      if (event.type === "env.built") setTimeout(() => aborter.abort());
    });
    await runtime.run(LINE, other);
    assert.equal((await runtime.run(LINE, { sessionId: "t" })).output, "");
  });

  it("is bash for everybody where theirs is one", () => {
    const { dialectOf, otherShell } = userShell({ SHELL: "/bin/bash", PATH: "/bin" });
    assert.deepEqual([dialectOf("user"), dialectOf("model"), otherShell], [
      "bash",
      "bash",
      undefined,
    ]);
  });
});
