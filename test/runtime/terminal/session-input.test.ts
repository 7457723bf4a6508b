import assert from "node:assert/strict";
import { mkdtempSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { gate } from "../../gate.ts";
import { hasStarted, uniqueSeconds } from "../../execution/world.ts";
import { until } from "../../until.ts";
import { terminalSession } from "./session-world.ts";

const exited = (code: number) => ({ type: "exited", code });

describe("what is typed in a session on a terminal", () => {
  it("drives an editor, and the next command finds its code", async () => {
    const { run, start } = await terminalSession();
    const file = join(mkdtempSync(join(tmpdir(), "shellflow-")), "text");
    const it = await start(`vim -u NONE -i NONE -N ${file}`);
    await it.shows(/~/);
    await it.waits();
    await it.type("ihello{esc}:wq{enter}");
    assert.deepEqual((await it.result).outcome, exited(0));
    assert.equal(readFileSync(file, "utf8"), "hello\n");
    assert.equal((await run("echo $?; stty -a | grep -o ' echo '")).output, "0\r\n echo \r\n");
  });

  it("drives an interpreter", async () => {
    const { start, run } = await terminalSession();
    await run("export PYTHONSTARTUP= A=7");
    const it = await start("python3 -q -i");
    await it.shows(/>>>/);
    assert.equal((await it.waits()).prompt, ">>>");
    await it.type("import os; print(int(os.environ['A']) * 6){enter}");
    await it.shows(/^42$/m);
    await it.waits();
    await it.type("{ctrl-d}");
    assert.deepEqual((await it.result).outcome, exited(0));
  });

  it("reaches a builtin of the shell itself", async () => {
    const { start, run } = await terminalSession();
    const it = await start("read -r -p 'Name? ' name");
    assert.equal((await it.waits()).prompt, "Name?");
    await it.type("me{enter}");
    assert.deepEqual((await it.result).outcome, exited(0));
    assert.equal((await run("echo $name")).output, "me\r\n");
  });

  it("ends by Ctrl-C the program in the foreground and its line, not the shell", async () => {
    const { run, start, all } = await terminalSession();
    await run("a=1; trap 'echo bye' EXIT");
    const what = `sleep ${uniqueSeconds()}`;
    const it = await start(`${what}; echo never`);
    await until(() => hasStarted(what));
    await it.type("{ctrl-c}");
    const { outcome, output } = await it.result;
    assert.deepEqual(outcome, { type: "exited", code: 130, guessedSignal: "SIGINT" });
    assert.doesNotMatch(output, /never/);
    assert.equal(
      (await run("echo $? $a; trap")).output.includes("130 1\r\ntrap -- 'echo bye' EXIT"),
      true,
    );
    const loop = await start("while :; do :; done");
    await loop.type("{ctrl-c}");
    assert.equal((await loop.result).exitCode, 130);
    assert.deepEqual(all("session.reset"), []);
  });

  it("reaches the trap of a session on INT, and loses nothing where it comes late", async () => {
    const { run, start, all } = await terminalSession();
    await run("trap 'echo \"caught it\\n\"' INT; f() { :; }");
    const it = await start("read -r x; echo on");
    await it.waits();
    await it.type("{ctrl-c}");
    await it.shows(/caught it/);
    await it.type("{enter}");
    assert.match((await it.result).output, /on\r\n$/);
    assert.equal((await run("trap -p INT")).output, `trap -- 'echo "caught it\\n"' SIGINT\r\n`);
    await run("trap - INT");
    for (let i = 0; i < 20; i++) {
      const short = await start("sleep 0.01");
      const typed = short.type("{ctrl-c}").catch(() => {});
      await short.result;
      await typed;
    }
    assert.equal((await run("trap -p INT; type -t f")).output, "function\r\n");
    assert.deepEqual(all("session.reset"), []);
  });

  it("stops a program by Ctrl-Z, which another command brings back", async () => {
    const { run, start } = await terminalSession();
    const it = await start("cat");
    await it.waits();
    await it.type("one{enter}{ctrl-z}");
    assert.equal((await it.result).exitCode, 148);
    assert.match((await run("jobs")).output, /^\[1\]\+ +Stopped +cat\r\n$/);
    const again = await start("fg");
    await again.waits();
    await again.type("two{enter}{ctrl-d}");
    const { outcome, output } = await again.result;
    assert.deepEqual([outcome, output], [exited(0), "cat\r\ntwo\r\ntwo\r\n"]);
  });

  it("is dropped where its command does not read it", async () => {
    const { run, start, all } = await terminalSession();
    const { wait, open } = gate();
    const it = await start(`a=1; ${wait}`);
    await it.type("echo typed ahead{enter}and more");
    await it.shows(/and more/);
    open();
    await it.result;
    assert.equal((await run("IFS= read -r -t 0.2 -N 5 x; echo $a [$x]")).output, "1 []\r\n");
    // More than a terminal holds.
    const full = await start(`stty raw -echo; echo raw; ${wait}`);
    await full.shows(/raw/);
    const typed = full.type("x".repeat(100_000)).catch((cause) => cause);
    await until(() => all("command.inputWritten").length === 2);
    open();
    await full.result;
    assert.match(String(await typed), /Cannot write/);
    const next = await run("IFS= read -r -t 0.2 -N 5 x; echo ${a-gone} [$x]");
    assert.equal(next.output, "gone []\r\n");
    assert.match(all("session.reset")[0]?.reason ?? "", /more was typed/);
  });

  it("is shown again after a command that was killed in raw mode", async () => {
    const { run } = await terminalSession();
    const killed = await run("stty raw -echo; bash -c 'kill -9 $$'");
    assert.equal(killed.exitCode, 137);
    const { output } = await run("stty -a | grep -o -w -e 'echo' -e 'icanon' -e opost");
    assert.equal(output, "opost\r\nicanon\r\necho\r\n");
  });

  it("is judged by what reads it: data for a program, a command for a shell", async () => {
    const { start } = await terminalSession({
      mode: "default",
      rules: {
        deny: ["Bash(rm *)"],
        allow: ["Bash(read *)", "Bash(echo *)", "Bash(bash *)", "Bash(cat)"],
      },
    });
    const data = await start("read -r x; echo got $x");
    await data.type("rm x{enter}");
    assert.match((await data.result).output, /got rm x/);
    const shell = await start("bash --norc -i");
    await shell.waits();
    await assert.rejects(shell.type("rm x{enter}"), { refusal: "denied" });
    await shell.type("exit{enter}");
    await shell.result;
  });
});
