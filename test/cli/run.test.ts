import assert from "node:assert/strict";
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { checkedLine } from "../../src/event/log/segment.ts";
import { living } from "../execution/world.ts";
import { until } from "../until.ts";
import { shellflow, spawned, startCli } from "./shellflow.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-cli-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

describe("shellflow run", () => {
  it("prints both streams in order and exits with the command's code", async () => {
    const line = "echo a; echo b > /dev/stderr; echo c > /dev/stdout; exit 3";
    const { code, out } = await shellflow(["run", "--", line]);
    assert.deepEqual([code, out], [3, "a\nb\nc\n"]);
  });

  it("keeps both streams apart where that is wanted", async () => {
    const line = "for i in 1 2 3; do echo out $i; echo err $i >&2; done; printf x; printf é >&2";
    const { code, out, err } = await shellflow(["run", "--split", "--", line]);
    assert.deepEqual([code, out, err], [0, "out 1\nout 2\nout 3\nx", "err 1\nerr 2\nerr 3\né"]);
    const much = await shellflow(["run", "--split", "--", "seq 200000 & seq 200000 >&2; wait"]);
    assert.ok(much.out === much.err && much.out.endsWith("\n200000\n"));
    const json = ["run", "--split", "--output-format", "json", "--", "echo a; echo b >&2"];
    const { streams } = JSON.parse((await shellflow(json)).out);
    assert.deepEqual([streams.stdout, streams.stderr], ["a\n", "b\n"]);
    const wrong = await shellflow(["run", "--split", "--pty", "--", "true"]);
    assert.equal(wrong.code, 2);
    assert.match(wrong.err, /--split.*cannot be used with.*--pty/);
  });

  it("answers although a background child holds the output", async () => {
    const line = "printf hello; sleep 69.5 &";
    const { code, out } = await shellflow(["run", "--output-format", "json", "--", line]);
    const result = JSON.parse(out);
    assert.equal(code, 0);
    assert.deepEqual(result.outcome, { type: "exited", code: 0 });
    assert.equal(result.output, "hello");
    assert.deepEqual(result.leftovers.map(({ command }: { command: string }) => command), [
      "sleep 69.5",
    ]);
    assert.deepEqual(Object.keys(result), [
      "taskId",
      "sessionId",
      "command",
      "outcome",
      "exitCode",
      "output",
      "totalBytes",
      "omittedBytes",
      "cwd",
      "durationMs",
      "leftovers",
      "decision",
    ]);
  });

  it("tells a signal, a timeout and a denial by its exit code, and never as success", async () => {
    const signal = await shellflow(["run", "--", "kill -9 $$"]);
    assert.deepEqual([signal.code, signal.err], [137, "Ended by SIGKILL\n"]);
    const realTime = await shellflow(["run", "--", "kill -35 $$"]);
    assert.deepEqual([realTime.code, realTime.err], [163, "Ended by SIGRTMIN+1\n"]);
    const timeout = await shellflow(["run", "--timeout", "0.2", "--", "sleep 69.6"]);
    assert.deepEqual([timeout.code, timeout.out, timeout.err], [
      124,
      "",
      "Timed out after 0.2 s\n",
    ]);
    const denial = await shellflow(["run", "--deny", "Bash(rm *)", "--", "rm -rf x"], {
      cwd: scratch,
    });
    assert.deepEqual([denial.code, denial.out], [126, ""]);
    assert.match(denial.err, /^Cannot run "rm -rf x": .*Bash\(rm \*\)/);
  });

  it("refuses clearly what it would ask about when no terminal is there", async () => {
    const { code, err } = await shellflow(["run", "--allow", "Bash(ls)", "--", "touch asked"], {
      cwd: scratch,
    });
    assert.equal(code, 126);
    assert.match(err, /, and there is no one to ask$/m);
    assert.ok(!existsSync(join(scratch, "asked")));
  });

  it("takes rules from a file, accepted dangers and more directories", async () => {
    const rules = join(scratch, "rules.json");
    const rule = { decision: "allow", rule: "Bash(*)", match: ["a b"] };
    writeFileSync(rules, JSON.stringify({ rules: [rule] }));
    const workspace = join(scratch, "workspace");
    mkdirSync(workspace);
    const run = async (...args: readonly string[]) =>
      (await shellflow(["run", "--cwd", workspace, "--rules", rules, ...args])).code;
    assert.equal(await run("--", "git stash drop; exit 3"), 126);
    assert.equal(await run("--accept", "git-stash-drop", "--", "git stash drop; exit 3"), 3);
    assert.equal(await run("--", "touch /var/tmp/../tmp"), 126);
    assert.equal(await run("--directory", "/var/tmp", "--", "touch /var/tmp/../tmp"), 0);
  });

  it("prints the recorded events, a line each, and the result last", async () => {
    const { out } = await shellflow(["run", "--output-format", "stream-json", "--", "echo x"]);
    const lines = out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(
      lines.slice(0, -1).map(({ seq }) => seq),
      lines.slice(0, -1).map((_, i) => i + 1),
    );
    assert.equal(lines.at(-1).output, "x\n");
    assert.equal(lines.at(-2).event.type, "execution.closed");
  });

  it("prints its output as text as it comes, where that is asked for", async () => {
    const format = ["--output-format", "stream-json"];
    const partial = async (line: string) => {
      const { out } = await shellflow(["run", ...format, "--include-partial", "--", line]);
      const lines = out.trimEnd().split("\n").map((line) => JSON.parse(line));
      const updates = lines.flatMap(({ update }) => update === undefined ? [] : [update]);
      for (const { type, taskId } of updates) {
        assert.deepEqual([type, taskId], ["output", lines.at(-1).taskId]);
      }
      return updates;
    };
    const red = await partial("printf '\\033[31mred\\n'");
    assert.deepEqual(red.map(({ text, skipped }) => [text, skipped]), [["red\n", 0]]);
    // What came too fast is counted, and the end is shown.
    const fast = await partial("seq 1 3000; printf end");
    assert.match(fast.map(({ text }) => text).join(""), /\n3000\nend$/);
    const total = fast.reduce((sum, { text, skipped }) => sum + text.length + skipped, 0);
    assert.equal(total, 9 + 2 * 90 + 3 * 900 + 4 * 2001 + 3000 + "end".length);
    const without = await shellflow(["run", ...format, "--", "echo x"]);
    assert.doesNotMatch(without.out, /"update"/);
    const text = await shellflow(["run", "--include-partial", "--", "echo x"]);
    assert.deepEqual([text.code, text.out], [2, ""]);
    assert.match(text.err, /^Cannot use --include-partial with --output-format text: /);
  });

  it("says what is decided and done, where that is asked for", async () => {
    const args = ["run", "--verbose", "--allow", "Bash(echo *)", "--", "cd / && echo hi"];
    const { code, out, err } = await shellflow(args);
    assert.deepEqual([code, out], [0, "hi\n"]);
    assert.match(err, /^\+\d+ ms {2}command\.admitted {2}command "echo hi", cwd "\/", /m);
    assert.match(
      err,
      /^\+\d+ ms {2}permission\.granted {2}by "rule", rules \["Bash\(echo \*\)"\]$/m,
    );
    assert.match(err, /^\+\d+ ms {2}execution\.exited {2}outcome \{"type":"exited","code":0\}, /m);
    assert.doesNotMatch(err, /output\.appended|\{\}|\[\]/);
    const json = await shellflow(["run", "--verbose", "--output-format", "json", "--", "echo hi"]);
    assert.equal(JSON.parse(json.out).output, "hi\n");
    assert.match(json.err, /execution\.exited/);
    const stream = ["run", "--verbose", "--output-format", "stream-json", "--", "echo hi"];
    assert.equal((await shellflow(stream)).err, "");
  });

  it("takes allowed tools as Claude Code does", async () => {
    const run = async (tools: string, line: string) =>
      (await shellflow(["run", "--allowed-tools", tools, "--", line], { cwd: scratch })).code;
    const touch = "touch allowed";
    assert.equal(await run("Bash(git *),Bash(touch *)", touch), 0);
    assert.equal(await run("Read, Bash(git *) Bash(touch *)", touch), 0);
    assert.equal(await run("Bash Read Edit", touch), 0);
    assert.equal(await run("Bash(git *),Bash(npm test)", touch), 126);
    assert.equal(await run("Read Edit", touch), 126);
    assert.equal(await run("Bash(touch a, b)", touch), 126);
    const { code, err } = await shellflow(["run", "--allowed-tools", "bash(ls)", "--", "ls"]);
    assert.equal(code, 2);
    assert.match(err, /Cannot read the rule "bash\(ls\)": "bash" is no tool; write Bash\(ls\)\.$/m);
  });

  it("gives the command its directory and variables, whole even when its reader is slow", async () => {
    mkdirSync(join(scratch, "dir"));
    const { out } = await shellflow([
      ...["run", "--cwd", join(scratch, "dir"), "--env", "WORD=a=b c"],
      ...["--", 'pwd; echo "$WORD"; seq 1 200000 | tail -c 9'],
    ]);
    assert.equal(out, `${join(scratch, "dir")}\na=b c\n9\n200000\n`.replace("9\n2", "9\n2"));
  });

  it("has a prefix, a file that each bash runs, and variables that an earlier call has left", async () => {
    const [bashEnv, left] = [join(scratch, "bash-env"), join(scratch, "left")];
    writeFileSync(bashEnv, "hello() { nice; }\n");
    const options = ["--prefix", "nice -n 3", "--bash-env", bashEnv, "--persist-env", left];
    const run = (line: string) => shellflow(["run", ...options, "--", line]);
    await run('echo A=1 >> "$SHELLFLOW_ENV_FILE"');
    assert.equal((await run("hello; echo $A")).out, "3\n1\n");
  });

  it("takes a prefix or a file of bash that there is not for wrong usage", async () => {
    for (const options of [["--prefix", "no-such-program"], ["--bash-env", "/no/such/file"]]) {
      const { code, err } = await shellflow(["run", ...options, "--", "true"]);
      assert.equal(code, 2);
      assert.match(err, /^Cannot .*: there is no (?:such program|regular file of this name)\n$/);
    }
  });

  it("writes every byte of a long output", async () => {
    const { out } = await shellflow(["run", "--", "seq 1 300000"]);
    assert.equal(out, Array.from({ length: 300_000 }, (_, i) => `${i + 1}\n`).join(""));
  });

  it("ends a command that writes for nobody, and one that cannot be written at all", async () => {
    const child = startCli(["run", "--", "yes"]);
    child.stdout?.once("data", () => child.stdout?.destroy());
    assert.equal(await new Promise((resolve) => child.once("close", resolve)), 141);
    if (!existsSync("/dev/full")) return;
    const full = startCli(["run", "--", "echo lost"], {}, openSync("/dev/full", "w"));
    let err = "";
    full.stderr?.on("data", (chunk) => err += chunk);
    assert.equal(await new Promise((resolve) => full.once("close", resolve)), 1);
    assert.match(err, /^Cannot write to standard output: .*(ENOSPC|No space)/);
  });

  it("keeps the file that a result names, and leaves nothing else", async () => {
    const TMPDIR = mkdtempSync(join(scratch, "tmp-"));
    const { out } = await spawned(["run", "--output-format", "json", "--", "seq 1 50000"], {
      env: { TMPDIR },
    });
    assert.ok(readFileSync(JSON.parse(out).artifact, "utf8").endsWith("\n50000\n"));
    rmSync(TMPDIR, { recursive: true });
    mkdirSync(TMPDIR);
    await spawned(["run", "--", "seq 1 50000"], { env: { TMPDIR } });
    const left = () => readdirSync(TMPDIR).filter((name) => name.startsWith("shellflow"));
    assert.deepEqual(left(), []);
    const json = ["run", "--output-format", "json", "--"];
    await spawned([...json, "seq 1 5000"], { env: { TMPDIR } });
    assert.deepEqual(left(), [], "all of it is in the result");
    const unread = startCli([...json, "seq 1 50000"], { env: { TMPDIR } });
    unread.stdout?.destroy();
    assert.equal(await new Promise((resolve) => unread.once("close", resolve)), 141);
    assert.deepEqual(left(), [], "nobody was told of it");
  });

  it("ends in order on SIGTERM, with everything that it runs", async () => {
    const child = startCli(["run", "--", "echo ready; sleep 69.7; echo never"]);
    let out = "";
    child.stdout?.on("data", (chunk) => {
      out += chunk;
      // Deno's own child.kill() reports the signal that it sent, whatever the child made of it.
      if (out === "ready\n" && child.pid !== undefined) process.kill(child.pid, "SIGTERM");
    });
    const code = await new Promise((resolve) => child.once("close", resolve));
    assert.deepEqual([code, out], [143, "ready\n"]);
  });

  /** Run a line until it is ready, and interrupt it. */
  async function interrupted(line: string, interrupt: (pid: number) => Promise<void> | void) {
    const child = startCli(["run", "--", line]);
    const closed = new Promise<number | null>((resolve) => child.once("close", resolve));
    let out = "";
    child.stdout?.on("data", (chunk) => out += chunk);
    await until(() => out === "ready\n");
    assert.ok(child.pid !== undefined);
    await interrupt(child.pid);
    return { code: await closed, out };
  }

  it("ends what ignores an interrupt on a second one, and leaves nothing", async () => {
    const what = `sleep 68.${process.pid}`;
    const line = `trap '' TERM; (setsid ${what} &); echo ready; ${what}; ${what}`;
    const { code, out } = await interrupted(line, async (pid) => {
      process.kill(pid, "SIGINT");
      await pause(300);
      process.kill(pid, "SIGINT");
    });
    assert.deepEqual([code, out, living(what)], [130, "ready\n", []]);
  });

  it("takes an interrupt that comes twice, as through a parent, for one", async () => {
    const clean = "echo cleaning; sleep 0.4; echo clean; exit";
    const { code, out } = await interrupted(
      `trap '${clean}' TERM; echo ready; while :; do sleep 0.05; done`,
      (pid) => {
        // Both are there when it comes to hear of them.
        for (const signal of ["SIGSTOP", "SIGINT", "SIGTERM", "SIGCONT"]) process.kill(pid, signal);
      },
    );
    assert.ok(code === 130 || code === 143, "as the first says of which it hears");
    assert.ok(out.includes("cleaning\n") && out.includes("\nclean\n"), out);
  });
});

