import assert from "node:assert/strict";
import { execFile, spawn } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  closeSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { promisify } from "node:util";
import { loadNativeCalls } from "../../../../src/platform/native/load-native-calls.ts";
import { hostProcesses } from "../../../../src/platform/process/host-processes.ts";
import type { SpawnSpec } from "../../../../src/platform/process/processes.ts";
import { children, openFiles } from "../../../execution/world.ts";
import { runArgs } from "../../../run-args.ts";
import { until } from "../../../until.ts";
import { type Became, onItsPipes, start } from "./start.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => rmSync(scratch, { recursive: true, force: true }));
const at = (path: string) => join(scratch, path);
const PATH = "/usr/bin:/bin";
const onNode = !("Deno" in globalThis);

mkdirSync(at("plain"));
mkdirSync(at("programs"));
writeFileSync(at("plain/tool"), "#!/bin/sh\n");
writeFileSync(at("programs/tool"), "#!/bin/sh\necho tool $1 in $PWD\n");
writeFileSync(at("programs/bare"), "echo bare $1 by $0\n");
writeFileSync(at("programs/broken"), "#!/no/such/shell\n");
for (const name of ["tool", "bare", "broken"]) chmodSync(at(`programs/${name}`), 0o755);

const native = await loadNativeCalls();
const host = new URL("./host.ts", import.meta.url);

/** What became of a process, or of several, that a host of its own started. */
async function inHost(
  [file = "", ...args]: readonly string[],
  spec: Partial<SpawnSpec>,
  ...more: readonly string[]
): Promise<readonly Became[]> {
  const program = [process.execPath, ...runArgs(host), JSON.stringify(spec), ...more];
  const { stdout } = await promisify(execFile)(file, [...args, ...program], { timeout: 60_000 });
  return JSON.parse(stdout);
}

const exited = (output: string, code = 0): Became => [{ code, signal: null }, output];
const sh = (line: string, ...args: string[]) => ({
  args: ["-c", line, "sh", ...args],
  env: { PATH },
});

const ways = {
  "the runtime": hostProcesses("shellflow-test"),
  "native calls": hostProcesses("shellflow-test", { native }),
  "the runtime on its pipes": onItsPipes(),
};

