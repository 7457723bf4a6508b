import assert from "node:assert/strict";
import { realpathSync } from "node:fs";
import { describe, it } from "node:test";
import { scratch } from "../../event/scratch.ts";
import { gate } from "../../gate.ts";
import { hasStarted, living, uniqueSeconds } from "../../execution/world.ts";
import { sized } from "../../sized.ts";
import { until } from "../../until.ts";
import { isHere, terminalSession } from "./session-world.ts";

const exited = (code: number) => ({ type: "exited", code });
const interrupted = { type: "exited", code: 130, guessedSignal: "SIGINT" };
const fishSession = () => terminalSession({}, { shell: "fish" });
/** What waits in a program until it is opened; `_` cannot be read into in fish. */
const doorway = () => {
  const { wait, open } = gate();
  return { wait: wait.replace("read _", "head -n 1 >/dev/null"), open };
};

describe("a session on a terminal, with fish", { skip: !isHere("fish") }, () => {
  it("keeps directory, variables, functions and jobs from command to command", async () => {
    const { run, all } = await fishSession();
    const directory = realpathSync(scratch());
    const first = await run(
      `cd ${directory}; and set -gx A 1; set b 2 'two  words'; function f; echo "f $argv"; end`,
    );
    assert.deepEqual([first.outcome, first.output, first.cwd.after], [exited(0), "", directory]);
    await run("sleep 300 &; function g; return 3; end; g");
    const { output } = await run(
      'echo $status $A $b[2]; pwd; f x; jobs -p | wc -l; bash -c "echo $A"',
    );
    assert.equal(output, `3 1 two  words\r\n${directory}\r\nf x\r\n1\r\n1\r\n`);
    const { state } = all("session.stateReported").at(-1) ?? {};
    assert.deepEqual([state?.functions, state?.variables], [["f", "g"], ["A"]]);
    const started = all("execution.started");
    assert.equal(new Set(started.map(({ pid }) => pid)).size, 1);
    assert.deepEqual(started[0]?.executor, "terminalShell");
    assert.equal((await run("kill $last_pid; wait; echo on")).output, "on\r\n");
  });

  it("has one terminal, whose size it knows, for the standard input and both outputs", async () => {
    const { run } = await fishSession();
    const { output } = await run(
      "tty; test -t 0 -a -t 1 -a -t 2; echo $status; echo w >&0; echo e >&2",
    );
    assert.match(output, /^\/dev\/pts\/\d+\r\n0\r\nw\r\ne\r\n$/);
    assert.equal((await run("tty")).output, output.slice(0, output.indexOf("0\r\nw")));
    const shown = await run("stty size; echo $LINES $COLUMNS; status is-interactive", {
      pty: { columns: 100, rows: 30 },
    });
    assert.deepEqual([shown.output, shown.outcome], ["30 100\r\n30 100\r\n", exited(0)]);
  });

  it("knows the size that it gets while a program has its terminal", async () => {
    const { start, run, runtime } = await fishSession();
    const { wait, open } = doorway();
    const it = await start(`sh -c "echo on; ${wait}"; stty size; echo $LINES $COLUMNS`);
    await it.shows(/on/);
    await runtime.resize(it.taskId, { columns: 60, rows: 10 });
    open();
    assert.equal((await it.result).output, "on\r\n10 60\r\n10 60\r\n");
    assert.equal((await run("echo $LINES $COLUMNS")).output, "10 60\r\n");
  });

  it("has the output of each command exactly, without prompt, greeting, title and marks", async () => {
    const { run } = await fishSession();
    const results = [];
    for (let i = 0; i < sized(10, 100); i++) {
      results.push((await run(`head -c 8192 /dev/zero | tr '\\0' x; printf %s ${i}`)).output);
    }
    assert.deepEqual(results, results.map((_, i) => `${"x".repeat(8192)}${i}`));
    const much = await run("head -c 3000000 /dev/zero | tr '\\0' y");
    assert.equal(much.totalBytes, 3_000_000);
    const lines = await run("for i in 1 2\n  echo $i # a comment\nend\necho 'a\n\\'b'\\\nc\n#");
    assert.equal(lines.output, "1\r\n2\r\na\r\n'bc\r\n");
  });

  it("takes a forged mark for output, and has no nonce in its variables", async () => {
    const { run } = await fishSession();
    const forged = `\\e]633;D;${"0".repeat(32)}\\a\\e]633;C;${"A".repeat(32)}\\a`;
    const { output } = await run(`printf 'a${forged}b'; printf '\\e]633;D;0\\ac'`);
    const shown = forged.replaceAll("\\e", "\x1b").replaceAll("\\a", "\x07");
    assert.equal(output, `a${shown}b\x1b]633;D;0\x07c`);
    const seen = await run("set; env; functions --all __sf_c __sf_i; trap");
    assert.doesNotMatch(seen.output, /[0-9A-F]{32}/);
  });

  it("gives what background processes write later to their command, or else to the next", async () => {
    const { run, start, runtime } = await fishSession();
    const [late, end] = [doorway(), doorway()];
    const line = `sh -c "${late.wait}; printf late; ${late.wait}; printf later" &; printf now`;
    const first = await run(line);
    assert.equal(first.output, "now");
    assert.equal(first.leftovers.length > 0, true);
    const sizeOf = () => runtime.tasks.current.byId.get(first.taskId)?.totalBytes;
    late.open();
    await until(() => sizeOf() === 7);
    const next = await start(`printf next; ${end.wait}`);
    await next.shows(/next/);
    late.open();
    await next.shows(/nextlater/);
    end.open();
    assert.equal((await next.result).output, "nextlater");
    await until(() => runtime.tasks.current.byId.get(first.taskId)?.closed === true);
  });

  it("holds for one command its own directory and variables", async () => {
    const { run } = await fishSession();
    await run("cd /");
    const own = { cwd: "/tmp", env: { A: "it's\n\\1", PATH: `${process.env["PATH"]}:/x` } };
    const { output } = await run('pwd; printenv A; echo $PATH[-1]; set A 2; set b "$A"', own);
    assert.equal(output, "/tmp\r\nit's\r\n\\1\r\n/x\r\n");
    assert.equal(
      (await run("pwd; set -q A; echo $status $b $PATH[-1]")).output,
      "/\r\n1 2 /bin\r\n",
    );
  });

  it("survives errors, unfinished lines, break and return, and shows their code to the next", async () => {
    const { run, all } = await fishSession();
    await run("set a 1");
    const lines: Readonly<Record<string, RegExp>> = {
      "begin; echo no": /Missing end/,
      "echo 'no": /quotes are not balanced/,
      'echo "no': /quotes are not balanced/,
      "echo no \\": /incomplete escape/,
      "echo no )": /Unexpected '\)'/,
      "end": /outside of a block/,
      "no-such-program": /Unknown command: no-such-program/,
      "exec no-such-program": /Unknown command: no-such-program/,
      "return 3; echo no": /^$/,
      "function f; return 4; end; f": /^$/,
      "set -g __sf_r /dev/null; set -e __sf_n": /^$/,
      "set -e fish_function_path; set -g IFS; function fish_prompt; echo no; end": /^$/,
      "for f in true exit printf source functions cd; function $f; builtin echo no; end; end": /^$/,
    };
    for (const [line, shown] of Object.entries(lines)) {
      const { output, exitCode } = await run(line);
      assert.match(output, shown, line);
      assert.doesNotMatch(output, /^no\r/m, line);
      assert.equal((await run("echo $status $a")).output, `${exitCode} 1\r\n`, line);
    }
    assert.match((await run("for i in 1 2; builtin break; end; break; echo on")).output, /on\r\n$/);
    assert.equal((await run("echo $a")).output, "1\r\n");
    assert.deepEqual(all("session.reset"), []);
  });

  it("has no shell over pipes: without a terminal, a command has a process of its own", async () => {
    const { run, all } = await fishSession();
    await run("set a 1; cd /tmp");
    const { output } = await run('pwd; echo "[$a]"', { pty: false, executor: "shell" });
    assert.equal(output, "/tmp\n[]\n");
    assert.match(all("execution.fellBack")[0]?.reason ?? "", /its own messages ignore/);
    assert.equal((await run("echo $a")).output, "1\r\n");
  });
});

