import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { filter, firstValueFrom, Subject } from "rxjs";
import { createTools } from "../../src/tool/create-tools.ts";
import type { ToolUpdate } from "../../src/tool/tool.ts";
import { gate } from "../gate.ts";
import { runArgs } from "../run-args.ts";
import { shellOf, toolWorld } from "./world.ts";

const { call, runtime, tools, directory } = await toolWorld();

describe("a command of a tool", () => {
  it("answers with its output and one status line, as text and as data", async () => {
    const { text, isError, details, title } = await call("bash", {
      command: "echo hi",
      description: "Say hi",
    });
    assert.equal(text, "hi\nexit code 0");
    assert.equal(title, "Say hi — exit code 0");
    assert.equal(isError, false);
    // @ts-expect-error There is no such field, though the details of each tool have some of their own.
    assert.equal(details.nope, undefined);
    const { taskId, shellId, durationMs, ...rest } = details;
    assert.ok(taskId && shellId && typeof durationMs === "number");
    assert.deepEqual(rest, {
      tool: "bash",
      status: "completed",
      exitCode: 0,
      outcome: "exited",
      cwd: { before: directory, after: directory },
      timeout: { requested: 300, effective: 300 },
      range: { from: 0, to: 3 },
    });
  });

  it("shows its exit code when nothing was written, and says what 1 means where it is no failure", async () => {
    const failed = await call("bash", { command: "exit 3" });
    assert.equal(failed.text, "(no output)\nexit code 3");
    assert.equal(failed.isError, true);
    for (
      const [command, note] of [
        ["echo a | grep 'b|c'", "grep: no line matched"],
        ["A=1 diff <(echo a) <(echo b) >/dev/null", "diff: the files differ"],
        ["[ 1 = 2 ]", "[: the condition is false"],
        ["cd / && test -e /etc && grep -r x /dev/null", "grep: no line matched"],
        ["grep x /dev/null 2>&1", "grep: no line matched"],
        ["grep x $(cat /dev/null) /dev/null; echo a | grep b", "grep: no line matched"],
        ["cd / && F=/dev/null && grep x $F # none; none", "grep: no line matched"],
        ["f() { true; }; if f; then f; fi; { f; f; } | grep x", "grep: no line matched"],
      ]
    ) {
      const { text, isError } = await call("bash", { command });
      assert.equal(text, `(no output)\nexit code 1 (${note})`);
      assert.equal(isError, false);
    }
    for (
      const command of [
        "false && grep x /dev/null",
        "false && echo a | grep b",
        "false | cat && sh -c 'exit 1' | sh -c 'exit 1' && grep x /dev/null",
        "false || exit 1; grep x /dev/null",
        "set -e; false; grep x /dev/null",
        "sh -c 'exit 1' $(echo a | grep b)",
        "grep -q . /etc/passwd; X=$(exit 1)",
        'cd / && grep -q . /etc/passwd && X="$(exit 1)"',
        "sh -c 'exit 1' # or; grep x",
        "[ a = $'\\'' ]; sh -c 'exit 1'",
        "false && { echo a; echo b; } | grep c",
        "false && for i in 1 2; do echo $i; done | grep c",
        "false && ( (echo a); echo b) | grep c",
        "f() { exit 1; }; f; grep x /dev/null",
      ]
    ) {
      const { text, isError } = await call("bash", { command });
      assert.deepEqual([text, isError], ["(no output)\nexit code 1", true], command);
    }
  });

  it("keeps its state in a shell with a name, and reports where it went", async () => {
    const moved = await call("bash", { command: "mkdir -p a && cd a && X=5", shellId: "kept" });
    assert.match(moved.text, new RegExp(`directory: ${directory}/a$`));
    const { text } = await call("bash", { command: 'echo "$X" "$PWD"', shellId: "kept" });
    assert.equal(text, `5 ${directory}/a\nexit code 0`);
    const { text: other } = await call("bash", { command: 'echo "[$X]"' });
    assert.equal(other, "[]\nexit code 0");
  });

  it("says of a shell that was closed while it waited nothing of another one", async () => {
    await call("bash", { command: "true", shellId: "closed" });
    const waits = call("bash", { command: "sleep 60", shellId: "closed" });
    const isRunning = runtime.tasks.changes.pipe(
      filter(({ byId }) => [...byId.values()].at(-1)?.status === "running"),
    );
    await firstValueFrom(isRunning);
    await call("stop_bash", { shellId: "closed" });
    assert.equal((await waits).text, "(no output)\nended by SIGTERM (stop)");
  });

  it("does not run once the runtime is closed, which is no defect", async () => {
    const world = await toolWorld();
    await world.runtime.close();
    const { text, isError, details } = await world.call("bash", { command: "true" });
    assert.deepEqual(
      [text, isError, details.shell_error_category],
      ['Cannot run "true": the runtime is closed', true, "stopped"],
    );
  });

  it("says that its shell has lost its state, by its end or before it", async () => {
    const reset = (reason: string) =>
      new RegExp(`The shell of session "lost" was replaced: ${reason}; lost are its variables, `);
    await call("bash", { command: "X=5", shellId: "lost" });
    const ended = await call("bash", { command: "exit 3", shellId: "lost" });
    assert.match(ended.text, reset("it ended with code 3 in its command"));
    assert.equal(ended.details.shellReset?.lost.includes("variables"), true);
    const slow = gate();
    const kept = await call("bash", { command: slow.wait, shellId: "lost", initial_wait: 0 });
    assert.doesNotMatch(kept.text, /was replaced/);
    const next = await call("bash", { command: "echo [$X]", shellId: "lost" });
    assert.match(next.text, reset("its command went on in the background, and keeps it"));
    assert.doesNotMatch(
      (await call("bash", { command: ":", shellId: "lost" })).text,
      /was replaced/,
    );
    slow.open();
    await call("read_bash", { shellId: kept.details.taskId, until: "exit" });
  });

  it("says that its shell is a new one, where a restart has ended one with a state", async () => {
    const log = join(directory, "restarted");
    const first = await toolWorld({ runtime: { log, cwd: directory } });
    await first.call("bash", { command: "mkdir -p at && cd at && X=5", shellId: "named" });
    await first.call("bash", { command: "echo plain", shellId: "plain" });
    await first.call("bash", { command: "sleep 60", mode: "async", shellId: "cut" });
    await first.runtime.close();
    const next = await toolWorld({ runtime: { log, cwd: directory } });
    const { text: cut } = await next.call("read_bash", { shellId: "cut" });
    assert.equal(cut, "(no output)\nended as its host closed");
    const command = 'echo "[$X]"; pwd';
    const { text } = await next.call("bash", { command, shellId: "named" });
    assert.equal(
      text,
      `[]\n${directory}\nexit code 0\n` +
        `shellId "named" is a new shell: the earlier one, in ${directory}/at, is gone (The runtime closed)`,
    );
    const { text: again } = await next.call("bash", { command: "echo again", shellId: "named" });
    assert.equal(again, "again\nexit code 0");
    const { text: plain } = await next.call("bash", { command: "echo plain", shellId: "plain" });
    assert.equal(plain, "plain\nexit code 0");
  });

  it("is described with the limit that ends servers, where there is one", () => {
    const described = (timeoutSeconds: number) =>
      createTools(runtime, { timeoutSeconds }).tools[0]?.description ?? "";
    assert.match(
      described(300),
      /"async" and "timeout": 0, as they are ended after 300 s otherwise\. /,
    );
    assert.match(described(0), /servers and long work with "mode": "async"\. /);
  });

  it("is not run when its input is wrong, and the answer says what was", async () => {
    const before = runtime.tasks.current.byId.size;
    const wrong = [
      [{}, "command: it is missing"],
      [{ command: "" }, "command: it is empty"],
      [{ command: "x", timeout: "5" }, 'timeout: expected number, not "5"'],
      [{ command: "x", env: { "A-B": "" } }, "it is no name of a variable"],
      [{ command: "x", until: "/(/" }, "until: Cannot search for"],
      [{ command: "x", until: "soon" }, 'until: expected "exit"'],
      [{ command: "x", detach: true }, "detach: there is no such field"],
      [{ command: "x", nix: 1 }, "nix: there is no such field"],
      ["echo hi", "expected Object, not"],
    ] as const;
    for (const [input, why] of wrong) {
      const { text, isError, details } = await call("bash", input);
      assert.ok(text.startsWith("Invalid input (nothing was run): "), text);
      assert.ok(text.includes(why), text);
      assert.equal(isError, true);
      assert.equal(details.shell_error_category, "invalid_input");
    }
    assert.equal(runtime.tasks.current.byId.size, before);
  });

  it("takes blank texts and nulls as absent", async () => {
    const { text } = await call("bash", {
      command: "pwd",
      cwd: " ",
      shellId: "",
      env: null,
      timeout: null,
      mode: "",
    });
    assert.equal(text, `${directory}\nexit code 0`);
  });

  it("is answered with the limit that applies when its own was clamped, and with its timeout", async () => {
    const { text } = await call("bash", { command: "true", timeout: 9_999, initial_wait: 700 });
    assert.match(text, /timeout 9999 s is outside of 1 to 3600 s: 3600 s is used/);
    assert.match(text, /initial_wait 700 s is outside of 0 to 600 s: 600 s is used/);
    const late = await call("bash", { command: "echo before; sleep 60", timeout: 1 });
    assert.equal(
      late.text,
      "before\ntimed out after 1 s (requested 1 s, effective 1 s), stopped",
    );
    assert.equal(late.isError, true);
    assert.equal(late.details.outcome, "timedOut");
  });

  it("has the limit that its suite has by default, also where that is longer than the longest", async () => {
    const tools = createTools(runtime, { timeoutSeconds: 5_000 });
    const { text, details } = await tools.call("bash", { command: "true" });
    assert.doesNotMatch(text, /timeout/);
    assert.deepEqual(details.timeout, { requested: 5_000, effective: 5_000 });
    const longer = await tools.call("bash", { command: "true", timeout: 6_000 });
    assert.match(longer.text, /timeout 6000 s is outside of 1 to 5000 s: 5000 s is used/);
    const none = createTools(runtime, { timeoutSeconds: 0 });
    const endless = await none.call("bash", { command: "true" });
    assert.deepEqual(endless.details.timeout, { requested: 0, effective: 0 });
    const short = await createTools(runtime, { maxTimeoutSeconds: 10 })
      .call("bash", { command: "true" });
    assert.deepEqual(short.details.timeout, { requested: 10, effective: 10 });
  });

  it("is for PowerShell in the family of that name, and asked about", async () => {
    const { directory } = await toolWorld();
    // It prints its arguments: there is no PowerShell here.
    writeFileSync(join(directory, "pwsh"), '#!/bin/sh\nprintf "%s\\n" "$@"\n', { mode: 0o755 });
    const family = "powershell";
    const hostEnv = { PATH: `${directory}:${process.env["PATH"]}` };
    const world = await toolWorld({ runtime: { hostEnv }, tools: { family } });
    const { text, details } = await world.call("powershell", { command: "gci", shellId: "one" });
    assert.match(text, /^-NoLogo\n-NoProfile\n-NonInteractive\n-Command\ngci\n/);
    assert.equal(details.exitCode, 0);
    assert.match(world.tools.tools[0]?.description ?? "", /Each command has a process of its own/);
    const bash = await createTools(world.runtime).call("bash", { command: "echo $0" });
    assert.equal(bash.text, "bash\nexit code 0");
    const asked = await toolWorld({ runtime: { hostEnv, mode: "default" }, tools: { family } });
    const denied = await asked.call("powershell", { command: "gci" });
    assert.match(denied.text, /not run: denied: .*powershell/);
    const none = await toolWorld({ runtime: { hostEnv: { PATH: "/bin" } }, tools: { family } });
    const { text: why } = await none.call("powershell", { command: "gci" });
    assert.equal(
      why,
      "(no output)\nfailed: Cannot run a line for powershell: there is no such shell in PATH",
    );
  });

  it("says what was taken from its line before it ran", async () => {
    const world = await toolWorld({ runtime: { fixUps: true } });
    const { text } = await world.call("bash", { command: "seq 3 2>&1 | tail -n 2" });
    assert.equal(text, "1\n2\n3\nexit code 0\nrun without 2>&1 and | tail -n 2");
  });

  it("shows long output in part, and how to read on", async () => {
    const { text, details } = await call("bash", { command: "seq 30000" });
    assert.match(text, /^1\n2\n3\n/);
    assert.match(text, /\n30000\n\[168894 bytes, shown in part: read on with read_bash/);
    const binary = await call("bash", { command: "printf '\\0\\1%.0s' {1..150}" });
    assert.match(
      binary.text,
      /^\[binary data, 300 bytes, .*\n\[300 bytes, shown in part: all of it is /,
    );
    assert.ok(text.length < 31_000);
    const { truncation } = details;
    assert.equal(truncation?.totalBytes, 168_894);
    assert.equal(truncation.totalLines, 30_000);
    const from = truncation.shown[0]?.to ?? 0;
    const more = await call("read_bash", { shellId: details.taskId, from });
    assert.ok(more.text.startsWith(`${from === 0 ? 1 : 100}\n`), more.text.slice(0, 20));
    assert.match(more.text, /there is more: read_bash/);
  });

  it("is read on line by line, as many as fit, by the place that each answer names", async () => {
    const { details } = await call("bash", { command: "seq 1200" });
    const read: string[] = [];
    let pages = 0;
    for (let from: number | undefined = 0; from !== undefined; pages++) {
      const page = await call("read_bash", { shellId: details.taskId, from });
      const [, body = "", rest = ""] = /^([^]*?)\nexit code 0([^]*)$/.exec(page.text) ?? [];
      read.push(...body.split("\n"));
      const next = /^\nthere is more: read_bash (.*)$/.exec(rest)?.[1];
      from = next === undefined ? undefined : JSON.parse(next).from;
      assert.equal(page.details.truncation, undefined);
    }
    assert.deepEqual(read, Array.from({ length: 1_200 }, (_, i) => `${i + 1}`));
    assert.equal(pages, 3);
  });
});

describe("the wait for a command", () => {
  it("ends after initial_wait, and the command goes on under its id with its output", async () => {
    const slow = gate();
    const command = `echo first; ${slow.wait}; echo second`;
    const started = await call("bash", { command, initial_wait: 0.3 });
    assert.match(
      started.text,
      /^first\nstill running as shellId "shell_\w+", task task_\w+, after 0.3 s\n/,
    );
    assert.equal(started.isError, false);
    assert.equal(started.details.status, "working");
    const shellId = shellOf(started);
    slow.open();
    const ended = await call("read_bash", { shellId, until: "exit" });
    assert.equal(ended.text, "second\nexit code 0");
    assert.deepEqual(await runtime.notices.drain("agent"), [], "the read has reported the end");
    const again = await call("read_bash", { shellId, from: 0 });
    assert.equal(again.text, "first\nsecond\nexit code 0");
  });

  it("names a way to its end that leads there also when its shell runs another one", async () => {
    const slow = gate();
    const input = { shellId: "left", initial_wait: 0.1 };
    const left = await call("bash", { ...input, command: `${slow.wait}; echo end` });
    const other = await call("bash", { ...input, command: "exit 4" });
    assert.equal(other.details.exitCode, 4);
    const [, next = ""] = /^Wait for it with read_bash (\{.*?\})/m.exec(left.text) ?? [];
    slow.open();
    assert.equal((await call("read_bash", JSON.parse(next))).text, "end\nexit code 0");
  });

  it("ends when a person or a message moves the command to the background", async () => {
    const slow = gate();
    const steering = new Subject<void>();
    const steered = await toolWorld({ tools: { steering } });
    const byMessage = steered.call("bash", { command: slow.wait }, {
      onTask: () => setTimeout(() => steering.next(), 50),
    });
    assert.match((await byMessage).text, /moved to the background by a message/);
    const byUser = await call("bash", { command: slow.wait }, {
      onTask: (taskId) => setTimeout(() => tools.promote(taskId), 50),
    });
    assert.match(byUser.text, /moved to the background by the user/);
    const over = new AbortController();
    const aborted = await call("bash", { command: slow.wait }, {
      signal: over.signal,
      onTask: () => setTimeout(() => over.abort(), 50),
    });
    assert.match(aborted.text, /still running as .*, as the wait was aborted/);
    assert.equal(aborted.isError, true);
    assert.equal(runtime.notices.background("agent").length, 2);
    slow.open(3);
    await call("read_bash", { shellId: shellOf(byUser), until: "exit" });
    await call("read_bash", { shellId: shellOf(aborted), until: "exit" });
  });

  it("ends with a line that a server prints, which needs one call", async () => {
    const server = `echo starting; sleep 0.2; printf 'listening on 80'; sleep 60`;
    const started = await call("bash", {
      command: server,
      mode: "async",
      until: "/LISTENING on \\d+/i",
    });
    assert.match(started.text, /as its output matched: listening on 80/);
    const stopped = await call("stop_bash", { shellId: shellOf(started) });
    assert.equal(stopped.text, "(no new output)\nended by SIGTERM (stop)");
    assert.equal(stopped.isError, false);
    const again = await call("stop_bash", { shellId: shellOf(started) });
    assert.match(again.text, /it was over before this call/);
    assert.deepEqual(await runtime.notices.drain("agent"), []);
  });

  it("shows no secret in the line that ends it, and finds none", async () => {
    const secretive = await toolWorld({
      runtime: { hostEnv: { PATH: "/usr/bin:/bin", API_KEY: "a1b2c3d4e5" } },
    });
    const command = "echo the key a1b2c3d4e5; sleep 60";
    const async = { command, mode: "async" };
    const { text } = await secretive.call("bash", { ...async, until: "/the key/" });
    assert.match(text, /as its output matched: the key \*{10}\n/);
    const guess = { ...async, until: "/a1b2/", initial_wait: 0.3 };
    assert.match((await secretive.call("bash", guess)).text, /, after 0.3 s\n/);
  });

  it("of an async command is over once it runs, or waits behind another one of its shell", async () => {
    const slow = gate();
    const first = await call("bash", { command: slow.wait, mode: "async", shellId: "queue" });
    assert.match(first.text, /still running as shellId "queue"/);
    const second = await call("bash", { command: "echo two", mode: "async", shellId: "queue" });
    assert.match(second.text, new RegExp(`queued behind ${first.details.taskId}`));
    // By the name of the shell, the read would wait for the first command.
    const next = `Wait for it with read_bash {"shellId":"${second.details.taskId}","until":"exit"}`;
    assert.ok(second.text.includes(next), second.text);
    const behind = first.details.taskId;
    assert.equal(second.details.queuedBehind, behind);
    const third = await call("bash", { command: "echo 3", shellId: "queue", initial_wait: 0.01 });
    assert.match(third.text, new RegExp(`, after 0.01 s\nqueued behind ${behind}\n`));
    const read = await call("read_bash", { shellId: second.details.taskId });
    assert.match(read.text, new RegExp(`\nqueued behind ${behind}\n`));
    const { text: list } = await call("list_bash", {});
    assert.match(
      list,
      new RegExp(`^queue  ${second.details.taskId}  async  queued behind ${behind} `, "m"),
    );
    slow.open();
    const { text } = await call("read_bash", { shellId: second.details.taskId, until: "exit" });
    assert.equal(text, "two\nexit code 0");
  });

  it("that was stopped with its shell reads as that, and of no other shell", async () => {
    await call("bash", { command: "sleep 60", mode: "async", shellId: "closed" });
    await call("stop_bash", { shellId: "closed" });
    const { text } = await call("read_bash", { shellId: "closed" });
    assert.equal(text, "(no output)\nended by SIGTERM (stop)");
  });

  it("ends in time behind a gate that does not answer, and says that nothing runs yet", async () => {
    const decide = () => new Promise<never>(() => {});
    const gates = [{ name: "g", before: "execute", decide }] as const;
    const held = await toolWorld({ runtime: { gates } });
    const { text, details } = await held.call("bash", { command: "echo x", initial_wait: 0.05 });
    assert.match(text, /\nnot started yet as shellId .*, after 0.05 s\n/);
    const stopped = await held.call("stop_bash", { shellId: details.taskId });
    assert.match(stopped.text, /not run: it was cancelled/);
  });

  it("for a queue ends with its shell: stopping that cancels what waits in it", async () => {
    const running = await call("bash", { command: "sleep 60", mode: "async", shellId: "all" });
    const queued = await call("bash", { command: "echo never", mode: "async", shellId: "all" });
    const stopped = await call("stop_bash", { shellId: "all" });
    assert.equal(stopped.details.taskId, running.details.taskId);
    assert.match(stopped.text, new RegExp(`also stopped in its shell: ${queued.details.taskId}`));
    const { text } = await call("read_bash", { shellId: queued.details.taskId });
    assert.equal(text, "(no output)\nnot run: it was cancelled (stop)");
    const due = await runtime.notices.drain("agent");
    assert.deepEqual(due.filter(({ sessionId }) => sessionId === "all"), []);
  });

  it("names 20 of the processes that were left running, and has all of them as data", async () => {
    const left = await call("bash", { command: "for i in {1..25}; do sleep 64 & done" });
    assert.equal(left.details.leftovers?.length, 25);
    assert.match(left.text, /\nleft running: ([^,]+ \(\d+\), ){20}and 5 more\n/);
    await call("stop_bash", { shellId: left.details.taskId });
  });

  it("is over, and what commands of its shell left running ends with that, by name", async () => {
    const left = await call("bash", { command: "sleep 62 & echo on", shellId: "left" });
    const [process] = left.details.leftovers ?? [];
    assert.equal(
      left.text,
      `on\nexit code 0\nleft running: sleep 62 (${process?.pid})\n` +
        `End what is left running with stop_bash {"shellId":"${left.details.taskId}"}.`,
    );
    await call("bash", { command: ":", shellId: "left" });
    const { text, details } = await call("stop_bash", { shellId: "left" });
    assert.match(text, new RegExp(`ended what was left running: sleep 62 \\(${process?.pid}\\)$`));
    assert.deepEqual(details.endedLeftovers, [process]);
    const again = await call("stop_bash", { shellId: "left" });
    assert.match(again.text, /it was over before this call$/);
  });

  it("of an async command that may not run is over at once, with the reason", async () => {
    const strict = await toolWorld({ runtime: { mode: "default" } });
    const { text, isError, details } = await strict.call("bash", {
      command: "touch a",
      mode: "async",
    });
    assert.match(text, /^\(no output\)\nnot run: denied: /);
    assert.equal(isError, true);
    assert.equal(details.outcome, "denied");
  });
});

describe("what a person sees of a call", () => {
  it("is its start, its output as it comes, and its end", async () => {
    const updates: ToolUpdate[] = [];
    const { details: { taskId } } = await call("bash", { command: "echo a; sleep 0.2; echo b" }, {
      onUpdate: (update) => updates.push(update),
    });
    const [started, ...others] = updates;
    assert.equal(started?.type, "started");
    assert.deepEqual(others.at(-1), { type: "exited", taskId, exitCode: 0 });
    const texts = others.map((update) => update.type === "output" ? update.text : "");
    assert.equal(texts.join(""), "a\nb\n");
  });

  it("cuts no character that comes in parts", async () => {
    let text = "";
    await call("bash", { command: "printf 'a\\xc3'; sleep 0.2; printf '\\xbcb\\n'" }, {
      onUpdate: (update) => void (update.type === "output" && (text += update.text)),
      updateEveryMs: 10,
    });
    assert.equal(text, "aüb\n");
  });
});

describe("URLs in a call", () => {
  it("leave no file behind a host that exits without a close", () => {
    const host = runArgs(new URL("./fixture/left-behind.ts", import.meta.url));
    const file = execFileSync(process.execPath, host, { encoding: "utf8" });
    assert.match(file, /shellflow-tools_\w+\/local\/a\/b$/);
    assert.ok(!existsSync(join(file, "../../..")));
  });

  it("stand for files: the output of a task, and files of the runtime", async () => {
    const { details: { taskId } } = await call("bash", { command: "printf 'one\\ntwo\\n'" });
    const sorted = await call("bash", {
      command: `sort -r artifact://${taskId} > local://x/out.txt`,
    });
    assert.equal(sorted.text, "(no output)\nexit code 0");
    const { text } = await call("bash", {
      command: 'cat "$FILE"; echo https://example.com',
      env: { FILE: "local://x/out.txt" },
    });
    assert.equal(text, "two\none\nhttps://example.com\nexit code 0");
  });

  it("name a shell for its last command, schemes in either case, and directories to run in", async () => {
    await call("bash", { command: "echo last", shellId: "named" });
    const { text } = await call("bash", { command: "cat ARTIFACT://named" });
    assert.equal(text, "last\nexit code 0");
    const made = await call("bash", { command: "pwd", cwd: "local://new/directory" });
    assert.match(made.text, /\/local\/new\/directory\nexit code 0$/);
  });

  it("may stand for one file many times, in calls at once as well", async () => {
    const spill = false;
    const { call } = await toolWorld({ runtime: { output: { spill } } });
    const { details: { taskId } } = await call("bash", { command: "echo a b" });
    const quoted = `artifact://${taskId} 'artifact://${taskId}' "artifact://${taskId}" `;
    const calls = [1, 2].map(() => call("bash", { command: `cat ${quoted.repeat(100)} | wc -l` }));
    const texts = (await Promise.all(calls)).map(({ text }) => text);
    assert.deepEqual(texts, ["300\nexit code 0", "300\nexit code 0"]);
  });

  it("do not pass off what is kept of an output as all of it", async () => {
    const spill = false;
    const { call } = await toolWorld({
      runtime: { output: { spill } },
      tools: { maxOutputLines: 9 },
    });
    const { text: whole } = await call("bash", { command: "seq 100" });
    assert.match(whole, /; all of it is artifact:\/\/\w+\]\nexit code 0$/);
    const { text, details: { taskId } } = await call("bash", { command: "seq 20000" });
    assert.match(text, /; what is kept of it is artifact:\/\/\w+\]\nexit code 0$/);
    const lost = "[bytes 10240 to 67934 are lost]";
    const found = await call("read_bash", { shellId: taskId, search: "^5000$" });
    assert.equal(found.text, `${lost}\n[no line matches]\nexit code 0`);
    // However much is lost, one answer says so, and where to read on.
    const before = await call("read_bash", { shellId: taskId, from: 10_220 });
    assert.deepEqual(before.details.range, { from: 10_220, to: 10_240 });
    const page = await call("read_bash", { shellId: taskId, from: 10_240 });
    assert.match(page.text, /^\[\.\.\. .* 57694 of them lost \.\.\.\]\n[^]*"from":67934\}$/);
    const file = await call("bash", { command: `grep -c . artifact://${taskId}; grep byte $_` });
    assert.match(file.text, /^\d+\n\[bytes 10240 to 67934 are lost\]\nexit code 0$/);
  });

  it("that mean nothing are errors before anything runs", async () => {
    const wrong = [
      [{ command: "cat artifact://task_nix" }, /there is no such task or shell/],
      [{ command: "ls", cwd: "local://a/../.." }, /relative path/],
      [{ command: "cat local://../../etc/passwd" }, /relative path/],
      [{ command: "cat local:///etc/passwd" }, /relative path/],
      [{ command: "ls", cwd: "nix://x" }, /nothing resolves "nix:\/\/"/],
      [{ command: "ls", cwd: `local://${"x".repeat(300)}` }, /cwd: ENAMETOOLONG/],
    ] as const;
    for (const [input, why] of wrong) {
      const { text, details } = await call("bash", input);
      assert.match(text, why);
      assert.equal(details.shell_error_category, "invalid_input");
    }
  });

  it("of further schemes are resolved by the host's own resolvers", async () => {
    const file = join(directory, "with space");
    writeFileSync(file, "found\n");
    const own = await toolWorld({
      tools: { resolvers: { note: (name) => join(directory, name.replace("_", " ")) } },
    });
    for (const url of ["note://with_space", '"note://with_space"', "'note://with_space'"]) {
      const { text } = await own.call("bash", { command: `cat ${url}` });
      assert.equal(text, "found\nexit code 0");
    }
    assert.equal(readFileSync(file, "utf8"), "found\n");
    const none = await toolWorld({ tools: { resolvers: { note: () => undefined as never } } });
    const { text } = await none.call("bash", { command: "cat note://x" });
    assert.match(
      text,
      /Cannot resolve "note:\/\/x": its resolver answered undefined, which is no path/,
    );
    const slow = await toolWorld({ tools: { resolvers: { note: () => new Promise(() => {}) } } });
    const over = new AbortController();
    const input = { command: "cat note://x" };
    const waiting = slow.call("bash", input, { signal: over.signal });
    over.abort();
    assert.match((await waiting).text, /^Cannot run the command: the call was aborted before/);
  });
});

