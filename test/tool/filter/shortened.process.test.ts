import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { chmodSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import type { ToolsOptions } from "../../../src/tool/configuration.ts";
import type { ToolResult } from "../../../src/tool/tool.ts";
import { toolWorld } from "../world.ts";

const COMPILED = Array.from({ length: 30 }, (_, i) => `   Compiling crate-${i} v0.1.0\n`).join("");
const OUTPUT = `${COMPILED}warning: unused variable: x\n   Compiling demo v0.1.0\nerror: no\n`;

/** A world in which `./cargo` is a program that writes what a build writes, and fails. */
async function world(tools: ToolsOptions = {}, output = OUTPUT) {
  const made = await toolWorld({
    tools,
    runtime: { hostEnv: { PATH: "/usr/bin:/bin", API_KEY: "a1b2c3d4e5" } },
  });
  writeFileSync(join(made.directory, "output"), output);
  for (const name of ["cargo", "own"]) {
    writeFileSync(join(made.directory, name), `#!/bin/sh\ncat "\${0%/*}/output"\nexit 3\n`);
    chmodSync(join(made.directory, name), 0o755);
  }
  return made;
}

const whole = (result: ToolResult) => result.text.startsWith(OUTPUT);

describe("the answer of a tool", () => {
  it("leaves out what says little, and says so in its last line of output", async () => {
    const { call } = await world();
    const { text, details, isError } = await call("bash", { command: "./cargo build" });
    const { taskId: id } = details;
    assert.equal(
      text,
      `warning: unused variable: x\nerror: no\n` +
        `[31 of 33 lines of cargo are left out: compiled crates: 31; ` +
        `read all with read_bash {"shellId":"${id}","from":0}; the original is artifact://${id}]\n` +
        `exit code 3`,
    );
    assert.deepEqual([details.exitCode, isError], [3, true]);
    assert.deepEqual(details.range, { from: 0, to: OUTPUT.length });
    assert.deepEqual(details.truncation, {
      shown: [{ from: COMPILED.length, to: OUTPUT.length }],
      totalBytes: OUTPUT.length,
      totalLines: 33,
      leftOut: { "compiled crates": 31 },
      artifact: `artifact://${id}`,
    });
  });

  it("has nothing but that line where all is left out", async () => {
    const { call } = await world({}, COMPILED);
    const { text, details } = await call("bash", { command: "./cargo build" });
    assert.match(text, /^\[30 of 30 lines of cargo are left out: .*\]\nexit code 3$/);
    assert.deepEqual(details.truncation?.shown, []);
  });

  it("has all of it where it is read from the beginning, and in its file", async () => {
    const { call, runtime } = await world();
    const { details } = await call("bash", { command: "./cargo build" });
    const read = await call("read_bash", { shellId: details.taskId, from: 0 });
    assert.ok(whole(read), read.text);
    assert.equal(
      (await call("read_bash", { shellId: details.taskId })).text.split("\n")[0],
      "(no new output)",
    );
    const { text } = await call("bash", { command: `cat artifact://${details.taskId}` });
    assert.ok(text.startsWith(OUTPUT));
    const { output } = await runtime.run("./cargo build");
    assert.equal(output, OUTPUT);
  });

  it("leaves the same out of the output of a command in the background that is read at its end", async () => {
    const { call } = await world();
    const { details } = await call("bash", { command: "./cargo build", mode: "async" });
    const read = await call("read_bash", { shellId: details.taskId, until: "exit" });
    assert.match(read.text, /^warning: unused variable: x\nerror: no\n\[31 of 33 lines of cargo/);
  });

  it("begins as the output does", async () => {
    const { call } = await world({}, `\n${OUTPUT}`);
    for (
      const [command, text] of [["./own", /^\n {3}Comp/], [
        "./cargo build",
        /^\nwarning: /,
      ]] as const
    ) {
      assert.match((await call("bash", { command })).text, text);
    }
  });

  it("shows a part of an output as it is", async () => {
    const { call, directory } = await world({}, OUTPUT);
    const line = `./cargo build; ls >/dev/null`;
    assert.ok(whole(await call("bash", { command: line })));
    // A command that goes on is not shortened, nor what follows a part that was read.
    writeFileSync(join(directory, "cargo"), `#!/bin/sh\ncat output; read x; cat output\n`);
    const first = await call("bash", {
      command: "./cargo build",
      input: true,
      mode: "async",
      until: "/error/",
    });
    assert.ok(whole(first), first.text);
    const input = { shellId: first.details.taskId, input: "x{enter}", until: "exit" };
    const rest = await call("write_bash", input);
    assert.ok(whole(rest), rest.text);
  });

  it("is whole for a pipeline, a program without a filter, and a terminal", async () => {
    const { call } = await world();
    for (const command of ["./cargo build | cat", "./own", "./cargo build || true"]) {
      assert.ok(whole(await call("bash", { command })), command);
    }
    const { text } = await call("bash", { command: "./cargo build", pty: true });
    assert.match(text, /Compiling crate-7 /);
  });

  it("is whole where the option says so", async () => {
    const { call } = await world({ shorten: false });
    assert.ok(whole(await call("bash", { command: "./cargo build" })));
  });

  it("is shortened by the filters of the option, which stand before the others", async () => {
    const rules = [{ what: "own lines", lines: "^ +Compiling (crate|demo)", keep: 1 }];
    const { call } = await world({ filters: [{ programs: "own cargo", when: "^b|^$", rules }] });
    for (const command of ["./own", "./cargo build"]) {
      const { text } = await call("bash", { command });
      assert.match(
        text,
        /^ {3}Compiling crate-0 v0\.1\.0\n\[\.\.\. own lines: 29 more \.\.\.\]\nwarning: .*\n {3}Compiling demo v0\.1\.0\nerror: no\n\[29 of 33 lines of (own|cargo) are left out: own lines: 29;/,
      );
    }
    assert.match((await call("bash", { command: "./cargo check" })).text, /compiled crates: 31/);
  });

  it("shows a part of what remains where that is long, with places in the whole output", async () => {
    const warnings = Array.from({ length: 100 }, (_, i) => `warning: number ${i}\n`).join("");
    const output = COMPILED.repeat(10) + warnings;
    const { call } = await world({ maxOutputChars: 1_000 }, output);
    const { text, details } = await call("bash", { command: "./cargo build" });
    assert.ok(text.length < 1_200, text);
    assert.match(text, /^warning: number 0\n/);
    const [, from] =
      text.match(/read on with read_bash {"shellId":"task_\w+","from":(\d+)}; all/) ?? [];
    const next = output.slice(Number(from)).split("\n")[0] ?? "";
    assert.match(next, /^warning: number \d+$/);
    assert.ok(!text.includes(`${next}\n`), next);
    const [head, tail] = details.truncation?.shown ?? [];
    assert.deepEqual([head?.from, head?.to, tail?.to], [
      COMPILED.length * 10,
      Number(from),
      output.length,
    ]);
  });

  it("hides secrets, which no rule sees", async () => {
    const output = `${COMPILED}the key a1b2c3d4e5\n`;
    const rules = [{ what: "crates", lines: "Compiling" }, { what: "keys", lines: "a1b2" }];
    const { call } = await world({ filters: [{ programs: "cargo", rules }] }, output);
    const { text } = await call("bash", { command: "./cargo build" });
    assert.match(text, /^the key \*{10}\n\[30 of 31 lines/);
  });

  it("rejects a call where an expression is none, before anything runs", async () => {
    const filters = [{ programs: "own", rules: [{ what: "lines", lines: "(?=a)" }] }];
    const { call, directory } = await world({ filters });
    await assert.rejects(call("bash", { command: "touch ran" }), {
      name: "SyntaxError",
      message: /^Cannot use the filter for "own": Cannot search for "\(\?=a\)": .*look-around/,
    });
    assert.throws(() => readFileSync(join(directory, "ran")), /ENOENT/);
  });

  it("refuses filters that are none", async () => {
    const wrong: readonly (readonly [ToolsOptions, RegExp])[] = [
      [
        { filters: [{ programs: "a", rules: [{ what: "x", lines: "x".repeat(1001) }] }] },
        /filters.0.rules.0.lines "x+…: it must be at most 1000 long/,
      ],
      [{ filters: [{ programs: "", rules: [] }] }, /filters.*programs/],
      [{ filters: [{ programs: "a", rules: [{ what: "x", lines: "x", keep: -1 }] }] }, /keep/],
      // @ts-expect-error A caller without types can misspell a field.
      [{ filters: [{ programs: "a", rulez: [] }] }, /filters/],
    ];
    for (const [tools, message] of wrong) await assert.rejects(toolWorld({ tools }), message);
  });

  it("shortens what a real program writes", async () => {
    const { call, directory } = await toolWorld();
    execFileSync("git", ["init", "-q", directory]);
    mkdirSync(join(directory, "a"));
    for (let i = 0; i < 60; i++) writeFileSync(join(directory, `file-${i}-with-a-long-name`), "");
    const { text } = await call("bash", { command: "cd . && git status" });
    assert.match(text, /\n\[\.\.\. untracked files: 40 more \.\.\.\]\n/);
    assert.match(
      text,
      /\n\[40 of \d+ lines of git are left out: untracked files: 40; read all with /,
    );
  });
});
