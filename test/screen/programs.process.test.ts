import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { findProgram } from "../../src/platform/find-program.ts";
import type { ExitStatus } from "../../src/platform/process/processes.ts";
import { procTable } from "../../src/platform/process/table/proc-table.ts";
import { foreground } from "../../src/platform/terminal/foreground.ts";
import { lineSettings } from "../../src/platform/terminal/line-settings.ts";
import { loadEmulator } from "../../src/screen/emulator.ts";
import { type InputWait, inputWait } from "../../src/screen/input-wait.ts";
import { encodeKeys } from "../../src/screen/keys.ts";
import { Screen } from "../../src/screen/screen.ts";
import { cleanUp } from "../clean-up.ts";
import { terminals } from "../platform/terminal/open-terminal.ts";
import { NEVER_MS, until } from "../until.ts";

const createEmulator = await loadEmulator();
const table = procTable();
const scratch = mkdtempSync(join(tmpdir(), "shellflow-programs-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));

/** A program on a terminal, as an agent uses it. */
interface Driven {
  readonly screen: Screen;
  readonly type: (keys: string) => Promise<void>;
  /** Wait until the screen has a text. */
  readonly shows: (pattern: RegExp) => Promise<void>;
  /** Wait until the program waits for input. */
  readonly waits: () => Promise<InputWait>;
  /** Resolves when it has exited and its output has ended. */
  readonly over: Promise<ExitStatus>;
}

function start(
  file: string,
  args: readonly string[] = [],
  env: Record<string, string> = {},
): Driven {
  const size = { columns: 80, rows: 24 };
  let exit: (status: ExitStatus) => void = () => {};
  let end: () => void = () => {};
  const exited = new Promise<ExitStatus>((resolve) => exit = resolve);
  const ended = new Promise<void>((resolve) => end = resolve);
  const encoder = new TextEncoder();
  const type = (text: string) => terminal.write(encoder.encode(text));
  const screen = new Screen({ size, createEmulator, answer: (text) => void type(text) });
  let lastByteAt = performance.now();
  const terminal = terminals.open({
    file,
    args,
    cwd: scratch,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: scratch,
      TERM: "xterm-256color",
      LC_ALL: "C.UTF-8",
      ...env,
    },
    size,
  }, {
    data: (chunk) => {
      lastByteAt = performance.now();
      screen.write(chunk);
    },
    end,
    exit,
  });
  cleanUp(() => {
    terminal.release();
    screen.close();
  });
  const look = async () => {
    const { cursor, lines } = screen.snapshot();
    return inputWait({
      wait: foreground(terminal, table.read())?.wait ?? "unknown",
      settings: await lineSettings(terminal.outputPipe),
      quietMs: performance.now() - lastByteAt,
      line: lines[cursor.row]?.padEnd(cursor.column).slice(0, cursor.column) ?? "",
    });
  };
  return {
    screen,
    type: (keys) => type(encodeKeys(keys, screen.modes)),
    shows: (pattern) => until(() => pattern.test(screen.snapshot().lines.join("\n"))),
    waits: async () => {
      const end = performance.now() + NEVER_MS;
      for (let found = await look();; found = await look()) {
        if (found !== undefined) return found;
        if (performance.now() > end) throw new Error("It never waited for input");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    over: Promise.all([exited, ended]).then(([status]) => status),
  };
}

const absent = (program: string) => findProgram(program, process.env["PATH"] ?? "") === undefined;

describe("a real program on a terminal", () => {
  it(
    "can be python, with a question, a password and an interrupt",
    { skip: absent("python3") },
    async () => {
      const it = start("python3", ["-i", "-q"]);
      assert.deepEqual(await it.waits(), { prompt: ">>>", password: false });
      await it.type("6 * 7{enter}");
      await it.shows(/^42$/m);
      await it.type("import getpass; getpass.getpass(){enter}");
      await it.shows(/Password:/);
      assert.deepEqual(await it.waits(), { prompt: "Password:", password: true });
      await it.type("hunter2{enter}");
      await it.shows(/'hunter2'/);
      await it.type("while True: pass{enter}{enter}{ctrl-c}");
      await it.shows(/KeyboardInterrupt/);
      await it.type("{ctrl-d}");
      assert.deepEqual(await it.over, { code: 0, signal: null });
    },
  );

  it("can be bash, with its line editor and a file that is typed", async () => {
    const it = start("bash", ["--norc", "-i"]);
    await it.waits();
    await it.type("echo one{enter}");
    await it.shows(/^one$/m);
    await it.type("{up}{backspace}{backspace}{backspace}two{home}{end}{enter}");
    await it.shows(/^two$/m);
    await it.type("cat >paste{enter}");
    await it.waits();
    await it.type("line 1\nline 2\n{ctrl-d}");
    await it.type("exit 3{enter}");
    assert.deepEqual(await it.over, { code: 3, signal: null });
    assert.equal(readFileSync(join(scratch, "paste"), "utf8"), "line 1\nline 2\n");
  });

  it("can be less, with its own screen and a search", { skip: absent("less") }, async () => {
    const file = join(scratch, "long");
    writeFileSync(file, Array.from({ length: 200 }, (_, i) => `row ${i + 1}.\n`).join(""));
    const it = start("less", [file]);
    await it.shows(/row 1\.[\s\S]*row 23\./);
    assert.equal(it.screen.snapshot().alternate, true);
    await it.waits();
    await it.type("{pagedown}");
    await it.shows(/row 46\./);
    await it.type("/row 150{enter}");
    await it.shows(/^row 150\./m);
    await it.type("q");
    assert.deepEqual(await it.over, { code: 0, signal: null });
    assert.equal(it.screen.snapshot().alternate, false);
  });

  it("can be vim, with modes and cursor keys", { skip: absent("vim") }, async () => {
    const file = join(scratch, "edited");
    const it = start("vim", ["-u", "NONE", "-N", file]);
    await it.shows(/~/);
    await it.waits();
    await it.type("ihello{enter}world{esc}{up}A, wide {left}!{esc}:wq{enter}");
    assert.deepEqual(await it.over, { code: 0, signal: null });
    assert.equal(readFileSync(file, "utf8"), "hello, wide! \nworld\n");
  });

  it("can be top, which is left by a key", { skip: absent("top") }, async () => {
    const it = start("top", ["-d", "60"]);
    await it.shows(/load average[\s\S]*PID\s+USER/);
    await it.waits();
    await it.type("q");
    assert.deepEqual(await it.over, { code: 0, signal: null });
  });

  it("can be npm init, with its questions", { skip: absent("npm") }, async () => {
    const it = start("npm", ["init"], { npm_config_update_notifier: "false" });
    await it.shows(/package name: \(.*\)/);
    assert.match((await it.waits()).prompt ?? "", /^package name:/);
    await it.type("made-here{enter}");
    for (const question of ["version", "description", "entry point", "test command"]) {
      await it.shows(new RegExp(`^${question}:`, "m"));
      await it.type("{enter}");
    }
    await it.shows(/git repository:/);
    await it.type("{ctrl-c}");
    await it.over;
  });

  it("can be git commit, with an editor", { skip: absent("git") || absent("vim") }, async () => {
    const git = (...args: readonly string[]) =>
      execFileSync("git", ["-C", scratch, ...args], { encoding: "utf8" });
    git("init", "-q");
    const who = ["-c", "user.name=you", "-c", "user.email=you@example.com"];
    const it = start("git", [...who, "commit", "--allow-empty"], { EDITOR: "vim -u NONE -N" });
    await it.shows(/Please enter the commit message/);
    await it.waits();
    await it.type("iFirst{esc}:x{enter}");
    assert.deepEqual(await it.over, { code: 0, signal: null });
    assert.equal(git("log", "--format=%s"), "First\n");
  });
});
