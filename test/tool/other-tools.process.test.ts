import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { Subject } from "rxjs";
import type { ToolsOptions } from "../../src/tool/configuration.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { createTools } from "../../src/tool/create-tools.ts";
import { renderResult } from "../../src/tool/render/render.ts";
import { lastUserOutput, runForUser, USER_RECIPES } from "../../src/tool/user/user-surface.ts";
import { gate } from "../gate.ts";
import { shellOf, toolWorld } from "./world.ts";
import type { ForeignTask, ListedCommand } from "../../src/tool/tool.ts";

const { call, runtime, tools, directory } = await toolWorld();

describe("the options of tools", () => {
  const rows: readonly (readonly [object, RegExp])[] = [
    [{ maxWait: 5 }, /with maxWait 5: there is no such option/],
    [{ tools: ["walk"] }, /with tools\.0 "walk": /],
    [{ maxWaitSeconds: "x" }, /with maxWaitSeconds "x": /],
    [{ timeoutSeconds: NaN }, /with timeoutSeconds NaN: /],
    [{ maxOutputChars: 0 }, /with maxOutputChars 0: /],
    [{ onAbort: "Stop" }, /with onAbort "Stop": /],
    [{ owner: "" }, /with owner "": it is empty/],
    [{ steering: 5 }, /with steering 5: /],
    [{ names: { run: "my shell" } }, /with names\.run "my shell": it must have 1 to 64 letters/],
    [{ names: { walk: "x" } }, /with names\.walk "x": there is no such option; there are run, /],
    [{ resolvers: { Memo: () => "" } }, /with resolvers\.Memo "Memo": it is no scheme in lower/],
    [{ resolvers: { local: () => "" } }, /with resolvers\.local "local": the tools resolve it/],
    [{ names: { run: "list_bash" } }, /with names .*: two tools have the same name/],
  ];
  for (const [options, message] of rows) {
    it(`are refused: ${JSON.stringify(options)}`, () => {
      assert.throws(() => createTools(runtime, options as ToolsOptions), message);
    });
  }
});

