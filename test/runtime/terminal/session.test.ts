import assert from "node:assert/strict";
import { readdirSync, readFileSync, realpathSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { Runtime } from "../../../src/runtime/runtime.ts";
import { scratch } from "../../event/scratch.ts";
import { gate } from "../../gate.ts";
import { hasStarted, living, uniqueSeconds } from "../../execution/world.ts";
import { sized, thinned } from "../../sized.ts";
import { until } from "../../until.ts";
import { SHELLS, terminalSession, withoutJobs } from "./session-world.ts";
import { terminalWorld } from "./world.ts";

const exited = (code: number) => ({ type: "exited", code });

async function outputOf(runtime: Runtime, taskId: string): Promise<string> {
  return new TextDecoder().decode((await runtime.read(taskId)).bytes);
}

const NO_GLOB = { bash: "set -f", zsh: "setopt noglob" } as const;

for (const shell of thinned(SHELLS, SHELLS.length)) {
  describe(`a session on a terminal, with ${shell}`, () => {
    it("keeps directory, variables, functions, aliases, options and jobs from command to command", async () => {
      const { run, all } = await terminalSession({}, { shell });
      const directory = realpathSync(scratch());
      const first = await run(
        `cd ${directory} && export A=1; b=2; f() { echo "f $1"; }; ${NO_GLOB[shell]}`,
      );
      assert.deepEqual([first.outcome, first.output, first.cwd.after], [exited(0), "", directory]);
      await run("alias hey='echo hey'; sleep 300 & job=$!; (exit 3)");
      const { output } = await run(
        'echo $? $A $b *; pwd; f x; hey you; jobs -l | wc -l; bash -c "echo $A"',
      );
      assert.equal(output, `3 1 2 *\r\n${directory}\r\nf x\r\nhey you\r\n1\r\n1\r\n`);
      const { state } = all("session.stateReported").at(-1) ?? {};
      assert.deepEqual([state?.functions, state?.aliases], [["f"], ["hey"]]);
      const started = all("execution.started");
      assert.equal(new Set(started.map(({ pid }) => pid)).size, 1);
      assert.deepEqual(started[0]?.executor, "terminalShell");
      assert.deepEqual(started[0]?.terminal, { columns: 80, rows: 24 });
      await run("kill $job; wait");
    });

    it("has one terminal, which is the standard input and both outputs of each command", async () => {
      const { run } = await terminalSession({}, { shell });
      const { output } = await run(
        "tty; test -t 0 -a -t 1 -a -t 2; echo $?; echo w >&0; echo e >&2",
      );
      assert.match(output, /^\/dev\/pts\/\d+\r\n0\r\nw\r\ne\r\n$/);
      assert.equal((await run("tty")).output, output.slice(0, output.indexOf("0\r\nw")));
      assert.equal(withoutJobs(await run("sleep 300 & kill $!; wait")), "");
    });

    it("has the output of each command exactly, without prompt, echo and marks", async () => {
      const { run } = await terminalSession({}, { shell });
      const results = [];
      for (let i = 0; i < sized(10, 100); i++) {
        results.push((await run(`head -c 8192 /dev/zero | tr '\\0' x; printf %s ${i}`)).output);
      }
      assert.deepEqual(results, results.map((_, i) => `${"x".repeat(8192)}${i}`));
      const much = await run("head -c 3000000 /dev/zero | tr '\\0' y");
      assert.equal(much.totalBytes, 3_000_000);
    });

    it("takes a forged mark for output, and has no nonce in its variables", async () => {
      const { run } = await terminalSession({}, { shell });
      const forged = `\\e]633;D;${"0".repeat(32)}\\a\\e]633;C;${"A".repeat(32)}\\a`;
      const { output } = await run(`printf 'a${forged}b'; printf '\\e]633;D;0\\ac'`);
      const shown = forged.replaceAll("\\e", "\x1b").replaceAll("\\a", "\x07");
      assert.equal(output, `a${shown}b\x1b]633;D;0\x07c`);
      const seen = await run("set; declare -p; env; trap");
      assert.doesNotMatch(seen.output, /[0-9A-F]{32}/);
    });

    it("gives what background processes write later to their command, or else to the next", async () => {
      const { run, start, runtime } = await terminalSession({}, { shell });
      const [late, end] = [gate(), gate()];
      const line = `(${late.wait}; printf late; ${late.wait}; printf later) & printf now`;
      const first = await run(line);
      assert.equal(withoutJobs(first), "now");
      assert.equal(first.leftovers.length > 0, true);
      late.open();
      await until(() =>
        runtime.tasks.current.byId.get(first.taskId)?.totalBytes === first.output.length + 4
      );
      const next = await start(`printf next; ${end.wait}`);
      await next.shows(/next/);
      late.open();
      await next.shows(/nextlater/);
      end.open();
      assert.equal((await next.result).output, "nextlater");
      assert.equal(await outputOf(runtime, first.taskId), `${first.output}late`);
    });

    it("has the bytes of a process substitution that outlives the line", async () => {
      const { run, runtime } = await terminalSession({}, { shell });
      const { taskId } = await run("echo x > >(sleep 0.05; tee /dev/null)");
      await until(() => runtime.tasks.current.byId.get(taskId)?.closed === true);
      assert.equal(await outputOf(runtime, taskId), "x\r\n");
    });

    it("holds for one command its own directory and variables", async () => {
      const { run } = await terminalSession({}, { shell });
      await run("cd /");
      const { output } = await run("pwd; echo $A; A=2", { cwd: "/tmp", env: { A: "1" } });
      assert.equal(output, "/tmp\r\n1\r\n");
      assert.equal((await run("pwd; echo ${A-none}")).output, "/\r\nnone\r\n");
    });

    it("shows the same screen live and again from its output, empty at the start of each command", async () => {
      const { run, start, runtime } = await terminalSession({}, { shell });
      await run("seq 1 100; printf 'left here'");
      const { wait, open } = gate();
      const it = await start(`printf '\\e[3;5Hthere\\e[1mx'; ${wait}; echo on; ${wait}`);
      await it.shows(/there/);
      const first = await runtime.screen(it.taskId, { styled: true });
      assert.deepEqual(first.lines.slice(0, 3), ["", "", "    therex"]);
      await runtime.resize(it.taskId, { columns: 60, rows: 10 });
      open();
      await it.shows(/on/);
      const second = await runtime.screen(it.taskId, { styled: true });
      open();
      await it.result;
      for (const screen of [first, second]) {
        const { offset } = screen;
        assert.deepEqual(await runtime.screen(it.taskId, { offset, styled: true }), screen);
      }
      // The size lasts, until a command asks for another one than before.
      assert.equal((await run("stty size")).output, "10 60\r\n");
      const after = await run("stty size", { pty: { columns: 100, rows: 30 } });
      assert.equal(after.output, "30 100\r\n");
      assert.deepEqual((await runtime.screen(after.taskId)).size, { columns: 100, rows: 30 });
    });
  });

  describe(`a session with ${shell} that runs some commands on a terminal, and others not`, () => {
    it("has one shell for both, and gets another one when the first terminal is asked for", async () => {
      const { run, all } = await terminalSession({}, { shell });
      const piped = { pty: false, executor: "shell" } as const;
      await run("cd /tmp; export A='a  b' PATH=$PATH:/x; b=2; f() { echo f; }", piped);
      const { output } = await run(
        'pwd; echo "$A" ${b-none} $TERM; f 2>/dev/null; echo ${PATH##*:}',
      );
      assert.equal(output, "/tmp\r\na  b none xterm-256color\r\n/x\r\n");
      const [reset] = all("session.reset");
      assert.match(reset?.reason ?? "", /asked for its terminal/);
      // What commands had set before is known of the new shell as well.
      const { state } = all("session.stateReported").at(-1) ?? {};
      assert.deepEqual([state?.functions, state?.variables], [[], ["A", "PATH"]]);
      await run("b=3; f() { echo f; }");
      const back = await run("test -t 1; echo $? $b; f; echo $$", piped);
      assert.match(back.output, /^1 3\nf\n\d+\n$/);
      assert.equal((await run("echo $$")).output, `${back.output.split("\n")[2]}\r\n`);
      assert.equal(all("session.reset").length, 1);
    });
  });

  describe(`the ${shell} of a session on a terminal`, () => {
    const ends = {
      "exit 3": exited(3),
      "exec true": exited(0),
      "sleep 300 & kill -STOP $!; exit 5": exited(5),
      "exec bash -c 'exit 4'": exited(4),
      "kill -9 $$": { type: "signaled", signal: "SIGKILL", by: "unknown", coreDump: false },
    };
    for (const [line, outcome] of Object.entries(ends)) {
      it(`is replaced after "${line}", with what is lost`, async () => {
        const { run, all } = await terminalSession({}, { shell });
        await run("cd /tmp; export A=1; f() { echo f; }");
        const result = await run(line);
        assert.deepEqual(result.outcome, outcome);
        const next = await run("echo $A; pwd; f 2>/dev/null");
        assert.equal(next.output, "1\r\n/tmp\r\n");
        assert.equal(all("session.reset").length, 1);
      });
    }

    it("ends with a command that is timed out, and leaves nothing of it", async () => {
      const { run, all } = await terminalSession({}, { shell });
      const what = `sleep ${uniqueSeconds()}`;
      await run("export A=1");
      const { outcome, output } = await run(`${what}; echo never; ${what}`, { timeoutMs: 300 });
      // What zsh may still say itself.
      const shown = output.replace(/^zsh: hangup .*\r\n/, "");
      assert.deepEqual([outcome, shown], [{ type: "timedOut", limitMs: 300 }, ""]);
      assert.deepEqual(living(what), []);
      assert.equal((await run("echo $A")).output, "1\r\n");
      assert.equal(all("session.reset").length, 1);
    });

    it("has the output of what the line left running without a job", async () => {
      const { run, runtime } = await terminalSession({}, { shell });
      for (
        const line of ["(seq 1 2000 &)", "seq 1 2000 > >(cat)", "bash -c 'seq 1 2000 > >(cat)'"]
      ) {
        const { taskId } = await run(line);
        await until(() => runtime.tasks.current.byId.get(taskId)?.closed === true);
        const bytes = Array.from({ length: 2_000 }, (_, i) => `${i + 1}\r\n`).join("").length;
        assert.equal((await outputOf(runtime, taskId)).length, bytes, line);
      }
      const { wait, open } = gate();
      const { taskId, leftovers } = await run(`({ ${wait}; echo late; } &)`);
      assert.ok(leftovers.length > 0);
      open();
      await until(() => runtime.tasks.current.byId.get(taskId)?.closed === true);
      assert.equal(await outputOf(runtime, taskId), "late\r\n");
    });

    it("tells what one command left from what the next one does", async () => {
      const { run, runtime } = await terminalSession({}, { shell });
      const loop = "while :; do sleep 0.05; done";
      for (const line of [`(${loop} &)`, `exec 3> >(${loop})`]) {
        const { taskId, leftovers } = await run(line);
        assert.ok(leftovers.length > 0, line);
        for (let i = 0; i < 5; i++) assert.deepEqual((await run("true")).leftovers, [], line);
        await runtime.stop(taskId);
      }
    });

    it("stays with a command that goes on in the background", async () => {
      const { run, start, runtime } = await terminalSession({}, { shell });
      const { wait, open } = gate();
      await run("export A=1; b=2");
      const it = await start(`echo begun; ${wait}; echo $b`);
      await it.shows(/begun/);
      runtime.promote(it.taskId, "user");
      assert.equal((await run("echo $A ${b-gone}")).output, "1 gone\r\n");
      assert.match(await it.text(), /begun/);
      open();
      await until(() => runtime.tasks.current.byId.get(it.taskId)?.closed === true);
      assert.equal(await outputOf(runtime, it.taskId), "begun\r\n2\r\n");
      assert.equal((await run("echo $A")).output, "1\r\n");
    });
  });
}

describe("the terminal of a session", () => {
  it("is not that of another session", async () => {
    const world = await terminalWorld();
    const [one, two] = await Promise.all([
      terminalSession({}, { world }),
      terminalSession({}, { world }),
    ]);
    await Promise.all([one.run("a=1; cd /"), two.run("a=2; cd /tmp")]);
    const [first, second] = await Promise.all([
      one.run("echo $a $(pwd); tty"),
      two.run("echo $a $(pwd); tty"),
    ]);
    assert.match(first.output, /^1 \/\r\n/);
    assert.match(second.output, /^2 \/tmp\r\n/);
    assert.notEqual(first.output.split("\r\n")[1], second.output.split("\r\n")[1]);
  });
});

describe("the bash of a session on a terminal, alone", () => {
  it("survives what ends other shells: set -n, an error, break, return and another PROMPT_COMMAND", async () => {
    const { run, all } = await terminalSession();
    const lines = {
      "a=1; set -n": exited(0),
      ": ${x:?no}; echo on": exited(1),
      "while :; do break 9; done; break": exited(0),
      "continue 2": exited(0),
      "PROMPT_COMMAND='echo hi'": exited(0),
      "set -u; echo $y": exited(1),
      "return 3": exited(2),
    };
    for (const [line, outcome] of Object.entries(lines)) {
      const result = await run(line);
      assert.deepEqual(result.outcome, outcome, line);
      assert.equal((await run("echo $a")).output, "1\r\n", line);
    }
    assert.deepEqual(all("session.reset"), []);
  });

  it("is replaced when it cannot report any more", async () => {
    const { run, all } = await terminalSession();
    for (
      const line of [
        "readonly __sf_k",
        "enable -n printf",
        "enable -n builtin",
        "readonly PROMPT_COMMAND=x; kill -INT $$",
      ]
    ) {
      await run("a=1");
      await run(line);
      assert.equal((await run("echo ${a-gone}")).output, "gone\r\n", line);
    }
    assert.equal(all("session.reset").length, 4);
  });

  it("is replaced when it cannot begin a command, and keeps no history of a person", async () => {
    const { run } = await terminalSession();
    await run("enable -n eval");
    await run("true");
    assert.equal((await run("echo on")).output, "on\r\n");
    assert.equal((await run("history | wc -l; echo ${HISTFILE-}")).output, "0\r\n\r\n");
  });

  it("takes with it what has shed its mark and its session, and holds the terminal alone", async () => {
    const { run, runtime } = await terminalSession({}, { world: await terminalWorld() });
    const what = `sleep ${uniqueSeconds()}`;
    const escape = async () => {
      await run(`(env -i setsid ${what} &)`);
      await until(() => hasStarted(what));
    };
    await escape();
    await run("exec true");
    await until(() => living(what).length === 0);
    await escape();
    await runtime.close();
    await until(() => living(what).length === 0);
  });
});

describe("the zsh of a session on a terminal, alone", { skip: !SHELLS.includes("zsh") }, () => {
  it("survives an error, break, return, set -e, a readonly variable and hooks of a prompt", async () => {
    const { run, all } = await terminalSession({}, { shell: "zsh" });
    const lines = {
      "typeset -r a=1; set -n": exited(1),
      "a=2; echo on": exited(1),
      ": ${x:?no}; echo on": exited(1),
      "echo 'no end": exited(1),
      "while :; do break 9; done": exited(0),
      "PROMPT='%# '; precmd() { echo hi; }; precmd_functions=(f); preexec() { echo hi; }; TMOUT=1":
        exited(0),
      "set -u; echo $y": exited(1),
      "return 3": exited(3),
      "set -x; set +x": exited(0),
      "exec 2>/dev/null >&2 </dev/null; echo hidden": exited(0),
    };
    for (const [line, outcome] of Object.entries(lines)) {
      const result = await run(line);
      assert.deepEqual(result.outcome, outcome, line);
      const next = await run("echo $? $a $0");
      assert.equal(next.output, `${result.exitCode} 1 zsh\r\n`, line);
    }
    assert.deepEqual(all("session.reset"), []);
  });

  it("is replaced when it cannot report any more, or begin a command", async () => {
    const { run, all } = await terminalSession({}, { shell: "zsh" });
    for (const line of ["builtin() { :; }", "alias -g always=x; true"]) {
      await run("a=1");
      // The order is a file that is sourced: no part of it runs but the one that is meant to.
      const cwd = scratch();
      await run(`echo x >>ran; ${line}`, { cwd });
      assert.deepEqual([readdirSync(cwd), readFileSync(join(cwd, "ran"), "utf8")], [
        ["ran"],
        "x\n",
      ]);
      await run("true");
      assert.equal((await run("echo ${a-gone}")).output, "gone\r\n", line);
    }
    assert.equal(all("session.reset").length, 2);
  });
});