describe("the fish of a session on a terminal", { skip: !isHere("fish") }, () => {
  const ends = {
    "exit 3": exited(3),
    "function f; exit 129; end; f": { type: "exited", code: 129, guessedSignal: "SIGHUP" },
    "exec true": exited(0),
    "sleep 300 &; kill -STOP $last_pid; exit 5": exited(5),
    "exec bash -c 'exit 4'": exited(4),
    "kill -9 $fish_pid": { type: "signaled", signal: "SIGKILL", by: "unknown", coreDump: false },
    "functions -e __sf_c": exited(0),
    // It cannot list what it exports any more.
    "set -g fish_read_limit 9": exited(0),
  };
  for (const [line, outcome] of Object.entries(ends)) {
    it(`is replaced after "${line}", with what is lost`, async () => {
      const { run, all } = await fishSession();
      await run("cd /tmp; set -gx A it\\'s 'a  b' \\n; set -gx E; set b 1");
      const result = await run(line);
      assert.deepEqual(result.outcome, outcome);
      const next = await run("printf '[%s]' $A; printenv E; pwd; set -q b; or echo 'no b'");
      assert.equal(next.output, "[it's][a  b][\r\n]\r\n/tmp\r\nno b\r\n");
      assert.equal(all("session.reset").length, 1);
    });
  }

  it("ends with a command that is timed out, and leaves nothing of it", async () => {
    const { run, all } = await fishSession();
    const what = `sleep ${uniqueSeconds()}`;
    await run("set -gx A 1");
    const { outcome, output } = await run(`${what}; echo never; ${what}`, { timeoutMs: 300 });
    assert.deepEqual([outcome, output], [{ type: "timedOut", limitMs: 300 }, ""]);
    assert.deepEqual(living(what), []);
    assert.equal((await run("echo $A")).output, "1\r\n");
    assert.equal(all("session.reset").length, 1);
  });

  it("stays with a command that goes on in the background", async () => {
    const { run, start, runtime } = await fishSession();
    const { wait, open } = doorway();
    await run("set -gx A 1; set b 2");
    const it = await start(`echo begun; ${wait}; echo $b`);
    await it.shows(/begun/);
    runtime.promote(it.taskId, "user");
    assert.equal((await run('echo $A "[$b]"')).output, "1 []\r\n");
    open();
    await until(() => runtime.tasks.current.byId.get(it.taskId)?.closed === true);
    const { bytes } = await runtime.read(it.taskId);
    assert.equal(new TextDecoder().decode(bytes), "begun\r\n2\r\n");
  });
});

