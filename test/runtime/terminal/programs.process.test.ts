import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { cleanUp } from "../../clean-up.ts";
import { sized } from "../../sized.ts";
import { terminalWorld } from "./world.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-programs-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const { runtime, start: startHere } = await terminalWorld({ cwd: scratch });

/** A program on a terminal of 80 x 24, as an agent uses it. */
const start = (command: string, env: Readonly<Record<string, string>> = {}) =>
  startHere(command, { env: { HOME: scratch, LC_ALL: "C.UTF-8", ...env } });

const exited = (code: number) => ({ type: "exited", code });

const absent = (program: string) => findProgram(program, process.env["PATH"] ?? "") === undefined;

describe("a real program on a terminal", () => {
  it(
    "can be python, with a question, a password and an interrupt",
    { skip: absent("python3") },
    async () => {
      const it = await start("python3 -i -q", { PYTHON_BASIC_REPL: "1" });
      assert.equal((await it.waits()).prompt, ">>>");
      await it.type("6 * 7{enter}");
      await it.shows(/^42$/m);
      await it.type("import getpass; getpass.getpass(){enter}");
      await it.shows(/Password:/);
      assert.equal((await it.waits()).password, true);
      await it.type("hunter2{enter}");
      await it.shows(/'hunter2'/);
      await it.type("while True: pass{enter}{enter}{ctrl-c}");
      await it.shows(/KeyboardInterrupt/);
      await it.type("{ctrl-d}");
      assert.deepEqual((await it.result).outcome, exited(0));
    },
  );

  it("can be bash, with its line editor and a file that is typed", async () => {
    const it = await start("bash --norc -i");
    await it.waits();
    await it.type("echo one{enter}");
    await it.shows(/^one$/m);
    await it.type("{up}{backspace}{backspace}{backspace}two{home}{end}{enter}");
    await it.shows(/^two$/m);
    await it.type("cat >paste{enter}");
    await it.waits();
    await it.type("line 1\nline 2\n{ctrl-d}");
    await it.type("exit 3{enter}");
    assert.deepEqual((await it.result).outcome, exited(3));
    assert.equal(readFileSync(join(scratch, "paste"), "utf8"), "line 1\nline 2\n");
  });

  it("can be less, with its own screen and a search", { skip: absent("less") }, async () => {
    const file = join(scratch, "long");
    writeFileSync(file, Array.from({ length: 200 }, (_, i) => `row ${i + 1}.\n`).join(""));
    const it = await start(`less ${file}`);
    await it.shows(/row 1\.[\s\S]*row 23\./);
    assert.equal((await runtime.screen(it.taskId)).alternate, true);
    await it.waits();
    await it.type("{pagedown}");
    await it.shows(/row 46\./);
    await it.type("/row 150{enter}");
    await it.shows(/^row 150\./m);
    await it.type("q");
    assert.deepEqual((await it.result).outcome, exited(0));
    assert.equal((await runtime.screen(it.taskId)).alternate, false);
  });

  it("can be vim, with modes and cursor keys", { skip: absent("vim") }, async () => {
    const file = join(scratch, "edited");
    const it = await start(`vim -u NONE -N ${file}`);
    await it.shows(/~/);
    await it.waits();
    await it.type("ihello{enter}world{esc}{up}A, wide {left}!{esc}:wq{enter}");
    assert.deepEqual((await it.result).outcome, exited(0));
    assert.equal(readFileSync(file, "utf8"), "hello, wide! \nworld\n");
  });

  it("can be top, which is left by a key", { skip: absent("top") }, async () => {
    const it = await start("top -d 60");
    await it.shows(/load average[\s\S]*PID\s+USER/);
    await it.waits();
    await it.type("q");
    assert.deepEqual((await it.result).outcome, exited(0));
  });

  it("can be npm init, with its questions", { skip: absent("npm") }, async () => {
    const it = await start("npm init", { npm_config_update_notifier: "false" });
    await it.shows(/package name: \(.*\)/);
    assert.match((await it.waits()).prompt ?? "", /^package name:/);
    await it.type("made-here{enter}");
    for (const question of ["version", "description", "entry point", "test command"]) {
      await it.shows(new RegExp(`^${question}:`, "m"));
      await it.type("{enter}");
    }
    await it.shows(/git repository:/);
    await it.type("{ctrl-c}");
    await it.result;
  });

  it("can be git commit, with an editor", { skip: absent("git") || absent("vim") }, async () => {
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-C", scratch, ...args], { encoding: "utf8" });
    git("init", "-q");
    const it = await start(
      "git -c user.name=you -c user.email=you@example.com commit --allow-empty",
      { EDITOR: "vim -u NONE -N" },
    );
    await it.shows(/Please enter the commit message/);
    await it.waits();
    await it.type("iFirst{esc}:x{enter}");
    assert.deepEqual((await it.result).outcome, exited(0));
    assert.equal(git("log", "--format=%s"), "First\n");
  });

  it("can be cat, which gets a paste of a megabyte whole", async () => {
    const text = Array.from({ length: 16_384 }, (_, i) => `${i}`.padStart(63, "é")).join("\n");
    const it = await start("cat > pasted");
    await it.waits();
    await runtime.input(it.taskId, `${text}\n`, { end: true });
    assert.deepEqual((await it.result).outcome, exited(0));
    const sha256 = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
    assert.equal(sha256(readFileSync(join(scratch, "pasted"))), sha256(`${text}\n`));
  });
});

describe("many commands on terminals", () => {
  it("lose no byte of their output, twenty at a time", async () => {
    const bytes = 8_192;
    let left = sized(30, 1_000);
    const lost: number[] = [];
    await Promise.all(Array.from({ length: 20 }, async () => {
      while (left-- > 0) {
        const { totalBytes } = await runtime.run(`head -c ${bytes} /dev/zero | tr '\\0' x`, {
          pty: true,
        });
        if (totalBytes !== bytes) lost.push(totalBytes);
      }
    }));
    assert.deepEqual(lost, []);
  });
});