for (const [way, processes] of Object.entries(ways)) {
  after(() => processes.close());
  const natively = way === "native calls";
  // A shell is before the program, which keeps names that it can use only.
  const behindShell = way === "the runtime on its pipes";
  const is = async (spec: Partial<SpawnSpec>, became: Became) =>
    assert.deepEqual(await start(spec, processes), became);

  describe(`a process that is started by ${way}`, () => {
    it("gets its arguments, variables and directory as they are", async () => {
      const words = ["", "a b", "é€😀", "-n", "*"];
      await is(sh('printf "%s|" "$@"', ...words, "\ud800"), exited(`${words.join("|")}|\ufffd|`));
      const odd = behindShell ? {} : { "A B": "c" };
      const env = { PATH, EMPTY: "", WORD: "é€😀", ...odd, LINES: "a\nb" };
      const became = await start({ file: "env", args: ["-0"], env }, processes);
      const expected = Object.entries(env).map(([name, value]) => `${name}=${value}`);
      assert.deepEqual(String(became[1]).split("\0").slice(0, -1).sort(), expected.sort());
      await is({ ...sh("pwd"), cwd: scratch }, exited(`${scratch}\n`));
      const long = "x".repeat(100_000);
      await is(sh('printf %s "$1"', long), exited(long));
    });

    it("leads a session and a group, and has an empty input", async () => {
      const line = "cat; set -- $(cat /proc/$$/stat); test $5 = $$ && test $6 = $$ && echo leads";
      await is(sh(line), exited("leads\n"));
    });

    it("is looked for as its own PATH says, from its own directory", async () => {
      const tool = { file: "tool", args: ["x"] };
      const found = exited("tool x in /\n");
      await is({ ...tool, env: { PATH: `${at("programs")}:${PATH}` } }, found);
      await is({ ...tool, env: { PATH: `${at("none")}:${at("plain")}:${at("programs")}` } }, found);
      await is({ ...tool, file: at("programs/tool"), env: {} }, found);
      await is({ file: "true" }, exited(""));
      const cwd = at("programs");
      await is({ ...tool, file: "./tool", cwd }, exited(`tool x in ${cwd}\n`));
      await is({ ...tool, cwd, env: { PATH: "" } }, exited(`tool x in ${cwd}\n`));
      await is({ ...tool, cwd, env: { PATH: `:${PATH}` } }, exited(`tool x in ${cwd}\n`));
      await is(
        { ...tool, cwd: scratch, env: { PATH: "programs" } },
        exited(`tool x in ${scratch}\n`),
      );
    });

    it("may be a script that does not say what runs it", async () => {
      const file = at("programs/bare");
      await is({ file, args: ["x"] }, exited(`bare x by ${file}\n`));
    });

    it("ends with a code or a signal", async () => {
      await is(sh("exit 7"), exited("", 7));
      for (const signal of ["SIGKILL", "SIGABRT", "SIGTERM", "SIGUSR1", "SIGSYS"]) {
        await is(sh(`kill -${signal.slice(3)} $$`), [{ code: null, signal }, ""]);
      }
      // Node has no word for them, and to Deno's way of telling the tests' runner objects.
      if (!natively) return;
      const signals = { 34: "SIGRTMIN", 40: "SIGRTMIN+6", 50: "SIGRTMAX-14", 64: "SIGRTMAX" };
      for (const [number, signal] of Object.entries(signals)) {
        await is({ ...sh(`kill -${number} $$`), file: "bash" }, [{ code: null, signal }, ""]);
      }
    });

    it("may have a standard error of its own", async () => {
      const parts = { data: "", errorData: "" };
      const take = (name: keyof typeof parts) => (chunk: Uint8Array) => {
        parts[name] += new TextDecoder().decode(chunk);
      };
      const line = "echo out; echo err >&2; exec >&-; seq 1 20000 >&2";
      await new Promise<void>((end, error) => {
        const events = { data: take("data"), errorData: take("errorData"), end, error };
        const spec = { file: "sh", cwd: "/", ...sh(line) };
        const child = processes.spawn(spec, { ...events, exit: () => {} });
        child?.pause();
        setTimeout(() => child?.resume(), 20);
      });
      const seq = Array.from({ length: 20_000 }, (_, i) => `${i + 1}\n`).join("");
      assert.equal(parts.data, "out\n");
      assert.ok(parts.errorData === `err\n${seq}`);
    });

    it("may report on a pipe of its own", async () => {
      const line = "echo output; echo report >&3; exit 7";
      const [status, output] = await start({ ...sh(line), reports: true }, processes);
      // Nothing of the runtime's own pipes is read.
      const report = behindShell ? {} : { report: "report\n" };
      assert.deepEqual(status, { code: 7, signal: null, ...report });
      assert.equal(output, "output\n");
    });

    it("hears of every signal, also where its host does not", async () => {
      const spec = sh("grep -E '^Sig(Blk|Ign):' /proc/self/status");
      const deaf = ["env", "--ignore-signal=INT", "--ignore-signal=USR1", "--block-signal=TERM"];
      const none = "0".repeat(16);
      const heard = exited(`SigBlk:\t${none}\nSigIgn:\t${none}\n`);
      // Deno leaves to its children what it was started with.
      if (natively || onNode) assert.deepEqual(await inHost(deaf, spec, way), [heard]);
    });

    it("is told of where SIGCHLD was ignored", async () => {
      const became = await inHost(["env", "--ignore-signal=CHLD"], sh("echo hi; exit 3"), way);
      assert.deepEqual(became, [exited("hi\n", 3)]);
    });

    it("keeps its host alive until it ends, and no longer", async () => {
      const spec = sh("exec >&- 2>&-; sleep 0.3; exit 5");
      assert.deepEqual(await inHost(["env"], spec, way), [exited("", 5)]);
    });

    it("cannot start with too many files open, and can once there are fewer", async () => {
      const limit = ["bash", "-c", 'ulimit -n 100; exec "$@"', "bash"];
      const [refused, started] = await inHost(limit, sh("echo hi"), way, "full");
      assert.match(String(refused), /too many (open files|files are open)/);
      assert.deepEqual(started, exited("hi\n"));
    });
  });

  describe(`a process that ${way} cannot start`, () => {
    const none = "there is no such program";
    const cases: Readonly<Record<string, readonly [Partial<SpawnSpec>, RegExp | string]>> = {
      "that is nowhere on the PATH": [{ file: "no-such-program", env: { PATH } }, none],
      "that is not where it is said to be": [{ file: "/no/such" }, none],
      "below a file": [{ file: at("plain/tool/x") }, none],
      ...(way !== "the runtime on its pipes" &&
        { "whose interpreter is missing": [{ file: at("programs/broken") }, none] }),
      "that may not be run": [{ file: at("plain/tool") }, "it may not be run"],
      "that is a directory": [{ file: scratch }, "it may not be run"],
      "in no directory": [{ ...sh("echo"), cwd: at("none") }, "no such directory"],
      "in a file": [{ ...sh("echo"), cwd: at("plain/tool") }, "it is not a directory"],
      "with too long an argument": [
        sh(`: ${"x".repeat(200_000)}`),
        "the command and its environment are longer than the system takes",
      ],
      "with a null byte in an argument": [sh("echo a\0b"), /null byte/],
      "with a null byte in a variable": [{ ...sh("echo"), env: { A: "b\0c" } }, /null byte/],
      "with a null byte in its directory": [{ ...sh("echo"), cwd: "/\0tmp" }, /null byte/],
    };
    for (const [what, [spec, why]] of Object.entries(cases)) {
      it(what, async () => {
        const told = await start(spec, processes);
        if (typeof why === "string") assert.equal(told, why);
        else assert.match(String(told), why);
      });
    }
  });
}

