import assert from "node:assert/strict";
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { RunCommandOptions } from "../../src/cli/run/run-options.ts";
import { sessionRequest } from "../../src/cli/session/session-request.ts";
import { checkedLine } from "../../src/event/log/segment.ts";
import { isSessionName } from "../../src/runtime/control/session-name.ts";
import { scratch } from "../event/scratch.ts";
import { stateDirectory } from "./session-world.ts";
import { shellflow } from "./shellflow.ts";

describe("shellflow run --session", () => {
  it("runs one command after the other in one host, and reports each as without a session", async () => {
    const state = stateDirectory();
    const cwd = scratch();
    const first = await state.cli(["run", "--session", "work", "--", "echo one; pwd"], { cwd });
    assert.deepEqual([first.code, first.out, first.err], [0, `one\n${cwd}\n`, ""]);
    const host = await state.host();
    assert.ok(host !== undefined);

    // From elsewhere: the session stays where it is.
    const elsewhere = await state.cli(["run", "--session", "work", "--", "pwd; exit 3"]);
    assert.deepEqual([elsewhere.code, elsewhere.out], [3, `${cwd}\n`]);
    const there = ["run", "--session", "work", "--cwd", "/", "--env", "WORD=a b"] as const;
    const given = await state.cli([...there, "--", 'pwd; echo "$WORD"']);
    assert.deepEqual([given.code, given.out], [0, "/\na b\n"]);
    const after = await state.cli(["run", "--session", "work", "--", 'pwd; echo "${WORD-unset}"']);
    assert.deepEqual([after.code, after.out], [0, `${cwd}\nunset\n`]);

    const late = ["--session", "work", "--timeout", "0.2", "--", "sleep 72.5"];
    const timeout = await state.cli(["run", ...late]);
    assert.equal(timeout.code, 124);
    assert.match(timeout.err, /Timed out after 0\.2 s/);
    assert.equal(await state.host(), host);
  });

  it("says that its commands do not get what is piped into it", async () => {
    const state = stateDirectory();
    const ran = await state.cli(["run", "--session", "in", "--", "wc -c"], { connected: true });
    assert.deepEqual([ran.code, ran.out.trim()], [0, "0"]);
    assert.match(ran.err, /^Standard input is not passed on: a command of a session has none\./);
    const detached = await state.cli(["run", "--detach", "--", ":"], { connected: true });
    assert.match(detached.err, /^Standard input is not passed on: a detached command has none\./);
  });

  it("keeps what a shell has: its directory, its variables, its functions and its jobs", async () => {
    const state = stateDirectory();
    const cwd = scratch();
    const inner = join(cwd, "inner");
    const run = (...args: string[]) => state.cli(["run", "--session", "sh", ...args], { cwd });
    const first = await run(
      ...["--output-format", "json", "--"],
      "mkdir inner; cd inner; X=5; export Y=6; f() { echo $X; }; sleep 72.6 &",
    );
    const result = JSON.parse(first.out);
    assert.equal(first.code, 0, first.err);
    assert.deepEqual(result.cwd, { before: cwd, after: inner });
    assert.equal(result.leftovers.length, 1);
    const next = await run("--", "pwd; f; printenv Y; jobs -p; kill %1; exit 7");
    assert.deepEqual([next.code, next.out], [7, `${inner}\n5\n6\n${result.leftovers[0].pid}\n`]);
    // What one shell loses is reported; what goes over to the next one is there.
    assert.match(next.err, /^The shell of session "sh" was replaced: .*; lost are its .*jobs/);
    const after = await run("--cwd", cwd, "--", "pwd; printenv Y; type -t f || :");
    assert.deepEqual([after.code, after.out, after.err], [0, `${cwd}\n6\n`, ""]);
    assert.deepEqual((await run("--", "pwd")).out, `${inner}\n`);
  });

  it("prints one object as JSON, or each event and that object last", async () => {
    const state = stateDirectory();
    const cwd = scratch();
    const format = (name: string) => ["--session", "j", "--output-format", name] as const;
    const json = await state.cli(["run", ...format("json"), "--", "echo x; exit 4"], { cwd });
    const result = JSON.parse(json.out);
    assert.equal(json.code, 4);
    assert.deepEqual([result.sessionId, result.output, result.exitCode], ["j", "x\n", 4]);
    assert.deepEqual(result.cwd, { before: cwd, after: cwd });
    const stream = await state.cli(["run", ...format("stream-json"), "--", "echo y"], { cwd });
    const lines = stream.out.trimEnd().split("\n").map((line) => JSON.parse(line));
    const types = lines.slice(0, -1).map(({ event }) => event.type);
    assert.equal(types[0], "command.requested");
    for (const type of ["permission.granted", "output.appended", "execution.exited"]) {
      assert.equal(types.filter((found) => found === type).length, 1, type);
    }
    assert.deepEqual([lines.at(-1).output, lines.at(-1).sessionId], ["y\n", "j"]);
    assert.ok(!lines.some(({ event }) => event?.commandId === result.taskId));
  });

  it("says what is decided and done, where that is asked for", async () => {
    const state = stateDirectory();
    const run = (...args: string[]) =>
      state.cli(["run", "--session", "v", ...args, "--", "echo x"]);
    const said = await run("--verbose");
    assert.equal(said.out, "x\n");
    assert.match(said.err, /^\+\d+ ms {2}permission\.granted {2}by "mode"$/m);
    assert.match(said.err, /^\+\d+ ms {2}execution\.exited {2}outcome /m);
    assert.equal((await run()).err, "");
    const partial = await run("--output-format", "stream-json", "--include-partial");
    assert.equal(partial.code, 2);
    assert.match(partial.err, /'--include-partial' cannot be used with option '--session <name>'/);
  });

  it("judges each call by the rules of its caller", async () => {
    const state = stateDirectory();
    const cwd = scratch();
    const run = (...args: string[]) => state.cli(["run", "--session", "r", ...args], { cwd });
    const denied = await run("--deny", "Bash(touch *)", "--", "touch file");
    assert.deepEqual([denied.code, denied.out], [126, ""]);
    assert.match(denied.err, /^Cannot run "touch file": .*Bash\(touch \*\)/);
    const asked = await run("--allow", "Bash(ls)", "--", "touch file");
    assert.equal(asked.code, 126);
    assert.match(asked.err, /: no rule covers ".*", and there is no one to ask$/m);
    assert.ok(!existsSync(join(cwd, "file")));
    assert.equal((await run("--allow", "Bash(touch *)", "--", "touch file")).code, 0);
    assert.ok(existsSync(join(cwd, "file")));
    assert.equal((await run("--", "rm file")).code, 0);
    const outside = await run("--allow", "Bash(touch *)", "--", "touch /etc/outside-of-it");
    assert.equal(outside.code, 126);
  });

  it("writes every byte of a long output, in order", async () => {
    const state = stateDirectory();
    const { code, out } = await state.cli(["run", "--session", "l", "--", "seq 1 300000"]);
    assert.equal(code, 0);
    assert.equal(out, Array.from({ length: 300_000 }, (_, i) => `${i + 1}\n`).join(""));
  });

  it("lets one of several starters be the host, and the others its guests", async () => {
    const state = stateDirectory();
    const names = ["a", "b", "c"];
    const all = await Promise.all(
      names.map((name) => state.cli(["run", "--session", name, "--", `echo ${name}`])),
    );
    assert.deepEqual(
      all.map(({ code, out }) => [code, out]),
      names.map((name) => [0, `${name}\n`]),
    );
    const { out } = await state.cli(["ps", "--json"]);
    assert.deepEqual(
      JSON.parse(out).map(({ sessionId }: { sessionId: string }) => sessionId).sort(),
      names,
    );
  });
});

