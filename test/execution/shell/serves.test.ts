import assert from "node:assert/strict";
import { describe, it } from "node:test";
import type { DialectName } from "../../../src/event/command.ts";
import type { Invocation } from "../../../src/event/env.ts";
import { EnvValues } from "../../../src/event/env-values.ts";
import { dialects } from "../../../src/shell/dialects.ts";
import { cleanUp } from "../../clean-up.ts";
import { startShells } from "./shells.ts";

const { executor } = startShells();
cleanUp(() => executor.close());

const env = new EnvValues({});

function inShell(dialect: DialectName): Invocation {
  const { program, run } = dialects[dialect];
  return {
    command: "echo a",
    file: program,
    args: run("echo a"),
    cwd: "/",
    env,
    executor: "shell",
    limits: {},
    shell: { sessionId: "s", dialect, env },
  };
}

describe("the shell executor", () => {
  it("serves the dialects that have persistent shells, and says why not the others", () => {
    for (const dialect of ["bash", "zsh", "posix"] as const) {
      assert.equal(executor.refuses?.(inShell(dialect)), undefined);
    }
    assert.equal(
      executor.refuses?.(inShell("fish")),
      "fish cannot say which output is a command's: its own messages ignore redirections",
    );
    const onTerminal = { ...inShell("fish"), executor: "terminalShell" } as const;
    assert.equal(executor.refuses?.(onTerminal), undefined);
    assert.equal(
      executor.refuses?.(inShell("powershell")),
      "PowerShell is not kept for many commands",
    );
    const { shell: _, ...fresh } = inShell("bash");
    assert.equal(executor.refuses?.(fresh), "it is not for the shell of a session");
  });
});
