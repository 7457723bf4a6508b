import assert from "node:assert/strict";
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createRuntime } from "../../../src/runtime/create.ts";
import type { RuntimeOptions } from "../../../src/runtime/options/options.ts";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { cleanUp } from "../../clean-up.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-shadowing-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const fake = join(scratch, "git");
writeFileSync(fake, "#!/bin/sh\necho fake git\n");
chmodSync(fake, 0o755);
writeFileSync(join(scratch, "rc"), "git() { echo from a file; }\n");

/** What makes a `git` of something else, and what takes it back. */
const WAYS: Readonly<Record<string, readonly [shadow: string, back: string]>> = {
  "a function": ["git() { echo mine; }", "unset -f git"],
  "a function with an odd name": ["function git { echo mine; }", "unset -f git"],
  "an alias": ["shopt -s expand_aliases; alias git='echo mine'", "unalias git"],
  "an alias of another word": ["alias git=echo", "unalias -a"],
  PATH: [`old=$PATH; PATH=${scratch}:$PATH`, "PATH=$old; unset old"],
  "PATH, not exported": [
    `old=$PATH; export -n PATH; PATH=${scratch}:$PATH`,
    "export PATH=$old; unset old",
  ],
  BASH_ENV: [`export BASH_ENV=${join(scratch, "rc")}`, "unset BASH_ENV"],
  "BASH_ENV, not exported": [`BASH_ENV=${join(scratch, "rc")}`, "unset BASH_ENV"],
  "hash -p": [`hash -p ${fake} git`, "hash -d git"],
  "a sourced file": [`. ${join(scratch, "rc")}`, "unset -f git"],
  "a trap": ["trap 'git() { echo mine; }' USR1", "trap - USR1"],
  "a trap on each line": ["trap '[[ $BASH_COMMAND != git* ]] || PATH=/' DEBUG", "trap - DEBUG"],
  "an option": ["shopt -s cdable_vars", "shopt -u cdable_vars"],
  "a reference": ["declare -n to='a[$(echo mine >&2)]'", "unset -n to"],
  "a number": ["declare -i to", "unset to"],
  "a loader variable": ["export LD_PRELOAD=/nowhere.so 2>/dev/null", "unset LD_PRELOAD"],
  "command_not_found_handle": [
    "command_not_found_handle() { echo mine; }",
    "unset -f command_not_found_handle",
  ],
  "a function by another command's state": ["eval 'git() { :; }'", "unset -f git"],
};

const LINE = "git --version";

async function start(ask?: RuntimeOptions["ask"]): Promise<Runtime> {
  const runtime = await createRuntime({
    rules: { allow: ["Bash(git *)"] },
    cwd: scratch,
    defaultExecutor: "shell",
    ...(ask && { ask }),
  });
  cleanUp(() => runtime.close());
  return runtime;
}

/** What nobody has to be asked about. */
const free = { permission: { mode: "bypass" as const } };

describe("a git that the session has redefined", () => {
  for (const [name, [shadow, back]] of Object.entries(WAYS)) {
    it(`is not what the rule for git allows, by ${name}, until that is taken back`, async () => {
      const asked: string[] = [];
      const runtime = await start(({ order, concerns }) => {
        asked.push(`${order.command}: ${concerns.map(({ reason }) => reason).join()}`);
        return Promise.resolve("deny" as const);
      });
      const run = (command: string, options = {}) =>
        runtime.run(command, { sessionId: "s", ...options });
      const before = await run(LINE);
      assert.equal(before.outcome.type, "exited");
      assert.match(before.output, /^git version/);

      await run(shadow, free);
      assert.equal((await run(LINE)).outcome.type, "denied");
      assert.equal(asked.length, 1);
      assert.ok(asked[0]?.startsWith(`${LINE}: `));
      // Another session has its own.
      assert.match((await run(LINE, { sessionId: "other" })).output, /^git version/);
      // A process of its own brings nothing of the shell.
      assert.match((await run(LINE, { executor: "process" })).output, /^git version/);
      assert.equal(asked.length, 1);

      await run(back, free);
      const after = await run(LINE);
      assert.equal(after.outcome.type, "exited", asked.join());
      assert.match(after.output, /^git version/);
      assert.equal(asked.length, 1);
    });
  }

  it("is denied where nothing answers questions, and the program again in the next shell", async () => {
    const runtime = await start();
    const run = (command: string, options = {}) =>
      runtime.run(command, { sessionId: "s", ...options });
    for (const end of ["exit 3", "kill -9 $$"]) {
      await run("git() { echo mine; }", free);
      assert.equal((await run(LINE)).outcome.type, "denied");
      await run(end, free);
      assert.match((await run(LINE)).output, /^git version/);
    }
  });

  it("is asked about when its line comes while the redefining command still runs", async () => {
    const runtime = await start();
    const first = runtime.run("sleep 0.2; git() { echo mine; }", { sessionId: "s", ...free });
    const second = runtime.run(LINE, { sessionId: "s" });
    assert.equal((await first).outcome.type, "exited");
    assert.equal((await second).outcome.type, "denied");
  });
});