describe("what is typed in a session with fish on a terminal", { skip: !isHere("fish") }, () => {
  it("reaches a builtin of the shell itself, and Ctrl-C there ends the builtin", async () => {
    const { start, run } = await fishSession();
    const it = await start("read -P 'Name? ' name");
    assert.equal((await it.waits()).prompt, "Name?");
    await it.type("me{enter}");
    const { outcome, output } = await it.result;
    assert.deepEqual(outcome, exited(0));
    // No title of the terminal.
    assert.ok(!output.includes("\x1b]0;") && !output.includes("\x1b]2;"));
    const left = await start("read other; echo on $status");
    await left.waits();
    await left.type("{ctrl-c}");
    assert.equal((await left.result).outcome.type, "exited");
    assert.equal((await run("echo $name; stty -a | grep -c ' echo '")).output, "me\r\n1\r\n");
  });

  it("ends by Ctrl-C the program in the foreground and its line, or the line alone", async () => {
    const { run, start, all } = await fishSession();
    await run("set a 1");
    const what = `sleep ${uniqueSeconds()}`;
    for (
      const line of [
        `${what}; echo never`,
        `while true; ${what}; end`,
        `echo (${what}); echo never`,
      ]
    ) {
      const it = await start(line);
      await until(() => hasStarted(what));
      await it.type("{ctrl-c}");
      const { outcome, output } = await it.result;
      assert.deepEqual([outcome, output], [interrupted, "^C"], line);
      assert.equal((await run("echo $status $a")).output, "130 1\r\n");
      await until(() => living(what).length === 0);
    }
    // Here fish before 4.8 goes on with the line.
    for (const inner of ["function f; $argv; end; f", "begin; $argv; end 2>/dev/null"]) {
      const it = await start(inner.replace("$argv", what));
      await until(() => hasStarted(what));
      await it.type("{ctrl-c}");
      assert.deepEqual((await it.result).outcome, interrupted, inner);
      assert.equal((await run("echo $status $a")).output, "130 1\r\n");
      await until(() => living(what).length === 0);
    }
    assert.equal((await run("exit 130")).exitCode, 130);
    const loop = await start("echo on; while true; end; echo never");
    await loop.shows(/on/);
    await loop.type("{ctrl-c}{ctrl-c}{ctrl-c}");
    assert.match((await loop.result).output, /^on\r\n(?:\^C)+$/);
    for (let i = 0; i < 10; i++) {
      const short = await start("sleep 0.01");
      const typed = short.type("{ctrl-c}").catch(() => {});
      await short.result;
      await typed;
    }
    assert.match((await run("echo $a here")).output, /1 here\r\n$/);
    assert.deepEqual(all("session.reset"), []);
  });

  it("stops by Ctrl-Z a program, which another command brings back", async () => {
    const { run, start } = await fishSession();
    const it = await start("cat");
    await it.waits();
    await it.type("one{enter}{ctrl-z}");
    await it.result;
    assert.match((await run("jobs")).output, /stopped\tcat\r\n$/);
    const again = await start("fg");
    await again.waits();
    await again.type("two{enter}{ctrl-d}");
    const { outcome, output } = await again.result;
    assert.deepEqual(outcome, exited(0));
    assert.match(output, /two\r\ntwo\r\n$/);
  });

  it("is dropped where its command does not read it, and settings of the terminal with it", async () => {
    const { run, start } = await fishSession();
    const { wait, open } = doorway();
    const it = await start(`set a 1; ${wait.replace("head", "command head")}`);
    await it.type("echo typed ahead{enter}and more");
    await it.shows(/and more/);
    open();
    await it.result;
    const next = await run("bash -c 'IFS= read -r -t 0.2 -N 5 x; echo \"[$x]\"'; echo $a");
    assert.equal(next.output, "[]\r\n1\r\n");
    assert.equal((await run("stty raw -echo; bash -c 'kill -9 $$'")).exitCode, 137);
    const { output } = await run("stty -a | command grep -o -w -e echo -e icanon -e opost");
    assert.equal(output, "opost\r\nicanon\r\necho\r\n");
  });
});