describe("a session whose host is gone", () => {
  it("begins anew by its name, and goes on where it was when that is asked for", async () => {
    const state = stateDirectory();
    const cwd = scratch();
    const inner = join(cwd, "inner");
    const nested = join(cwd, "nested");
    mkdirSync(inner);
    mkdirSync(nested);
    await state.cli(["run", "--session", "old", "--", "true"], { cwd: inner });
    await state.cli(["run", "--session", "other", "--", "true"], { cwd });
    assert.equal((await state.cli(["host", "--stop"])).code, 0);
    assert.equal(await state.host(), undefined);

    const resumed = await state.cli(["run", "--resume", "old", "--", "pwd"], { cwd });
    assert.deepEqual([resumed.code, resumed.out], [0, `${inner}\n`]);
    assert.match(resumed.err, /^Session "old" is resumed in .*inner\n/);
    assert.match(resumed.err, /lost are its variables, exports, functions/);
    const again = await state.cli(["run", "--resume", "old", "--", "pwd"], { cwd });
    assert.deepEqual([again.code, again.out, again.err], [0, `${inner}\n`, ""]);
    await state.stop();

    const last = await state.cli(["run", "--continue", "--", "pwd"], { cwd });
    assert.deepEqual([last.code, last.out], [0, `${inner}\n`]);
    await state.stop();

    const anew = await state.cli(["run", "--session", "old", "--", "pwd"], { cwd });
    assert.deepEqual([anew.code, anew.out], [0, `${cwd}\n`]);
    assert.match(anew.err, /^Session "old" begins anew in .*; --resume old would .*inner\n$/);
    await state.stop();

    rmSync(inner, { recursive: true });
    const { out } = await state.cli(["ps", "--sessions"]);
    assert.match(out, /^SESSION +STATUS +DIRECTORY +LAST COMMAND\nold +gone .*\nother +gone /);
    // It had begun anew in a directory that is there; this one was not so lucky.
    await state.cli(["run", "--session", "lost", "--", "true"], { cwd: nested });
    await state.stop();
    rmSync(nested, { recursive: true });
    const lost = await state.cli(["run", "--resume", "--", "pwd"], { cwd });
    assert.deepEqual([lost.code, lost.out], [1, ""]);
    assert.match(lost.err, /nested": no such directory; the session goes on in ".*"\n/);
    const next = await state.cli(["run", "--resume", "--", "pwd"], { cwd });
    assert.deepEqual([next.code, next.out, next.err], [0, `${cwd}\n`, ""]);
  });
});

it("a command of a session says that its host ended before it", async () => {
  const state = stateDirectory();
  const ended = await state.cli(["run", "--session", "s", "--", "kill $PPID; sleep 72.8"]);
  assert.equal(ended.code, 1);
  assert.match(ended.err, /^Ended with the host of its session$/m);
});

describe("shellflow ps and stop", () => {
  it("name sessions, end one with all that it runs, and the host with the last", async () => {
    const state = stateDirectory();
    await state.cli(["run", "--session", "one", "--", "true"]);
    await state.cli(["run", "--session", "two", "--", "true"]);
    const tasks = await state.cli(["ps"]);
    assert.match(
      tasks.out,
      /^TASK +SESSION +STATUS .*\n\S+ +one +exited 0 .*\n\S+ +two +exited 0 /,
    );
    assert.match((await state.cli(["ps", "--session", "one"])).out, /^TASK.*\n\S+ +one .*\n$/);
    assert.equal((await state.cli(["stop", "--session", "one"])).code, 0);
    const { out } = await state.cli(["ps", "--sessions", "--json"]);
    assert.deepEqual(
      JSON.parse(out).map(({ name, status }: Record<string, string>) => [name, status]),
      [["two", "idle"], ["one", "gone"]],
    );
    assert.equal((await state.cli(["stop", "--session", "two"])).code, 0);
    assert.equal(await state.host(), undefined);
    assert.equal((await state.cli(["stop", "--session", "two"])).code, 0);
    const none = await state.cli(["stop", "--session", "three"]);
    assert.deepEqual([none.code, none.out], [1, ""]);
    assert.match(
      none.err,
      /^Cannot stop session "three": there is no such session; there are two, one\n$/,
    );
    const unknown = await state.cli(["ps", "--session", "three"]);
    assert.deepEqual([unknown.code, unknown.out], [1, ""]);
    assert.match(
      unknown.err,
      /^Cannot list the tasks of session "three": .*; there are two, one\n$/,
    );
  });
});

describe("the directory of sessions", () => {
  it("is the user's own, unless another one is named", async () => {
    const home = scratch();
    const state = stateDirectory(join(home, "shellflow"));
    const env = { XDG_STATE_HOME: home };
    const { code, err } = await shellflow(["run", "--session", "x", "--", "true"], { env });
    assert.equal(code, 0, err);
    assert.ok(await state.host() !== undefined);
    const { out } = await shellflow(["ps", "--sessions"], { env });
    assert.match(out, /^SESSION .*\nx +idle /);
    assert.equal((await shellflow(["stop", "--session", "x"], { env })).code, 0);
    assert.equal(await state.host(), undefined);
  });
});

describe("what cannot be a session", () => {
  const log = join(scratch(), "none");
  const rows: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    ["a name with a slash", ["--session", "a/b"], 2, /argument 'a\/b' is invalid.*letters, digits/],
    ["a name to resume with a blank", ["--resume", "a b"], 2, /argument 'a b' is invalid/],
    ["an unknown name", ["--resume", "who"], 1, /^Cannot resume "who": .*there is none yet\n$/],
    ["nothing to continue", ["--continue"], 1, /^Cannot continue: there is no session yet/],
    [
      "two names",
      ["--session", "a", "--resume", "b"],
      2,
      /'--resume .*cannot be used with.*'--sess/,
    ],
    [
      "two ways",
      ["--continue", "--resume", "b"],
      2,
      /'--resume .*cannot be used with.*'--continue/,
    ],
    ["no directory", ["--session", "a", "--cwd", "/none"], 2, /^Cannot run in "\/none": no such/],
    ["no rule", ["--session", "a", "--allow", "Bash("], 2, /Cannot read the rule "Bash\("/],
  ];
  for (const [title, args, code, message] of rows) {
    it(`is reported and starts no host: ${title}`, async () => {
      const found = await shellflow(["run", "--log", log, ...args, "--", "true"]);
      assert.deepEqual([found.code, found.out], [code, ""], found.err);
      assert.match(found.err, message);
      assert.ok(!existsSync(log));
    });
  }

  it("is what contradicts itself", () => {
    const wish = (options: Partial<RunCommandOptions>) => () =>
      sessionRequest({ outputFormat: "text", ...options });
    assert.equal(wish({})(), undefined);
    assert.throws(wish({ idle: 5 }), /^UsageError: Cannot use --idle 5: it is for sessions/);
    assert.deepEqual(wish({ resume: "a", cwd: "/" })(), {
      name: "a",
      gone: "resume",
      cwd: "/",
    });
  });

  it("is an unknown name, which is reported with the known ones", async () => {
    const state = stateDirectory();
    await state.cli(["run", "--session", "one", "--", "true"]);
    const live = await state.cli(["run", "--resume", "who", "--", "true"]);
    assert.deepEqual([live.code, live.out], [1, ""]);
    assert.match(live.err, /^Cannot resume "who": there is no such session; there are one\n$/);
  });

  it("is reported where no host can be", async () => {
    const below = ["run", "--log", "/etc/passwd/x", "--session", "a", "--", "true"];
    const { code, err } = await shellflow(below);
    assert.equal(code, 1);
    assert.match(err, /^Cannot keep sessions in "\/etc\/passwd\/x": /);
    const nothing = await shellflow(["host", "--stop", "--log", scratch()]);
    assert.equal(nothing.code, 1);
    assert.match(nothing.err, /^Cannot stop the host of ".*": there is none\n$/);
    // A host reports a log that it cannot read to the process that started it.
    const later = scratch();
    writeFileSync(
      join(later, "events-000000000001.ndjson"),
      checkedLine({ shellflow: "events", schema: 99, firstSeq: 1, createdAt: 0 }),
    );
    const unread = await shellflow(["run", "--log", later, "--session", "a", "--", "true"]);
    assert.deepEqual([unread.code, unread.out], [1, ""]);
    assert.match(unread.err, /^Cannot .*: its schema is version 99/);
  });

  it("is a name that runtimes make up, or one of other signs", () => {
    assert.ok(isSessionName("a.B_9-"));
    for (const name of ["", "a b", "a/b", "ä", "x".repeat(101), "session_0123456789ab"]) {
      assert.ok(!isSessionName(name), name);
    }
  });

  it("is the id of a session in the result of one command", async () => {
    const { code, err } = await shellflow(["run", "--resume", "session_0123456789ab", "--", "ls"]);
    assert.equal(code, 2);
    assert.match(err, /ended with its only command: begin one that stays with --session NAME/);
  });
});
