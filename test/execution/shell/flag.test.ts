import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import { setTimeout } from "node:timers/promises";
import { hostShells } from "../../../src/platform/shell/host-shells.ts";
import { canLookClosely } from "../../../src/platform/shell/look-closely.ts";
import { cleanUp } from "../../clean-up.ts";
import { gate } from "../../gate.ts";
import { until } from "../../until.ts";
import { isThere } from "../world.ts";
import { seat, startShells } from "./shells.ts";

const reports: string[] = [];
const label = `shellflow-test-${process.pid}-flag-`;
const real = hostShells(label);
const { executor } = startShells({
  runtimeId: label,
  shells: {
    ...real,
    start: (spec, events) =>
      real.start(spec, {
        ...events,
        report: (text) => {
          reports.push(text);
          events.report(text);
        },
      }),
  },
});
cleanUp(() => executor.close());

const ENV = { PATH: "/usr/local/bin:/usr/bin:/bin" };
const FUNCTION = "git() { :; }";

/** What could make more of a plain line: lines before it, and the line. */
const WAYS: Readonly<Record<string, readonly [before: string, line?: string]>> = {
  "a function in its place": [`echo() { ${FUNCTION}; }`],
  "a function in the place of what evaluates it": [
    `builtin() { ${FUNCTION}; command builtin "$@"; }`,
  ],
  "an alias in its place": [`shopt -s expand_aliases; alias echo='${FUNCTION}; echo'`],
  "a trap on every command": [`trap '${FUNCTION}' DEBUG`],
  "a trap on failure": [`trap '${FUNCTION}' ERR`, "false"],
  "a trap on the end": [`trap '${FUNCTION}' EXIT; set -e`, "false"],
  "a trap on a signal": [`trap '${FUNCTION}' USR1; (kill -USR1 $$) & wait`],
  "a prompt for what is traced": [`PS4='$(echo a)'; set -x`],
  "assignments anywhere in a line": ["set -k -o posix", ": PATH=/nowhere"],
  "a reference to what its last word is kept in": ["declare -n _=PATH", "echo /nowhere"],
  "a handler of what is not found": [
    `command_not_found_handle() { ${FUNCTION}; }; enable -n echo; PATH=/nowhere`,
  ],
  "a program in its place": ["enable -n echo"],
  "a function of the driver's name": ["function __sf_a/b { :; }; function __sf_ { :; }"],
  "a readonly function of the driver's own name": [`__sf_q() { ${FUNCTION}; }; readonly -f __sf_q`],
  "an alias of the driver's own name": [
    `shopt -s expand_aliases; alias __sf_q='${FUNCTION}; __sf_q'; false`,
  ],
  "a reference of a name like the driver's": ["declare -n __sf_path=PATH"],
  "a shell that ends at a failure": ["set -e", "false"],
  "a shell that was reborn": [`${FUNCTION}; exit 3`],
};