describe("native calls", () => {
  it("give a process no descriptor but the standard ones", async () => {
    const processes = hostProcesses("shellflow-test", { native });
    const held = openSync("/dev/null", "r");
    const line =
      "fd=3; while [ $fd -lt 200 ]; do [ -L /proc/$$/fd/$fd ] && echo $fd; fd=$((fd+1)); done";
    assert.deepEqual(await start(sh(`${line}; exit 0`), processes), exited(""));
    closeSync(held);
    processes.close();
  });

  it("and the runtime do not take each other's ends, many at once, and nothing stays", async () => {
    const before = { children: children().length, files: openFiles() };
    const listeners = process.listenerCount("SIGCHLD");
    const processes = hostProcesses("shellflow-test", { native });
    const ours = Array.from({ length: 60 }, (_, i) => start(sh(`echo ${i}; exit ${i}`), processes));
    const others = Array.from(
      { length: 60 },
      (_, i) => once(spawn("sh", ["-c", `exit ${i}`], { stdio: "ignore" }), "exit"),
    );
    assert.deepEqual(await Promise.all(ours), ours.map((_, i) => exited(`${i}\n`, i)));
    assert.deepEqual(await Promise.all(others), others.map((_, i) => [i, null]));
    processes.close();
    assert.equal(process.listenerCount("SIGCHLD"), listeners);
    await until(() => children().length <= before.children);
    await until(() => openFiles() <= before.files);
  });

  it("report the end of a process whose status another part of the host took", async () => {
    assert.ok(!("unavailable" in native));
    const processes = hostProcesses("shellflow-test", { native });
    const stolen = new Promise((resolve) => {
      const child = processes.spawn({ file: "sh", ...sh("exit 3"), cwd: "/" }, {
        data: () => {},
        end: () => {},
        exit: resolve,
        error: resolve,
      });
      assert.ok(child !== undefined);
      while (native.collect(child.pid) === undefined);
    });
    assert.deepEqual(await stolen, { code: null, signal: null });
    processes.close();
  });

  it("leave a stopped process alone until it has ended", async () => {
    const processes = hostProcesses("shellflow-test", { native });
    const stopped = "until grep -q '^State:.T' /proc/$$/status; do sleep 0.02; done";
    const line = `(${stopped}; kill -CONT $$) >/dev/null 2>&1 & kill -STOP $$; wait; exit 4`;
    assert.deepEqual(await start(sh(line), processes), exited("", 4));
    processes.close();
  });
});
