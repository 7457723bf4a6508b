import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { EnvValues } from "../../../src/event/env-values.ts";
import { cleanUp } from "../../clean-up.ts";
import { drive } from "../drive.ts";
import { environment } from "./confusion/cell.ts";
import { thinned } from "../../sized.ts";
import { SHELLS, TRIED, type TriedShell } from "./confusion/tried-shells.ts";
import { startShells } from "./shells.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-surroundings-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const other = join(scratch, "ot'her");
mkdirSync(other);
const { executor } = startShells({ graceMs: 100 });
cleanUp(() => executor.close());

/** What one command of a session may have for itself. */
interface Own {
  readonly overrides?: Readonly<Record<string, string>>;
  readonly cwd?: string;
}

let count = 0;

/** Run lines in one shell, one after the other. */
function session({ dialect, file }: TriedShell) {
  const sessionId = `surroundings_${++count}`;
  const env = new EnvValues(environment(scratch));
  let place = scratch;
  return async (command: string, { overrides, cwd }: Own = {}) => {
    const it = drive(executor, {
      command,
      file,
      args: [],
      cwd: cwd ?? place,
      env,
      executor: "shell",
      limits: {},
      shell: {
        sessionId,
        dialect,
        env,
        ...(cwd !== undefined && { returns: place }),
        ...(overrides !== undefined && { overrides: new EnvValues(overrides) }),
      },
    });
    const { outcome, shell } = await it.exited;
    place = shell?.cwd ?? place;
    return { text: it.text(), outcome, ...shell };
  };
}

const SHOW = 'echo "${own-unset} ${kept-unset} $(printenv kept) $(pwd) $?"';

for (const name of thinned(TRIED, TRIED.length)) {
  const shell = SHELLS.get(name);
  const reason = shell === undefined ? { skip: `${name} is not on this machine` } : {};
  describe(`a ${name} that lives on`, reason, () => {
    if (shell === undefined) return;

    for (
      const end of [":", "exit 3", "kill -9 $$", "break", "eval 'echo $(('", "cd /", "unset own"]
    ) {
      it(`takes back what a command had for itself, after ${end}`, async () => {
        const run = session(shell);
        await run("kept=1; export kept; cd /usr");
        const overrides = { own: "it's\nown", kept: "2" };
        const first = await run(`${SHOW}; ${end}`, { overrides, cwd: other });
        assert.equal(first.text.split("\n").slice(0, 2).join("\n"), `it's\nown 2 2 ${other} 0`);
        const { text } = await run(SHOW.replace(" $?", ""));
        assert.equal(text, "unset 1 1 /usr\n");
      });
    }

    it("leaves a variable that is no export what it was", async () => {
      const run = session(shell);
      await run("kept=1");
      assert.equal(
        (await run(SHOW, { overrides: { kept: "2" } })).text,
        `unset 2 2 ${scratch} 0\n`,
      );
      assert.equal((await run(SHOW)).text, `unset 1  ${scratch} 0\n`);
    });

    it("takes it back although words of its language are aliases", async () => {
      const run = session(shell);
      await run("kept=1; export kept");
      await run(`${name === "bash" ? "shopt -s expand_aliases; " : ""}alias case=no if=no fi=no`);
      assert.equal((await run(SHOW, { overrides: { own: "x" } })).text, `x 1 1 ${scratch} 0\n`);
      assert.equal((await run(SHOW)).text, `unset 1 1 ${scratch} 0\n`);
    });

    if (name !== "dash") {
      it("leaves a variable the array or the number that it was", async () => {
        const run = session(shell);
        await run(
          "list=(a 'b c'); typeset -i number=5; typeset -A map; map=(k v); typeset -ix sent=6",
        );
        const show = "typeset -p list number map sent";
        const before = (await run(show)).text;
        const overrides = { list: "it's", number: "7", map: "m", sent: "8" };
        const own = await run("printenv list number map sent", { overrides });
        assert.equal(own.text, "it's\n7\nm\n8\n");
        assert.equal((await run(show)).text, before);
      });
    }

    it("waits for the next command, whatever TMOUT says", async () => {
      const run = session(shell);
      await run("TMOUT=1; unsent=1");
      await session(shell)("sleep 1.2");
      const { text, reset } = await run("echo $unsent");
      assert.deepEqual([text, reset], ["1\n", undefined]);
    });

    it("does not run a command in a directory that is not there", async () => {
      const run = session(shell);
      await run(":");
      const { text, outcome } = await run("echo ran", { cwd: join(scratch, "none") });
      assert.deepEqual([text, outcome.type], ["", "spawnFailed"]);
      assert.equal((await run("echo $?; pwd")).text, `1\n${scratch}\n`);
    });

    it("shows the code of the last command to the next", async () => {
      const run = session(shell);
      await run("(exit 7)");
      assert.equal((await run("echo $?")).text, "7\n");
      assert.equal((await run("echo $?")).text, "0\n");
    });

    it("runs a trap on its end that an earlier command has set, once, with the code", async () => {
      const run = session(shell);
      await run(`trap 'echo "bye $?" >>bye' EXIT; cd '${scratch}'`);
      const { text, outcome, reset } = await run("echo a; exit 3");
      assert.equal(text, "a\n");
      assert.deepEqual(outcome, { type: "exited", code: 3 });
      assert.ok(reset?.lost.includes("traps"));
      assert.equal((await run("cat bye; rm bye; exit 4")).text, "bye 3\n");
      assert.equal((await run("cat bye 2>/dev/null")).text, "");
    });

    it("comes back from the directory of one command, whatever PWD says", async () => {
      const run = session(shell);
      for (const forge of ["unset PWD", "PWD=/etc"]) {
        await run(forge);
        const { text } = await run("pwd -P", { cwd: "/usr" });
        assert.equal(text, "/usr\n");
        assert.equal((await run("pwd -P")).text, `${realpathSync(scratch)}\n`);
      }
    });

    it("tells which names have changed, and gives a new one in its place what it exported", async () => {
      const run = session(shell);
      const value = "export one=$(printf 'a b\\n\\047c') IFS=' '; alias ll='ls -l'; g() { :; }";
      const { state } = await run(value);
      assert.equal(state?.variables?.length, 2);
      assert.deepEqual(state, {
        ...(name === "bash" && { functions: ["g"], aliases: ["ll"], programs: [], modifiers: [] }),
        ...(name === "zsh" && { functions: ["g"], aliases: ["ll"] }),
        ...(name === "dash" && { aliases: ["ll"] }),
        variables: state?.variables?.filter((name) => name === "one" || name === "IFS"),
      });
      await run("kill -9 $$");
      assert.equal((await run('echo "$one"')).text, "a b\n'c\n");
    });
  });
}
