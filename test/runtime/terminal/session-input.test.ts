import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { scratch } from "../../event/scratch.ts";
import { gate } from "../../gate.ts";
import { hasStarted, uniqueSeconds } from "../../execution/world.ts";
import { until } from "../../until.ts";
import { thinned } from "../../sized.ts";
import { SHELLS, terminalSession } from "./session-world.ts";

const exited = (code: number) => ({ type: "exited", code });

/** How each reads a name after a prompt, and five characters in a while. */
const READS = {
  bash: { name: "read -r -p 'Name? ' name", five: "read -r -t 0.2 -N 5" },
  zsh: { name: "read -r 'name?Name? '", five: "read -r -t 0.2 -k 5" },
} as const;

for (const shell of thinned(SHELLS, SHELLS.length)) {
  describe(`what is typed in a session with ${shell} on a terminal`, () => {
    it("drives an editor, and the next command finds its code", async () => {
      const { run, start } = await terminalSession({}, { shell });
      const file = join(scratch(), "text");
      const it = await start(`vim -u NONE -i NONE -N ${file}`);
      await it.shows(/~/);
      await it.waits();
      await it.type("ihello{esc}:wq{enter}");
      assert.deepEqual((await it.result).outcome, exited(0));
      assert.equal(readFileSync(file, "utf8"), "hello\n");
      assert.equal((await run("echo $?; stty -a | grep -o ' echo '")).output, "0\r\n echo \r\n");
    });

    it("drives an interpreter", async () => {
      const { start, run } = await terminalSession({}, { shell });
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
      const { start, run } = await terminalSession({}, { shell });
      const it = await start(READS[shell].name);
      assert.equal((await it.waits()).prompt, "Name?");
      await it.type("me{enter}");
      assert.deepEqual((await it.result).outcome, exited(0));
      const secret = await start("read -rs secret");
      assert.equal((await secret.waits()).password, true);
      await secret.type("shibboleth{enter}");
      assert.doesNotMatch((await secret.result).output, /shibboleth/);
      assert.equal((await run("echo $name $secret")).output, "me shibboleth\r\n");
    });

    it("ends by Ctrl-C the program in the foreground and its line, not the shell", async () => {
      const { run, start, all } = await terminalSession({}, { shell });
      await run("a=1; trap 'echo bye' EXIT");
      const what = `sleep ${uniqueSeconds()}`;
      const it = await start(`${what}; echo never`);
      await until(() => hasStarted(what));
      await it.type("{ctrl-c}");
      const { outcome, output } = await it.result;
      assert.deepEqual(outcome, { type: "exited", code: 130, guessedSignal: "SIGINT" });
      assert.doesNotMatch(output, /never/);
      assert.match((await run("echo $? $a; trap")).output, /^130 1\r\n[^]*trap -- 'echo bye' EXIT/);
      const loop = await start("while :; do :; done");
      await loop.type("{ctrl-c}");
      assert.equal((await loop.result).exitCode, 130);
      assert.deepEqual(all("session.reset"), []);
    });

    it("reaches the trap of a session on INT, and loses nothing where it comes late", async () => {
      const { run, start, all } = await terminalSession({}, { shell });
      await run("trap 'echo \"caught it\\n\"' INT; f() { :; }");
      const it = await start("read -r x; echo on");
      await it.waits();
      await it.type("{ctrl-c}");
      await it.shows(/caught it/);
      await it.type("{enter}");
      assert.match((await it.result).output, /on\r\n$/);
      assert.match((await run("trap")).output, /^trap -- 'echo "caught it\\n"' (?:SIG)?INT\r$/m);
      await run("trap - INT");
      for (let i = 0; i < 20; i++) {
        const short = await start("sleep 0.01");
        const typed = short.type("{ctrl-c}").catch(() => {});
        await short.result;
        await typed;
      }
      assert.match((await run("trap; f && echo here")).output, /^(?!.*INT).*here\r\n$/s);
      assert.deepEqual(all("session.reset"), []);
    });

    it("is dropped where its command does not read it", async () => {
      const { run, start, all } = await terminalSession({}, { shell });
      const { wait, open } = gate();
      const it = await start(`a=1; ${wait}`);
      await it.type("echo typed ahead{enter}and more");
      await it.shows(/and more/);
      open();
      await it.result;
      assert.equal((await run(`IFS= ${READS[shell].five} x; echo $a "[$x]"`)).output, "1 []\r\n");
      // More than a terminal holds.
      const full = await start(`stty raw -echo; echo raw; ${wait}`);
      await full.shows(/raw/);
      const typed = full.type("x".repeat(100_000)).catch((cause) => cause);
      await until(() => all("command.inputWritten").length === 2);
      open();
      await full.result;
      assert.match(String(await typed), /Cannot write/);
      const next = await run(`IFS= ${READS[shell].five} x; echo \${a-gone} "[$x]"`);
      assert.equal(next.output, "gone []\r\n");
      assert.match(all("session.reset")[0]?.reason ?? "", /more was typed/);
    });

    it("is shown again after a command that was killed in raw mode", async () => {
      const { run } = await terminalSession({}, { shell });
      const killed = await run("stty raw -echo; bash -c 'kill -9 $$'");
      assert.equal(killed.exitCode, 137);
      const { output } = await run("stty -a | grep -o -w -e 'echo' -e 'icanon' -e opost");
      assert.equal(output, "opost\r\nicanon\r\necho\r\n");
    });
  });
}

