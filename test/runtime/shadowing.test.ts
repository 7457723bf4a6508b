import assert from "node:assert/strict";
import { chmodSync, mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createRuntime } from "../../src/runtime/create.ts";
import { cleanUp } from "../clean-up.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-shadow-")));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
mkdirSync(join(scratch, "bin"));
const own = join(scratch, "bin", "date");
writeFileSync(own, "#!/bin/sh\necho forged\n");
chmodSync(own, 0o755);
writeFileSync(join(scratch, "env"), "echo forged\n");

/** What takes the name of a program in a shell, and what gives it back. */
const SHADOWS: Readonly<Record<string, readonly [string, string]>> = {
  "a function": ["date() { echo forged; }", "unset -f date"],
  "a function of a file": [
    `echo 'date() { echo forged; }' > f.sh; . ./f.sh`,
    "unset -f date",
  ],
  "an alias": ["shopt -s expand_aliases\nalias date='echo forged'", "unalias date"],
  "the PATH": [`old=$PATH; PATH=${scratch}/bin:$PATH`, "PATH=$old; unset old"],
  "the hash table": [`hash -p ${own} date`, "hash -r"],
  "a trap": ["trap 'date() { echo forged; }' USR1", "trap - USR1"],
  "a trap on each line": [
    "trap '[[ $BASH_COMMAND != date* ]] || PATH=/' DEBUG",
    "trap - DEBUG",
  ],
  "an option": ["shopt -s cdable_vars", "shopt -u cdable_vars"],
  "a reference": ["declare -n to='a[$(echo forged >&2)]'", "unset -n to"],
  "a number": ["declare -i to", "unset to"],
  "a file for shells to come": [`export BASH_ENV=${scratch}/env`, "unset BASH_ENV"],
};

describe("a name that is taken in a shell that lives on", () => {
  for (const [what, [take, giveBack]] of Object.entries(SHADOWS)) {
    it(`makes the next allowed command a question, by ${what}`, async () => {
      await using runtime = await createRuntime({
        cwd: scratch,
        defaultExecutor: "auto",
        rules: { allow: ["Bash(date *)", "Bash(ls *)"] },
      });
      const free = async (line: string) =>
        await runtime.run(line, { sessionId: "s", permission: { mode: "bypass" } });
      const date = async () => (await runtime.run("date +%Y", { sessionId: "s" }));
      assert.match((await date()).output, /^\d{4}\n$/);
      assert.equal((await free(take)).exitCode, 0);
      assert.equal((await date()).outcome.type, "denied");
      const task = [...runtime.tasks.current.byId.values()].at(-1);
      assert.match(task?.reason ?? "", /nothing answers questions here/);
      assert.equal((await free(giveBack)).exitCode, 0);
      assert.match((await date()).output, /^\d{4}\n$/);
      assert.equal((await runtime.run("date +%Y")).exitCode, 0, "a process knows nothing of it");
    });
  }
});