it("tools have the names that they are given, also in what they say", async () => {
  const own = createTools(runtime, { names: { run: "shell", read: "shell-output" } });
  const names = own.tools.map(({ name }) => name);
  assert.deepEqual(names, ["shell", "shell-output", "write_bash", "stop_bash", "list_bash"]);
  const slow = gate();
  const { text, details } = await own.call("shell", { command: slow.wait, initial_wait: 0.05 });
  assert.equal(details.tool, "shell");
  assert.match(text, /\nWait for it with shell-output \{/);
  slow.open();
  const read = await own.call("shell-output", { shellId: details.taskId, until: "exit" });
  assert.equal(read.details.exitCode, 0);
  for (const { description } of own) assert.ok(!/\b(read_bash|bash with)\b/.test(description));
});

it("tools need a runtime", () => {
  const message = /^Cannot make tools for .*: it is no runtime; await createRuntime\(\)$/;
  const none: readonly Runtime[] = JSON.parse('[null, {}, "runtime"]');
  for (const given of none) {
    assert.throws(() => createTools(given), { name: "TypeError", message });
  }
});

it("a call rejects for a context that cannot be used, before anything runs", async () => {
  const before = runtime.tasks.current.byId.size;
  const context = { signl: AbortSignal.timeout(1) } as object;
  await assert.rejects(call("bash", { command: "echo hi" }, context), {
    name: "TypeError",
    message:
      /^Cannot call "bash" with signl \{\}: there is no such option; there are signal, onUpdate, /,
  });
  assert.equal(runtime.tasks.current.byId.size, before);
});

describe("the tool that stops", () => {
  it("closes the shell of a name, also one that has run nothing, and says so once", async () => {
    await call("bash", { command: "true", shellId: "kept" });
    assert.match(
      (await call("stop_bash", { shellId: "kept" })).text,
      /\nshellId "kept" is closed$/,
    );
    assert.doesNotMatch((await call("stop_bash", { shellId: "kept" })).text, /closed/);
    runtime.openSession("unused");
    for (const _ of [1, 2]) {
      const { text, isError } = await call("stop_bash", { shellId: "unused" });
      assert.equal(text, 'shellId "unused" is closed: it has run no command');
      assert.equal(isError, false);
    }
    assert.equal(runtime.sessions.current.byId.get("unused")?.status, "closed");
  });

  it("says so as well where the command had a process of its own there", async () => {
    await call("bash", { command: "cat", input: true, mode: "async", shellId: "typed" });
    assert.match(
      (await call("stop_bash", { shellId: "typed" })).text,
      /\nended by SIGTERM \(stop\)\nshellId "typed" is closed$/,
    );
    const { details } = await call("bash", { command: "cat", input: true, mode: "async" });
    const { text } = await call("stop_bash", { shellId: details.shellId });
    assert.match(text, /\nended by SIGTERM \(stop\)$/);
  });
});

describe("the tool that reads", () => {
  it("shows each owner what it has not read, and consumes nothing", async () => {
    const slow = gate();
    const started = await call("bash", {
      command: `echo one; ${slow.wait}; echo two`,
      mode: "async",
      until: "output",
    });
    const shellId = shellOf(started);
    assert.match((await call("read_bash", { shellId })).text, /^\(no new output\)\n/);
    const other = await call("read_bash", { shellId }, { owner: "other" });
    assert.match(other.text, /^one\nstill running/);
    slow.open();
    const rest = await call("read_bash", { shellId, until: "exit" });
    assert.equal(rest.text, "two\nexit code 0");
    assert.equal((await call("read_bash", { shellId, from: 0 })).text, "one\ntwo\nexit code 0");
  });

  it("cuts no character, neither in a part nor while its command still writes", async () => {
    const slow = gate();
    const started = await call("bash", {
      command:
        `printf 'ab\\xe6\\x97'; ${slow.wait}; printf '\\xa5\\e[3'; ${slow.wait}; printf '1mred\\n'`,
      mode: "async",
      until: "output",
    });
    const shellId = shellOf(started);
    assert.match(started.text, /^ab\nstill running/);
    slow.open();
    const more = await call("read_bash", { shellId, delay: 30 });
    assert.match(more.text, /^\u65e5\nstill running/);
    slow.open();
    const rest = await call("read_bash", { shellId, until: "exit" });
    assert.equal(rest.text, "red\nexit code 0", "an escape sequence is not cut either");

    const narrow = createTools(runtime, { maxOutputChars: 1_000 });
    const written = Array.from({ length: 200 }, (_, i) => `\u65e5\u672c\u8a9e ${i}`).join("\n");
    const { details } = await narrow.call("bash", { command: `printf %s '${written}'` });
    const { length } = new TextEncoder().encode(written);
    let shown = "";
    // From the second byte of a character on: what is left of that is not shown.
    for (let from = 1; from < length;) {
      const part = await narrow.call("read_bash", { shellId: details.taskId, from });
      shown += part.text.replace(/\n?exit code 0[^]*/, "");
      from = part.details.range?.to ?? Infinity;
    }
    assert.equal(shown.replaceAll("\n", ""), written.slice(1).replaceAll("\n", ""));
  });

  it("shows a character that is never completed, and goes on behind it", async () => {
    const slow = gate();
    const started = await call("bash", {
      command: `printf '\\xe6'; ${slow.wait}; echo x`,
      mode: "async",
      until: "output",
    });
    assert.match(started.text, /^\ufffd\nstill running/);
    slow.open();
    const rest = await call("read_bash", { shellId: shellOf(started), until: "exit" });
    assert.equal(rest.text, "x\nexit code 0");
  });

  it("leaves unread what the answer to an aborted call shows, and its end a notice", async () => {
    const slow = gate();
    const over = new AbortController();
    const aborted = await call("bash", { command: `echo one; ${slow.wait}; echo two` }, {
      signal: over.signal,
      onUpdate: ({ type }) => type === "output" && over.abort(),
    });
    assert.match(aborted.text, /^one\nstill running as .*, as the wait was aborted/);
    const shellId = shellOf(aborted);
    const read = await call("read_bash", { shellId, until: "exit" }, {
      signal: AbortSignal.timeout(50),
    });
    assert.match(read.text, /^one\nstill running/);
    slow.open();
    await runtime.wait(`${aborted.details.taskId}`);
    const [notice] = await runtime.notices.drain("agent");
    assert.equal(notice?.commandId, aborted.details.taskId);
    const rest = await call("read_bash", { shellId });
    assert.equal(rest.text, "one\ntwo\nexit code 0");
    assert.deepEqual(await runtime.notices.drain("agent"), []);
  });

  it("waits for the first news of several commands", async () => {
    const [slow, quick] = [gate(), gate()];
    const [a, b] = await Promise.all(
      [slow, quick].map(async ({ wait }, i) =>
        shellOf(await call("bash", { command: `${wait}; echo ${i}`, mode: "async" }))
      ),
    );
    const both = call("read_bash", { shellId: [a, b], until: "exit", delay: 60 });
    quick.open();
    const { text, details } = await both;
    assert.match(text, new RegExp(`== ${a} .*\\n\\(no new output\\)\\nstill running`));
    assert.match(text, new RegExp(`== ${b} .*\\n1\\nexit code 0`));
    assert.ok(Array.isArray(details["commands"]));
    slow.open();
    await call("read_bash", { shellId: a, until: "exit" });
  });

  it("has one limit for the output of several commands, which share what one of them leaves", async () => {
    const world = await toolWorld({ tools: { maxOutputChars: 3_000, maxOutputLines: 100 } });
    const lengthOf = async (...commands: readonly string[]) => {
      const started = commands.map((command) =>
        world.call("bash", { command, mode: "async", until: "exit", shellId: command })
      );
      await Promise.all(started);
      const shellId = [...commands];
      const { text } = await world.call("read_bash", { shellId, from: 0 });
      return text.split("\n").filter((line) => /^\d+$/.test(line)).length;
    };
    assert.equal(await lengthOf("seq 201"), 100);
    assert.equal(await lengthOf("seq 202", "seq 203"), 100);
    assert.equal(await lengthOf("seq 204", "seq 205", "seq 206", "seq 207"), 100);
    assert.ok(await lengthOf("seq 10", "seq 208") >= 90);
  });

  it("shows a line of each of several commands, also where there are more of them than lines", async () => {
    const { call } = await toolWorld({ tools: { maxOutputLines: 1 } });
    const shellId = ["a", "b", "c"];
    for (const name of shellId) await call("bash", { command: `echo ${name}`, shellId: name });
    const { text } = await call("read_bash", { shellId, from: 0 });
    assert.deepEqual(text.match(/^[abc]$/gm), shellId);
  });

  it("says of each of several commands that a message has ended the wait for them", async () => {
    const slow = gate();
    const steering = new Subject<void>();
    const { call } = await toolWorld({ tools: { steering } });
    const start = async () => shellOf(await call("bash", { command: slow.wait, mode: "async" }));
    const shellId = [await start(), await start()];
    setTimeout(() => steering.next(), 50);
    const { text } = await call("read_bash", { shellId, delay: 60 });
    assert.equal(text.match(/^still running .* by a message$/gm)?.length, 2);
  });

  it("leaves unread what comes before a place that the output has not reached", async () => {
    const slow = gate();
    const command = `echo one; ${slow.wait}; echo two`;
    const shellId = shellOf(await call("bash", { command, mode: "async", until: "output" }));
    const beyond = await call("read_bash", { shellId, from: 400 });
    assert.match(beyond.text, /^from 400 is beyond the output, which has 4 bytes$/m);
    assert.deepEqual(beyond.details.range, { from: 4, to: 4 });
    slow.open();
    const rest = await call("read_bash", { shellId, until: "exit" });
    assert.equal(rest.text, "two\nexit code 0");
    const other = { owner: "late" };
    await call("read_bash", { shellId, from: 400 }, other);
    assert.equal((await call("read_bash", { shellId }, other)).text, "one\ntwo\nexit code 0");
  });

  it("shows each line around matches once", async () => {
    const { details: { taskId } } = await call("bash", { command: "seq 30" });
    const { text } = await call("read_bash", {
      shellId: taskId,
      search: "^(2|3|6|8)$",
      context: 1,
    });
    assert.equal(
      text,
      "  1\n2: 2\n3: 3\n  4\n  5\n6: 6\n  7\n8: 8\n  9\nexit code 0",
    );
  });

  it("searches with the numbers of lines", async () => {
    const { details: { taskId } } = await call("bash", { command: "seq 2000" });
    const { text } = await call("read_bash", { shellId: taskId, search: "^1?999$", context: 1 });
    assert.equal(text, "  998\n999: 999\n  1000\n--\n  1998\n1999: 1999\n  2000\nexit code 0");
    const none = await call("read_bash", { shellId: taskId, search: "x" });
    assert.match(none.text, /^\[no line matches\]/);
    const wrong = await call("read_bash", { shellId: taskId, search: "(" });
    assert.equal(wrong.details.shell_error_category, "invalid_input");
  });
});

describe("an id that serves no more", () => {
  it("is answered by its class, its state and what to do", async () => {
    const { taskId } = (await call("bash", { command: "echo x", shellId: "done" })).details;
    const failed = await call("bash", { command: "kill -9 $$", shellId: "failed" });
    const running = await call("bash", { command: "sleep 60", shellId: "stopped", mode: "async" });
    await call("stop_bash", { shellId: shellOf(running) });
    const write = async (shellId: string | undefined) => {
      const { text, isError, details } = await call("write_bash", { shellId, input: "y" });
      assert.equal(isError, true);
      assert.equal(details.shell_operation, "write_bash");
      return `${details.shell_error_category}: ${text}`;
    };
    assert.match(
      await write("done"),
      new RegExp(`^completed: .*${taskId} is over: exit code 0\\. read_bash`),
    );
    assert.match(await write(shellOf(failed)), /^failed: .*ended by SIGKILL/);
    assert.match(await write("stopped"), /^stopped: .*ended by SIGTERM \(stop\)/);
    const late = await call("bash", { command: "sleep 60", timeout: 1, shellId: "late" });
    assert.match(await write(shellOf(late)), /^failed: .*timed out after 1 s/);
    const { details } = await call("write_bash", { shellId: "late", input: "y" });
    assert.deepEqual([details.outcome, details.shell_diagnostic], ["timedOut", "failed: timedOut"]);
    assert.match(await write("nix"), /^unknown_id: .*the newest shells are/);
    assert.match((await call("read_bash", { shellId: "nix" })).text, /Cannot find "nix"/);
  });
});

it("an output that is not kept any more is no defect, however it is read", async () => {
  const output = { ended: { logs: 1, bytes: 1 } };
  const world = await toolWorld({ runtime: { output } });
  for (const shellId of ["a", "b", "c"]) {
    await world.call("bash", { command: "seq 9", shellId });
  }
  for (const how of [{ from: 0 }, { search: "5" }]) {
    const { text, details } = await world.call("read_bash", { shellId: "a", ...how });
    assert.match(text, /^Cannot read "task_\w+": its output was released$/);
    assert.equal(details.shell_error_category, "reclaimed");
  }
  await world.call("bash", { command: "echo new", shellId: "d", mode: "async", until: "input" });
  const several = await world.call("read_bash", { shellId: ["d", "a"] });
  assert.match(
    several.text,
    /^== d .*\n\(no new output\)\n.*\n\n== a .*: its output was released$/s,
  );
  assert.equal(several.isError, false);
  await world.call("bash", { command: "sleep 0.1; echo unread", shellId: "e", mode: "async" });
  await world.runtime.wait(world.runtime.sessions.current.byId.get("e")?.current ?? "");
  for (const shellId of ["f", "g"]) await world.call("bash", { command: "seq 9", shellId });
  const [notice] = await world.runtime.notices.drain();
  assert.match(
    notice?.text ?? "",
    /\nIt ended: exit code 0\n\(its output is not kept any more\)\n/,
  );
  const stopped = await world.call("stop_bash", { shellId: "e" });
  assert.match(stopped.text, /^\[Cannot read "task_\w+": its output was released\]\nexit code 0\n/);
  assert.equal(stopped.isError, false);
});

describe("the tool that writes", () => {
  it("is there only where commands take input, and its keys reach the command", async () => {
    const value = { ...runtime.capabilities, input: false, terminal: false };
    const without: Runtime = Object.create(runtime, { capabilities: { value } });
    assert.ok(!createTools(without).suite.kinds.includes("write"));
    const asks = await call("bash", {
      command: "echo name?; read name; echo hello $name; cat; echo over",
      input: true,
      until: "/name/",
    });
    assert.match(
      asks.text,
      /\nType into it with write_bash \{"shellId":"[^"]*","input":"…\{enter\}"\}\. /,
    );
    const shellId = shellOf(asks);
    const { text, details } = await call("write_bash", {
      shellId,
      input: "{world}{enter}",
      until: "/hello/",
      delay: 30,
    });
    assert.match(text, /^hello \{world\}\nstill running/);
    assert.equal(details.tool, "write_bash");
    const wrong = await call("write_bash", { shellId, input: "{ctrl-return}" });
    assert.equal(wrong.details.shell_error_category, "invalid_input");
    const unclear = await call("write_bash", { shellId, input: "no{enter}", until: "/(/" });
    assert.match(unclear.text, /^Invalid input \(nothing was run\): until: /);
    const end = await call("write_bash", { shellId, input: "more{ctrl-d}", until: "exit" });
    assert.equal(end.text, "moreover\nexit code 0");
  });

  it("answers with the end of the command that follows at once", async () => {
    const command = "read name; echo hello $name; exit 3";
    const shellId = shellOf(await call("bash", { command, input: true, mode: "async" }));
    const { text } = await call("write_bash", { shellId, input: "Bob{enter}" });
    assert.equal(text, "hello Bob\nexit code 3");
  });

  it("types nothing where its call was aborted while its expression was read", async () => {
    const { call, runtime } = await toolWorld();
    const { details: { taskId = "" } } = await call("bash", {
      command: "cat",
      input: true,
      mode: "async",
    });
    const calling = new AbortController();
    const { signal } = calling;
    const written = call("write_bash", { shellId: taskId, input: "a{enter}", until: "/a/" }, {
      signal,
    });
    calling.abort();
    assert.match((await written).text, /the call was aborted before it began/);
    const types: string[] = [];
    runtime.events.subscribe(({ event }) => types.push(event.type)).unsubscribe();
    assert.ok(!types.includes("command.inputWritten"), types.join());
  });

  it("is refused by a command without input", async () => {
    const slow = gate();
    const shellId = shellOf(await call("bash", { command: slow.wait, mode: "async" }));
    const refused = await call("write_bash", { shellId, input: "y" });
    assert.equal(refused.details.shell_error_category, "takes_no_input");
    assert.match(refused.text, /takes no input; start it with "input": true or "pty": true/);
    slow.open();
    await call("read_bash", { shellId, until: "exit" });
  });

  it("interrupts a command without a terminal by the key for that", async () => {
    const shellId = shellOf(
      await call("bash", { command: "sleep 60", input: true, mode: "async" }),
    );
    const { details, text } = await call("write_bash", {
      shellId,
      input: "{ctrl-c}",
      until: "exit",
    });
    assert.equal(details.signal, "SIGINT");
    assert.match(text, /^ended by SIGINT \(on request\)/m);
  });

  it("holds a conversation on a terminal, whose screen is shown once a program draws on it", async () => {
    const started = await call("bash", {
      command: "python3 -iq",
      pty: true,
      env: { PYTHON_BASIC_REPL: "1" },
    });
    const shellId = shellOf(started);
    assert.match(started.text, /^>>>\s*\nwaiting for input as .*: >>>\nAnswer with write_bash/);
    const product = await call("write_bash", { shellId, input: "6 * 7{enter}", delay: 30 });
    assert.match(product.text, /^6 \* 7\n42\n>>>/);
    assert.equal(product.details.status, "input_required");
    assert.match(
      (await call("list_bash", {})).text,
      new RegExp(`${shellId}  .*  input_required  `),
    );
    const draw = "print('\\x1b[2J\\x1b[3;5Hhere\\x1b]0;name\\x07\\x1b]9;9;/\\x07'){enter}";
    const { text } = await call("write_bash", { shellId, input: draw, delay: 30 });
    assert.match(
      text,
      /^\[screen of 200 x 50, cursor in row 4, column \d, title "name", program reports \{"cwd":"\/"\}\]\n\n\n {4}here\n>>>/,
    );
    assert.match((await call("stop_bash", { shellId })).text, /ended by SIG/);
  });

  it("waits for what a program draws that takes keys all the time", async () => {
    const program = [
      "import select, signal, tty",
      'draw = lambda text: print("\\x1b[2J\\x1b[H" + text, flush=True)',
      'signal.signal(signal.SIGUSR1, lambda *_: draw("later"))',
      "tty.setcbreak(0)",
      'draw("first")',
      "select.select([0], [], [])",
    ].join("\n");
    const started = await call("bash", { command: `python3 -c '${program}'`, pty: true });
    assert.match(
      started.text,
      /^\[screen .*\]\nfirst\nwaiting for keys as shellId "\w+", task \w+\n/,
    );
    const shellId = shellOf(started);
    const reading = call("read_bash", { shellId, delay: 30 });
    runtime.signal(started.details.taskId ?? "", "SIGUSR1");
    const { text, details } = await reading;
    assert.match(text, /^\[screen .*\]\nlater\n/);
    assert.equal(details.waitEnded, "output");
    const end = await call("write_bash", { shellId, input: "q", until: "exit" });
    assert.equal(end.details.exitCode, 0);
  });

  it("shows the screen as a full-screen program has left it, and no drawing", async () => {
    const program = [
      "printf 'before\\n\\033[?1049h\\033[2J\\033[3;5Hdrawing'",
      "read -rn1",
      "printf 'more\\033[7;7Hdrawn\\033[?1049l\\033[?25hafter\\n'",
    ].join("; ");
    const shellId = shellOf(await call("bash", { command: program, pty: true }));
    const { text } = await call("write_bash", { shellId, input: "q", until: "exit" });
    assert.equal(
      text,
      "[screen of 200 x 50, cursor in row 3, column 1]\nbefore\nafter\nexit code 0",
    );
  });

  it("shows all lines of a command that has cleared its screen first", async () => {
    const { text } = await call("bash", { command: "printf '\\033[H\\033[J'; seq 60", pty: true });
    assert.match(text, /1\n2\n[^]*\n59\n60\nexit code 0$/);
  });
});

describe("the tool that lists", () => {
  it("says of which command the output is not kept, and for which no notice is wanted", async () => {
    const world = await toolWorld({
      runtime: { output: { ended: { logs: 1, bytes: 1e9 } } },
      tools: { notices: false },
    });
    const input = { mode: "async", until: "exit" };
    const gone = await world.call("bash", { command: "echo one", ...input });
    for (const word of ["two", "three"]) {
      await world.call("bash", { command: `echo ${word}`, ...input });
    }
    const { text, details } = await world.call("list_bash", {});
    const rows = details.commands as readonly ListedCommand[];
    const row = rows.find(({ taskId }) => taskId === gone.details.taskId);
    assert.deepEqual([row?.retained, row?.notify], [false, false]);
    assert.match(text, /^\S+ {2}\S+ {2}async .* {2}output not kept {2}echo one$/m);
    const read = await world.call("read_bash", { shellId: gone.details.taskId });
    assert.equal(read.details.shell_error_category, "reclaimed");
  });

  it("shows the newest 20 that ended, and how many there are besides", async () => {
    const world = await toolWorld({});
    const numbers = Array.from({ length: 23 }, (_, i) => i);
    for (const i of numbers) {
      await world.call("bash", { command: `echo ${i}`, mode: "async", until: "exit" });
    }
    const { text } = await world.call("list_bash", {});
    const [more, ...rows] = text.split("\n");
    assert.equal(more, "[3 more ended earlier; their ids can still be read]");
    assert.deepEqual(
      rows.map((row) => Number(/echo (\d+)$/.exec(row)?.[1])),
      numbers.slice(3),
    );
  });

  it("names the field by which an answer of the framework cannot be used", async () => {
    const list = () => [{ id: "a", description: "b", status: "busy" }] as unknown as ForeignTask[];
    const { call } = await toolWorld({ tools: { foreign: { list, promote: () => false } } });
    const { text, isError } = await call("list_bash", {});
    assert.match(text, /^Cannot use what foreign answers: list\.0\.status "busy": /);
    assert.equal(isError, true);
  });

  it("shows what runs, what ended in the background, and tasks of the framework", async () => {
    const slow = gate();
    const promoted: string[] = [];
    const world = await toolWorld({
      tools: {
        foreign: {
          list: (owner) => [{ id: "agent-1", description: `for ${owner}`, status: "working" }],
          promote: (id) => promoted.push(id) > 0,
        },
      },
    });
    const ended = await world.call("bash", { command: "echo bye", mode: "async", until: "exit" });
    const live = await world.call("bash", {
      command: slow.wait,
      description: "Wait\nfor it",
      initial_wait: 0,
    });
    await world.call("bash", { command: "echo sync" });
    const server = await world.call("bash", { command: "sleep 61 & echo up", shellId: "server" });
    const { text, details } = await world.call("list_bash", {});
    const [first = "", second = "", left = "", third = "", ...others] = text.split("\n");
    assert.match(first, new RegExp(`^${live.details.shellId}  ${live.details.taskId}  promoted  `));
    assert.match(first, /\(Wait for it\)$/);
    assert.match(
      left,
      new RegExp(
        `^server  ${server.details.taskId}  sync  exit code 0 .*left running: sleep 61 \\(`,
      ),
    );
    assert.match(
      second,
      new RegExp(`^${ended.details.shellId} .* async  exit code 0  .*unread 0 bytes`),
    );
    assert.equal(third, "agent-1  working  for agent");
    assert.deepEqual(others, []);
    assert.equal((details["commands"] as readonly unknown[]).length, 3);
    const [row] = details.commands as readonly ListedCommand[];
    assert.deepEqual([row?.mode, row?.notify, row?.retained], ["promoted", true, true]);
    assert.match(second, / {2}started \S+Z {2}ended \S+Z {2}/);
    assert.equal(world.tools.promote("agent-1"), true);
    assert.deepEqual(promoted, ["agent-1"]);
    slow.open();
    await world.call("read_bash", { shellId: live.details.shellId, until: "exit" });
  });
});

describe("a detached command", () => {
  it("reports its process and files, outlives the runtime, and is found by the next one", async () => {
    const slow = gate();
    const log = join(directory, "log");
    const first = await toolWorld({ runtime: { log } });
    const command = `echo detached; ${slow.wait}; echo over`;
    const started = await first.call("bash", {
      command,
      mode: "async",
      detach: true,
      until: "output",
    });
    assert.match(started.text, /^detached\ndetached as shellId .*: process \d+, log .*, pid file /);
    const { taskId } = started.details;
    const refused = await first.call("write_bash", { shellId: taskId, input: "y" });
    assert.equal(refused.details.shell_error_category, "detached");
    await first.runtime.close();
    const next = await toolWorld({ runtime: { log } });
    const [live] = next.runtime.notices.background("agent");
    assert.equal(live?.commandId, taskId);
    slow.open();
    const ended = await next.call("read_bash", { shellId: taskId, until: "exit" });
    assert.equal(ended.text, "over\nexit code 0");
    const file = ended.details;
    assert.equal(file.status, "completed");
    const cat = await next.call("bash", { command: `cat artifact://${taskId}` });
    assert.equal(cat.text, "detached\nover\nexit code 0");
    await next.runtime.close();
  });
});

describe("notices about commands of tools", () => {
  it("come for three that end at once, three times, and survive a restart until acknowledged", async () => {
    const slow = gate();
    const log = join(directory, "notices");
    const first = await toolWorld({ runtime: { log } });
    const started = await Promise.all(
      [1, 2, 3].map((n) =>
        first.call("bash", { command: `${slow.wait}; echo ${n}; exit ${n - 1}`, mode: "async" })
      ),
    );
    slow.open(3);
    await Promise.all(started.map(({ details }) => first.runtime.wait(details.taskId ?? "")));
    const due = await first.runtime.notices.drain("agent");
    assert.deepEqual(due.map(({ kind }) => kind).sort(), ["completed", "failed", "failed"]);
    const [acknowledged] = due;
    first.runtime.notices.ack([acknowledged?.id ?? ""]);
    await first.runtime.close();
    const next = await toolWorld({ runtime: { log } });
    const again = await next.runtime.notices.drain("agent");
    assert.deepEqual(again.map(({ id }) => id), due.slice(1).map(({ id }) => id));
    const [text = ""] = again.map(({ text }) => text);
    assert.match(text, /^It ended: exit code \d$/m);
    assert.match(text, /The end of its output \(untrusted\):\n\d$/m);
    assert.match(readFileSync(join(log, events(log)), "utf8"), /"notice\.acknowledged"/);
    await next.runtime.close();
  });
});

describe("a command of a person", () => {
  it("is run by a recipe, which says whether its output joins the conversation", async () => {
    const git = await runForUser(tools, 'echo "$GIT_EDITOR"', { recipe: USER_RECIPES.git });
    assert.equal(git.result.text, "true\nexit code 0");
    assert.equal(git.joins, false);
    const test = await runForUser(tools, "echo bad; exit 1", { recipe: USER_RECIPES.test });
    assert.equal(test.joins, true);
    assert.equal(test.message, "The user ran: echo bad; exit 1\nbad\nexit code 1");
    assert.equal(test.tokens, 12);
    assert.equal((await runForUser(tools, "echo ok")).joins, "ask");
    assert.equal(await lastUserOutput(tools), "The user ran: echo ok\nok\nexit code 0");
    const whole = await runForUser(tools, `cat artifact://${test.result.details.taskId}`);
    assert.equal(whole.result.text, "bad\nexit code 0");
    const none = await runForUser(tools, "cat artifact://task_nix", { recipe: USER_RECIPES.test });
    assert.match(none.result.text, /nothing was run.*no such task or shell/);
    assert.equal(none.joins, true);
    const { result: wide } = await runForUser(tools, "printf %05000d 1");
    const [row] = renderResult(wide, { columns: 10_000 }).split("\n");
    assert.equal(row, `${"0".repeat(4_000)}…`);
    // @ts-expect-error: a caller without types, who takes the name for the recipe.
    const misnamed = runForUser(tools, "echo no", { recipe: "test" });
    await assert.rejects(misnamed, { name: "TypeError", message: /with recipe "test": / });
    const over = new AbortController();
    await assert.rejects(runForUser(tools, JSON.parse("5")), {
      name: "TypeError",
      message: "Cannot run what the user typed with command 5: it must be a string",
    });
    const aborted = runForUser(tools, "sleep 60", {
      signal: over.signal,
      onUpdate: ({ type }) => type === "started" && over.abort(),
    });
    assert.equal((await aborted).result.details.signal, "SIGTERM");
  });
});

function events(log: string): string {
  return readdirSync(log).filter((name) => name.endsWith(".ndjson")).sort()[0] ?? "";
}