describe("a flag in place of a report", () => {
  it("is enough for a line that changes nothing", async () => {
    const shell = seat(executor, "/", ENV);
    await shell.done("cd /usr; x=1");
    reports.length = 0;
    for (const [line, code] of [["echo hi", 0], ["false", 1], ["pwd", 0]] as const) {
      const done = await shell.done(line);
      assert.equal(done.code, code);
      assert.deepEqual([done.exited.shell?.cwd, done.exited.shell?.reset], ["/usr", undefined]);
    }
    // Of the failure alone, where anybody can look for a flag.
    assert.equal(reports.length, canLookClosely ? 1 : 3);
    assert.equal((await shell.done("echo $x $?; f() { :; }")).text, "1 0\n");
    assert.deepEqual((await shell.done("echo a")).exited.shell?.state.functions, ["f"]);
    // No trace is left of the function.
    await shell.done("unset -f f");
    reports.length = 0;
    await shell.done("echo a");
    assert.equal(reports.length, canLookClosely ? 0 : 1);
  });

  it("is seen however late it comes, and nothing is looked for after it", async () => {
    const shell = seat(executor, "/", ENV);
    const pid = Number((await shell.done("echo $$")).text);
    for (const line of ["echo late", "false"]) {
      process.kill(pid, "SIGSTOP");
      const driven = shell.run(line);
      // Long enough that nobody stays awake for it.
      await setTimeout(20);
      process.kill(pid, "SIGCONT");
      assert.equal((await driven.exited).outcome.type, "exited");
      assert.equal(driven.text(), line === "false" ? "" : "late\n");
    }
    assert.equal((await shell.done("echo next")).text, "next\n");
  });

  it("is told of a line that writes more than a pipe holds", async () => {
    const shell = seat(executor, "/", ENV);
    const line = `printf '${"a".repeat(1_000)}%s' ${"x ".repeat(1_000)}`;
    const done = await shell.done(line);
    assert.deepEqual([done.code, done.text.length], [0, 1_001_000]);
  });

  it("is not told to a command that was stopped before", async () => {
    const shell = seat(executor, "/", ENV);
    const pid = Number((await shell.done("echo $$")).text);
    process.kill(pid, "SIGSTOP");
    const driven = shell.run("echo never", {
      onEvent: ({ type }, id) =>
        void (type === "execution.started" && executor.send(id, { type: "stop", by: "stop" })),
    });
    assert.equal((await driven.exited).outcome.type, "signaled");
    const next = shell.run("echo next");
    process.kill(pid, "SIGCONT");
    await next.exited;
    assert.deepEqual([driven.text(), next.text()], ["", "next\n"]);
  });

  it("is not asked for where the directory has another name by now", async () => {
    const shell = seat(executor, "/", ENV);
    await shell.done('cd "$(mktemp -d)"; mkdir a; cd a; true');
    const before = shell.cwd();
    const elsewhere = seat(executor, "/", ENV);
    await elsewhere.done(`mv ${before} ${before}2`);
    const { exited } = await shell.done("echo a");
    assert.equal(exited.outcome.type, "spawnFailed");
    assert.equal(exited.shell?.cwd, `${before}2`);
    assert.equal((await shell.done("echo a")).text, "a\n");
    // What has its name by now is where a line for that is to run.
    await elsewhere.done(`mv ${before}2 ${before}3; mkdir ${before}2`);
    assert.equal((await shell.done("echo a; touch here")).text, "a\n");
    assert.equal(
      (await elsewhere.done(`ls ${before}2 ${before}3`)).text.includes("3:\nhere"),
      false,
    );
    assert.equal((await elsewhere.done(`ls ${before}2`)).text, "here\n");
    await shell.done('cd ..; rm -r a2 a3; rmdir "$PWD"');
  });

  it("is not asked for where there is a new directory in the place of the one it is in", async () => {
    const shell = seat(executor, "/", ENV);
    await shell.done('cd "$(mktemp -d)"; mkdir a; cd a; true');
    const elsewhere = seat(executor, "/", ENV);
    for (const line of ["echo a", "touch here"]) {
      await elsewhere.done(`rm -r ${shell.cwd()}; mkdir ${shell.cwd()}`);
      assert.equal((await shell.done(line)).code, 0);
    }
    assert.equal((await elsewhere.done(`ls ${shell.cwd()}`)).text, "here\n");
    await shell.done('cd ..; rm -r a; rmdir "$PWD"');
  });

  for (const [what, [before, line = "echo hi"]] of Object.entries(WAYS)) {
    it(`hides nothing after ${what}`, async () => {
      const shell = seat(executor, "/", ENV);
      await shell.done(before);
      const told = await shell.done(line);
      // An expansion: a line that is told of in full.
      const known = await shell.done(': "$PPID"');
      assert.deepEqual(told.exited.shell?.state, known.exited.shell?.state);
    });
  }

  it("hides nothing after a trap on a child's end, which comes while no command runs", async () => {
    const shell = seat(executor, "/", ENV);
    const { wait, open } = gate();
    const { text } = await shell.done(`trap '${FUNCTION}' CHLD; { ${wait}; } & echo $!`);
    open();
    // Once the shell has collected it the trap is due; it may not come between the two lines.
    await until(() => !isThere(Number(text)));
    const told = await shell.done("echo hi");
    const known = await shell.done(': "$PPID"');
    assert.deepEqual(told.exited.shell?.state, known.exited.shell?.state);
    assert.deepEqual(known.exited.shell?.state.functions, ["git"]);
  });

  it("is not asked for where what keeps the code was exported, be it by an option that is off again", async () => {
    for (const before of [["set -a", "set +a"], ["export __sf_rc"]]) {
      const shell = seat(executor, "/", ENV);
      for (const line of [...before, "true"]) await shell.done(line);
      assert.equal((await shell.done("false")).code, 1);
      assert.equal((await shell.done("true")).code, 0);
    }
  });

  it("hides nothing of functions that came with the environment", async () => {
    const shell = seat(executor, "/", { ...ENV, "BASH_FUNC_echo%%": `() { ${FUNCTION}; }` });
    await shell.done("pwd");
    const told = await shell.done("echo hi");
    const known = await shell.done(': "$PPID"');
    assert.deepEqual(told.exited.shell?.state, known.exited.shell?.state);
  });
});