describe("bad input", () => {
  const log = join(scratch, "bad-log");
  const rows: readonly (readonly [string, readonly string[], number, RegExp])[] = [
    [
      "an unknown option",
      ["run", "--colour", "--", "touch x"],
      2,
      /^Cannot use these arguments: unknown option '--colour'/,
    ],
    ["an unknown command", ["walk"], 2, /unknown command 'walk'/],
    [
      "a missing directory",
      ["run", "--cwd", "/nowhere", "--", "touch x"],
      2,
      /^Cannot use cwd "\/nowhere": no such directory/,
    ],
    [
      "a file as directory",
      ["run", "--cwd", "/etc/passwd", "--", "touch x"],
      2,
      /^Cannot use cwd .*not a directory/,
    ],
    ["a name that is none", ["run", "--env", "1X=2", "--", "touch x"], 2, /"1X" is not a name/],
    [
      "a timeout that is no number",
      ["run", "--timeout", "soon", "--", "touch x"],
      2,
      /number of seconds/,
    ],
    ["a negative timeout", ["run", "--timeout", "-1", "--", "touch x"], 2, /number of seconds/],
    ["no command", ["run"], 2, /missing required argument/],
    [
      "an empty command",
      ["run", "--", " "],
      2,
      /^Cannot run a command with command " ": it is empty/,
    ],
    [
      "a mode that is none",
      ["run", "--permission-mode", "free", "--", "touch x"],
      2,
      /Allowed choices/,
    ],
    [
      "a file of rules that is none",
      ["run", "--rules", "/etc/passwd", "--", "touch x"],
      2,
      /^Cannot read the rules "\/etc\/passwd": /,
    ],
    ["a rule that is none", ["run", "--allow", "Bash(", "--", "touch x"], 2, /--allow .*"Bash\("/],
    ["a rule without its tool", ["run", "--allow", "rm *", "--", "rm x"], 2, /write Bash\(rm \*\)/],
    [
      "no ignore file",
      ["serve", "--ignore", "/nowhere"],
      2,
      /^Cannot read the ignore file "\/nowh/,
    ],
    [
      "a detached command without a log",
      ["run", "--detach", "--", "touch x"],
      2,
      /^Cannot detach "touch x": it needs --log/,
    ],
    [
      "two sessions",
      ["run", "--session", "a", "--continue", "--", "touch x"],
      2,
      /'--continue' cannot be used with option '--session /,
    ],
    [
      "a danger that is none",
      ["run", "--accept", "nope", "--", "touch x"],
      2,
      /"nope": there is no/,
    ],
    [
      "a danger that is none, in a session",
      ["run", "--session", "a", "--log", scratch, "--accept", "nope", "--", "touch x"],
      2,
      /^Cannot use accept "nope"/,
    ],
    [
      "a tool that is none",
      ["serve", "--intercept", "nope"],
      2,
      /intercept\.tools "nope": there is no/,
    ],
    ["no log", ["ps"], 1, /^Cannot read log ".*; --log DIRECTORY names .*--sessions lists/],
    ["an empty command to check", ["check", "--", " "], 2, /^Cannot check "": it is empty/],
    ["nothing to check", ["check"], 2, /^Cannot check nothing: name a COMMAND, or --batch\n$/],
    ["an owner without a name", ["serve", "--owner", " "], 2, /'--owner <name>' .* It is empty/],
    [
      "a log where none can be",
      ["run", "--log", "/proc/nope", "--", "touch x"],
      1,
      /^Cannot write log "\/proc\/nope"/,
    ],
    [
      "a log below a file",
      ["run", "--log", "/etc/passwd/x", "--", "touch x"],
      1,
      /^Cannot write log "\/etc\/passwd\/x"/,
    ],
    [
      "a file as a log",
      ["run", "--log", "/etc/passwd", "--", "touch x"],
      1,
      /^Cannot write log "\/etc\/passwd": "\/etc\/passwd" is a regular file, not a directory\n$/,
    ],
    [
      "a file as the log of sessions",
      ["ps", "--sessions", "--log", "/etc/passwd"],
      1,
      /^Cannot read log "\/etc\/passwd": it is no event log/,
    ],
    ["a log that is not there", ["replay", "/nowhere"], 1, /^Cannot read log "\/nowhere"/],
    [
      "a log of a later version",
      ["replay", join(scratch, "later.ndjson")],
      1,
      /^Cannot read log ".*": its schema is version 99/,
    ],
    ["something that is no log", ["replay", "/etc/passwd"], 1, /^Cannot read log "\/etc\/passwd"/],
  ];
  writeFileSync(
    join(scratch, "later.ndjson"),
    checkedLine({ shellflow: "events", schema: 99, firstSeq: 1, createdAt: 0 }),
  );
  for (const [title, args, code, message] of rows) {
    it(`is told and runs nothing: ${title}`, async () => {
      const ran = await shellflow(args, { cwd: scratch });
      assert.equal(ran.code, code, ran.err);
      assert.match(ran.err, message);
      assert.equal(ran.out, "");
      assert.ok(!existsSync(join(scratch, "x")));
    });
  }

  it("is an object on standard output for a program that reads JSON", async () => {
    const args = ["run", "--output-format", "json", "--cwd", "/nowhere", "--", "touch x"];
    const { code, out, err } = await shellflow(args, { cwd: scratch });
    assert.equal(code, 2);
    assert.deepEqual(JSON.parse(out), { command: "touch x", error: err.trimEnd() });
  });

  it("may be a damaged line of a log, which is passed over and reported", async () => {
    await shellflow(["run", "--log", log, "--", "echo kept"]);
    const [name = ""] = readdirSync(log).filter((file) => file.endsWith(".ndjson"));
    const text = readFileSync(join(log, name), "utf8");
    writeFileSync(join(log, name), text.slice(0, -25));
    const torn = await shellflow(["replay", log]);
    assert.equal(torn.code, 0);
    assert.match(torn.out, /kept/);
    const lines = text.split("\n");
    writeFileSync(join(log, name), [...lines.slice(0, 4), "garbage", ...lines.slice(5)].join("\n"));
    const broken = await shellflow(["replay", log]);
    assert.equal(broken.code, 0);
    assert.match(broken.err, /^Cannot read line 5 of log ".*": it is damaged\n$/);
    const listed = await shellflow(["ps", "--log", log]);
    assert.equal(listed.code, 0);
    assert.equal(listed.err, broken.err);
  });
});

describe("shellflow replay", () => {
  it("finds a log by the words that run was given for it, wherever that ran", async () => {
    const ran = await shellflow(["run", "--cwd", "/", "--log", "from-here", "--", "echo one"], {
      cwd: scratch,
    });
    assert.equal(ran.code, 0, ran.err);
    const { out } = await shellflow(["replay", "from-here"], { cwd: scratch });
    assert.match(out, /^\$ echo one\none\n/);
  });

  it("prints the output and the tasks as they were, up to an event", async () => {
    const log = join(scratch, "replayed");
    await shellflow(["run", "--log", log, "--", "echo one; exit 5"]);
    const { out } = await shellflow(["replay", log]);
    assert.match(out, /^\$ echo one; exit 5\none\n/);
    assert.match(out, /exited 5/);
    await shellflow(["run", "--log", log, "--", "seq 20000"]);
    const long = await shellflow(["replay", log]);
    const numbers = Array.from({ length: 20_000 }, (_, i) => i + 1).join("\n");
    assert.ok(long.out.includes(`$ seq 20000\n${numbers}\n`), "what a file of the log holds");
    rmSync(join(log, "output"), { recursive: true });
    const lost = await shellflow(["replay", log]);
    assert.match(lost.out, /\[\d+ bytes that the log does not hold\]\n/);
    const none = await shellflow(["replay", log, "--until", "0"]);
    assert.deepEqual([none.code, none.err], [
      1,
      `Cannot replay "${log}": no event is in it up to 0\n`,
    ]);
    const beyond = await shellflow(["replay", log, "--until", "9999"]);
    assert.equal(beyond.code, 2);
    assert.match(
      beyond.err,
      /^Cannot replay ".*" until event 9999: there are 1 to \d+\n$/,
    );
    const early = await shellflow(["replay", log, "--until", "2", "--json"]);
    assert.deepEqual(JSON.parse(early.out).map(({ status }: { status: string }) => status), [
      "queued",
    ]);
  });
});

describe("shellflow check", () => {
  it("prints one decision and runs nothing", async () => {
    const { code, out } = await shellflow([
      ...["check", "--cwd", scratch, "--workspace", scratch, "--allow", "Bash(touch *)"],
      ...["--", "touch x"],
    ]);
    assert.equal(code, 0);
    assert.equal(JSON.parse(out).decision, "allow");
    assert.ok(!existsSync(join(scratch, "x")));
  });

  it("names the tool of the agent that serves a command better", async () => {
    const { out } = await shellflow(["check", "--intercept", "read,find", "--", "cat x"]);
    assert.match(JSON.parse(out).reason, /^use the tool "read" instead of "cat x"/);
  });

  it("asks about what an ignore file names", async () => {
    const ignore = join(scratch, "ignored");
    writeFileSync(ignore, "# secrets\n*.key\n");
    const { out } = await shellflow(["check", "--ignore", ignore, "--", "head a.key"]);
    assert.match(JSON.parse(out).reason, /a\.key", which the ignore file names$/);
  });

  it("answers a batch line by line", async () => {
    const input = [
      { id: "a", rules: { deny: ["Bash(rm *)"] }, cwd: "/w", workspace: "/w", command: "rm x" },
      { id: "b", rules: { allow: ["Bash(ls)"] }, cwd: "/w", workspace: "/w", command: "ls" },
    ].map((line) => JSON.stringify(line)).join("\n");
    const { out } = await shellflow(["check", "--batch"], { input });
    const answers = out.trimEnd().split("\n").map((line) => JSON.parse(line));
    assert.deepEqual(answers.map(({ id, decision }) => [id, decision]), [
      ["a", "deny"],
      ["b", "allow"],
    ]);
    const broken = await shellflow(["check", "--batch"], { input: `{"id":1}\n${input}` });
    assert.deepEqual([broken.code, broken.out.trimEnd().split("\n").length], [1, 3]);
  });
});