describe("what is typed in a session with bash on a terminal, alone", () => {
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

describe(
  "what is typed in a session with zsh on a terminal, alone",
  { skip: !SHELLS.includes("zsh") },
  () => {
    it("stops by Ctrl-Z a program, not its line, which another command brings back", async () => {
      const { run, start, all } = await terminalSession({}, { shell: "zsh" });
      const it = await start("cat");
      await it.waits();
      await it.type("one{enter}{ctrl-z}");
      assert.equal((await it.result).exitCode, 148);
      assert.match((await run("jobs")).output, /^\[\d+\] +\+ suspended +cat\r\n$/);
      const again = await start("fg");
      await again.waits();
      await again.type("two{enter}{ctrl-d}");
      assert.match((await again.result).output, /continued +cat\r\ntwo\r\ntwo\r\n$/);
      // The line goes on after the program, and the shell waits for what it starts.
      const loop = await start("for x in 1 2; do cat; echo after $x; done");
      await loop.waits();
      await loop.type("{ctrl-z}");
      await loop.shows(/after 1/);
      await loop.type("{ctrl-d}");
      assert.match((await loop.result).output, /suspended +cat\r\nafter 1\r\nafter 2\r\n$/);
      await run("kill %cat; wait");
      assert.equal((await run("sleep 0.01; echo $?")).output, "0\r\n");
      assert.equal((await run("jobs; echo on")).output, "on\r\n");
      assert.deepEqual(all("session.reset"), []);
    });

    it("has the code of the signal that Ctrl-\\ sends", async () => {
      const { run, start, all } = await terminalSession({}, { shell: "zsh" });
      const it = await start("cat; echo never");
      await it.waits();
      await it.type("{ctrl-\\}");
      const { outcome, output } = await it.result;
      assert.deepEqual(outcome, { type: "exited", code: 131, guessedSignal: "SIGQUIT" });
      assert.doesNotMatch(output, /never/);
      assert.equal((await run("echo $?")).output, "131\r\n");
      assert.deepEqual(all("session.reset"), []);
    });

    it("reaches a function for INT", async () => {
      const { run, start, all } = await terminalSession({}, { shell: "zsh" });
      await run('TRAPINT() { echo "caught $1"; }');
      for (let i = 0; i < 2; i++) {
        const it = await start("read -r x; echo on");
        await it.waits();
        await it.type("{ctrl-c}");
        await it.shows(/caught 2/);
        await it.type("{enter}");
        await it.result;
      }
      await run("unfunction TRAPINT");
      const it = await start("read -r x; echo on");
      await it.waits();
      await it.type("{ctrl-c}");
      assert.equal((await it.result).exitCode, 130);
      assert.deepEqual(all("session.reset"), []);
    });
  },
);