describe("options of the tools", () => {
  it("let one call wait at a time, end waits early, and stop what is aborted", async () => {
    const slow = gate();
    const exclusive = await toolWorld({
      tools: { concurrency: "exclusive", autoBackgroundSeconds: 0.3, onAbort: "stop" },
    });
    const first = exclusive.call("bash", { command: slow.wait });
    const started: string[] = [];
    const second = exclusive.call("bash", { command: "echo second" }, {
      onTask: (taskId) => started.push(taskId),
    });
    assert.match((await first).text, /, after 0.3 s/);
    slow.open();
    assert.equal((await second).text, "second\nexit code 0");
    assert.equal(started.length, 1);
    const busy = gate();
    const third = exclusive.call("bash", { command: busy.wait });
    const given = new AbortController();
    const waiting = exclusive.call("bash", { command: "echo fourth" }, { signal: given.signal });
    given.abort();
    assert.match((await waiting).text, /^Cannot run the command: the call was aborted before/);
    busy.open();
    await third;
    const over = new AbortController();
    const aborted = await exclusive.call("bash", { command: "sleep 60" }, {
      signal: over.signal,
      onUpdate: ({ type }) => type === "started" && over.abort(),
    });
    assert.match(aborted.text, /ended by SIG|aborted/);
    assert.equal(aborted.isError, true);
  });
});
