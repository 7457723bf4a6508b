import assert from "node:assert/strict";
import process from "node:process";
import { describe, it } from "node:test";
import type { Question } from "../../../src/permission/asker.ts";
import { until } from "../../until.ts";
import { terminalWorld } from "./world.ts";

const { runtime, events, start } = await terminalWorld();
const python = "python3 -iq";
const env = { PYTHON_BASIC_REPL: "1" };

describe("input", () => {
  it("is text, keys or bytes, and goes to a pipe as well, up to its end", async () => {
    const { taskId, output, result } = runtime.start("cat", { input: true });
    await output;
    await runtime.input(taskId, "one {enter}\n");
    await runtime.input(taskId, { keys: "two{enter}" });
    await runtime.input(taskId, new TextEncoder().encode("three"), { end: true });
    assert.equal((await result).output, "one {enter}\ntwo\nthree");
  });

  it("stands in the log behind what was written before it", async () => {
    const { taskId, output, result } = runtime.start("cat", { input: true });
    await output;
    for (const [from, text] of ["one\n", "two\n", "three\n"].entries()) {
      await runtime.input(taskId, text, { end: from === 2 });
      await runtime.read(taskId, { from: from * 4, waitMs: 10_000 });
    }
    await result;
    const order = events.filter((event) => "commandId" in event && event.commandId === taskId)
      .map(({ type }) => type).filter((type) => /inputWritten|appended/.test(type));
    const [input, appended] = ["command.inputWritten", "output.appended"];
    assert.deepEqual(order, [input, appended, input, appended, input, appended]);
  });

  it("is encoded for the modes of its terminal", async () => {
    const command = 'stty raw -echo; printf "\\e[?1h\\e[?2004hready"; od -An -c -N 12';
    const it = await start(command, { env });
    await it.shows(/ready/);
    await it.type("{up}");
    await runtime.input(it.taskId, "a\nb");
    const { output } = await it.result;
    assert.match(output.replaceAll(/\s+/g, " "), /ready 033 O A 033 \[ 2 0 0 ~ a \\r b/);
  });

  it("that cannot be used is an error that names the field and the value", async () => {
    // Without lines and without a reader, its terminal takes a few kilobytes.
    const deaf = await start('stty raw -echo; printf "deaf"; sleep 60');
    const { taskId, result } = deaf;
    await deaf.shows(/deaf/);
    const bad = (call: Promise<unknown>, message: RegExp) =>
      assert.rejects(call, { name: "TypeError", message });
    // @ts-expect-error: a caller without types.
    await bad(runtime.input(taskId, 5), /with input: it must be a string/);
    // @ts-expect-error: a caller without types.
    await bad(runtime.input(taskId, "a", { end: 1 }), /with end 1: /);
    await bad(
      runtime.input(taskId, { keys: "{ctrl-nix}" }),
      /"\{ctrl-nix\}": there is no key "nix"/,
    );
    await bad(
      runtime.resize(taskId, { columns: 501, rows: 1 }),
      /columns 501: it must be at most 500/,
    );
    await bad(runtime.resize(taskId, { columns: 1, rows: 0.5 }), /rows 0\.5: it must be a whole/);
    await bad(runtime.screen(taskId, { offset: -1 }), /with offset -1/);
    // @ts-expect-error: a caller without types.
    await bad(runtime.resize(taskId, null), /options null: it must be an object/);
    const pty = (given: unknown, message: RegExp) =>
      // @ts-expect-error: a caller without types.
      assert.throws(() => runtime.start("ls", { pty: given }), { name: "RequestError", message });
    const input = (given: unknown, options: object, message: RegExp) =>
      // @ts-expect-error: a caller without types.
      assert.throws(() => runtime.start("cat", { ...options, input: given }), {
        name: "RequestError",
        message,
      });
    input("x", {}, /with input "x": it must be true, false or "inherit"; runtime\.input/);
    input("inherit", { pty: true }, /with input "inherit": its terminal is its input/);
    input("inherit", { detach: true }, /with input "inherit": a detached command/);
    pty({ columns: 0, rows: 1 }, /with pty\.columns 0: /);
    pty({ columns: "80", rows: 1 }, /with pty\.columns "80": .*number/);
    pty({ columns: 80 }, /with pty\.rows undefined: it is missing/);
    pty({ columns: 80, rows: 1, height: 1 }, /pty\.height 1: there is no such option/);
    pty("yes", /with pty "yes": it must be true, false or \{ columns, rows \}/);
    assert.throws(() => runtime.start("ls", { pty: true, executor: "process" }), {
      message: /executor "process": a command with pty has a terminal/,
    });
    await assert.rejects(runtime.input("task_nix", "a"), /there is no such task/);
    const cutOff = assert.rejects(runtime.input(taskId, "x".repeat(100_000)), {
      name: "InputError",
      refusal: "cutOff",
    });
    await runtime.stop(taskId);
    await cutOff;
    await result;
    await assert.rejects(runtime.input(taskId, "a"), { refusal: "notRunning", name: "InputError" });
    await assert.rejects(runtime.resize(taskId, { columns: 9, rows: 9 }), /it has none now/);
    const other = runtime.start("sleep 60");
    await other.output;
    await assert.rejects(runtime.input(other.taskId, "a"), { refusal: "takesNoInput" });
    await assert.rejects(runtime.screen(other.taskId), /it has no terminal/);
    other.stop();
  });

  it("that a program waits for is an event; a password is marked as such and leaves no trace", async () => {
    const it = await start(
      `python3 -c 'import getpass; print(len(getpass.getpass("Password: ")), input("Name: "))'`,
    );
    const { password, prompt } = await it.waits();
    assert.deepEqual({ password, prompt }, { password: true, prompt: "Password:" });
    await it.type("xyzzy-secret{enter}");
    await it.shows(/Name:/);
    assert.equal((await it.waits()).password, false);
    await it.type("me{enter}");
    assert.match((await it.result).output, /12 me/);
    assert.ok(!JSON.stringify(events).includes("xyzzy"));
    const written = events.filter((event) =>
      event.type === "command.inputWritten" && event.commandId === it.taskId
    );
    assert.deepEqual(written.map((event) => "bytes" in event), [false, true]);
  });
});

describe("what a model types", () => {
  const asked: Question[] = [];
  let answer: "once" | "session" | "deny" = "deny";
  const world = terminalWorld({
    mode: "default",
    rules: {
      allow: ["Bash(bash *)", "Bash(python3 *)", "Bash(cat)", "Bash(echo *)"],
      deny: ["Bash(rm *)"],
    },
    ask: (question) => {
      asked.push(question);
      return Promise.resolve(answer);
    },
  });

  it("is a command where a shell reads it, also in pieces", async () => {
    const { start } = await world;
    const it = await start("bash --norc -i");
    await it.shows(/^bash.*[$#]$/m);
    await it.type("echo ok{enter}");
    await it.shows(/^ok$/m);
    await assert.rejects(it.type("rm -rf x{enter}"), { refusal: "denied", message: /rm/ });
    await it.type("echo a; ");
    await assert.rejects(it.type("rm x{enter}"), { refusal: "denied" });
    await it.type("{ctrl-c}");
    assert.equal(asked.length, 0);
    await assert.rejects(it.type("{up}{enter}"), /the answer was no: a control character/);
    it.stop();
  });

  it("is judged with what has no end before it, which an answer covers", async () => {
    const { start } = await world;
    const it = await start("bash --norc -i");
    await it.shows(/^bash.*[$#]$/m);
    asked.length = 0;
    answer = "once";
    await it.type("cat <<X{enter}");
    await it.type("make it{enter}");
    await it.type("so{enter}X{enter}echo end{enter}");
    await it.shows(/^so$[^]*^end$/m);
    assert.deepEqual(asked.map(({ concerns }) => concerns[0]?.reason), [
      "a here-document or a line has no end, so what is typed next belongs to it",
    ]);
    await it.type("cat <<X{enter}");
    await assert.rejects(it.type("cat <<Y{enter}X{enter}rm -rf x{enter}Y{enter}"), {
      refusal: "denied",
    });
    answer = "deny";
    await it.type("{ctrl-c}");
    await it.shows(/\^C\s+bash.*[$#]\s*$/);
    await it.type("echo on{enter}");
    await it.shows(/^on$/m);
    await assert.rejects(it.type("make{enter}"), { refusal: "denied" });
    it.stop();
  });

  it("is a command where a shell waits behind the program that reads", async () => {
    const { start } = await world;
    const it = await start("bash --norc -i");
    await it.shows(/^bash.*[$#]$/m);
    await it.type("echo on; sleep 100{enter}");
    await it.shows(/^on$/m);
    await assert.rejects(it.type("rm x{enter}"), { refusal: "denied" });
    it.stop();
  });

  it("is a question where an interpreter reads it, until an answer allows all", async () => {
    const { start, runtime } = await world;
    const it = await start(python, { env });
    await it.waits();
    asked.length = 0;
    await assert.rejects(it.type("1+1{enter}"), /the answer was no: ".*python3" runs "1\+1/);
    assert.match(asked[0]?.summary ?? "", /^Type "1\+1.*" into "python3 -iq"\?/);
    answer = "session";
    await it.type("6*7{enter}");
    await it.shows(/^42$/m);
    await it.type("7*7{enter}");
    await it.shows(/^49$/m);
    assert.equal(asked.length, 2);
    await assert.rejects(it.type("rm x{enter}"), { refusal: "denied" });
    answer = "deny";
    const other = await start(python, { env });
    await other.waits();
    await runtime.input(other.taskId, "8*8\n", { origin: "user" });
    await other.shows(/^64$/m);
    it.stop();
    other.stop();
  });

  it("fails when its command ends before an answer, also with an asker that pays no heed", async () => {
    let open = false;
    const { start, runtime } = await terminalWorld({
      mode: "default",
      rules: { allow: ["Bash(python3 *)"] },
      ask: () => {
        open = true;
        return new Promise(() => {});
      },
    });
    const it = await start(python, { env });
    await it.waits();
    const typed = assert.rejects(it.type("1+1{enter}"), { refusal: "notRunning" });
    await until(() => open);
    await runtime.stop(it.taskId);
    await typed;
  });

  it("is data where another program reads it", async () => {
    const { start } = await world;
    asked.length = 0;
    const it = await start("cat");
    await it.type("rm -rf /{enter}{ctrl-d}");
    assert.match((await it.result).output, /rm -rf/);
    assert.equal(asked.length, 0);
  });
});

describe("without terminals", () => {
  it("a command that asks for one runs in a process with input, after an event", async () => {
    process.env["SHELLFLOW_NO_PTY"] = "1";
    const { runtime, events } = await terminalWorld().finally(() =>
      delete process.env["SHELLFLOW_NO_PTY"]
    );
    assert.equal(runtime.capabilities.terminal, false);
    const { taskId, output, result } = runtime.start("read x; echo got $x", { pty: true });
    await output;
    await runtime.input(taskId, { keys: "this{enter}" });
    assert.equal((await result).output, "got this\n");
    const fell = events.find((event) => event.type === "execution.fellBack");
    assert.match(JSON.stringify(fell), /SHELLFLOW_NO_PTY switches terminals off/);
  });
});
