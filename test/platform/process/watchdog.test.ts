import assert from "node:assert/strict";
import { type ChildProcess, execFileSync, spawn, type StdioOptions } from "node:child_process";
import {
  closeSync,
  existsSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { constants, tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { after, describe, it } from "node:test";
import { setTimeout as pause } from "node:timers/promises";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { MARK } from "../../../src/platform/process/mark.ts";
import { procTable } from "../../../src/platform/process/table/proc-table.ts";
import { watchdogLoop } from "../../../src/platform/process/watchdog/watchdog-loop.ts";
import { watchdog } from "../../../src/platform/process/watchdog/watchdog.ts";
import { createRuntime } from "../../../src/runtime/create.ts";
import { living, uniqueSeconds } from "../../execution/world.ts";
import { moduleUrl, runArgs } from "../../run-args.ts";
import { until } from "../../until.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-test-"));
after(() => rmSync(scratch, { recursive: true, force: true }));

const hostFile = new URL("../../execution/escape/host.ts", import.meta.url);
const table = procTable();
let count = 0;
const nextId = () => `watchdog-${process.pid}-${++count}`;

/** The watchdog of a runtime, by its arguments. */
const dogOf = (id: string) =>
  table.read().all.find(({ pid, state }) =>
    state !== "Z" && table.commandLine(pid).includes(`shellflow-watchdog ${id} `)
  )?.pid;

const ignoresTerm = (pid: number | undefined) => {
  if (pid === undefined) return false;
  const mask = /^SigIgn:\s*(\w+)/m.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1] ?? "0";
  return (BigInt(`0x${mask}`) & (1n << BigInt(constants.signals.SIGTERM - 1))) !== 0n;
};

/** A host has told its watchdog all there is once it rests for longer than it gathers that for. */
async function toldAll(host: ChildProcess): Promise<void> {
  const rests = () => table.info(host.pid ?? 0)?.state === "S";
  for (let looks = 0; looks < 10; looks = rests() ? looks + 1 : 0) await pause(10);
}

/** Kill a host that has told its watchdog all there is. */
async function killed(host: ChildProcess, id: string, what: string): Promise<void> {
  await toldAll(host);
  host.kill("SIGKILL");
  await until(() => living(what).length === 0);
  await until(() => dogOf(id) === undefined);
}

const startHost = (id: string, command: string, env = process.env) =>
  spawn(process.execPath, [...runArgs(hostFile), id, "marks", command], { stdio: "inherit", env });

const sourceFile = new URL(
  "../../../src/platform/process/watchdog/watchdog.ts",
  import.meta.url,
);
const tableFile = new URL("../../../src/platform/process/table/proc-table.ts", import.meta.url);
const source = moduleUrl(sourceFile).href;
const tables = moduleUrl(tableFile).href;

/** Where the tests were compiled, nothing has to be. */
const loader = process.env["SHELLFLOW_TEST_BUILD"] === undefined ? ["--import", "tsx"] : [];

/** A host that is a program of its own. */
function runProgram(program: string): ChildProcess {
  const args = "Deno" in globalThis
    ? ["eval", "--ext=ts", `import process from "node:process";${program}`]
    : [...loader, "--input-type=module", "-e", program];
  return spawn(process.execPath, args, { stdio: ["ignore", "ignore", "inherit"] });
}

describe("the watchdog", () => {
  it("outlives every signal that a terminal sends, and does its work then", async () => {
    const id = nextId();
    const what = `sleep ${uniqueSeconds()}`;
    const host = startHost(id, `${what} & (setsid ${what} &) ; wait`);
    try {
      // One that has just begun ignores nothing yet.
      await until(() => living(what).length >= 2 && ignoresTerm(dogOf(id)));
      const dog = dogOf(id) ?? 0;
      for (const signal of ["SIGINT", "SIGTERM", "SIGHUP", "SIGQUIT", "SIGTSTP", "SIGPIPE"]) {
        process.kill(dog, signal);
        process.kill(-dog, signal);
      }
      await killed(host, id, what);
    } finally {
      host.kill("SIGKILL");
    }
  });

  it("runs nothing that the user's shell would run at its start", async () => {
    const id = nextId();
    const what = `sleep ${uniqueSeconds()}`;
    const ran = join(scratch, "ran");
    writeFileSync(join(scratch, ".bashrc"), `echo bashrc >>'${ran}'\n`);
    writeFileSync(join(scratch, "env"), `echo env >>'${ran}'\n`);
    // Without SHLVL, as in a service, bash takes a socket for a login from elsewhere.
    const { SHLVL: _, ...env } = process.env;
    const file = join(scratch, "env");
    const host = startHost(id, what, { ...env, HOME: scratch, BASH_ENV: file, ENV: file });
    try {
      await until(() => living(what).length > 0 && ignoresTerm(dogOf(id)));
      await killed(host, id, what);
      assert.equal(existsSync(ran), false);
    } finally {
      host.kill("SIGKILL");
    }
  });

  it("is replaced when it is killed, and the next one knows what there was", async () => {
    const id = nextId();
    const what = `sleep ${uniqueSeconds()}`;
    // It stands by no mark and no pipe: who ends it was told of its group.
    const host = startHost(id, `exec env -i ${what} >/dev/null 2>&1`);
    try {
      await until(() => living(what).length > 0 && dogOf(id) !== undefined);
      const first = dogOf(id) ?? 0;
      await pause(1_500); // one that had just begun is replaced by the next command only
      process.kill(first, "SIGKILL");
      await until(() => dogOf(id) !== undefined && dogOf(id) !== first);
      await killed(host, id, what);
    } finally {
      host.kill("SIGKILL");
    }
  });

  it("leaves when its host closes in order, and touches nothing", async () => {
    const id = nextId();
    const child = spawn("sleep", [uniqueSeconds()], { detached: true, stdio: "ignore" });
    const dog = watchdog({ runtimeId: id });
    dog.register({ pid: child.pid ?? 0 });
    await until(() => dogOf(id) !== undefined);
    dog.close();
    await until(() => dogOf(id) === undefined);
    assert.equal(child.exitCode, null);
    assert.equal(child.signalCode, null);
    child.kill("SIGKILL");
    await new Promise((gone) => child.once("exit", gone));
  });

  it("starts with the first group, and never for a host that runs nothing", () => {
    const id = nextId();
    watchdog({ runtimeId: id }).close();
    assert.equal(dogOf(id), undefined);
  });

  it("gives the grace of its runtime, in whole seconds", async () => {
    await using runtime = await createRuntime({ mode: "bypass", cwd: "/", graceMs: 1_200 });
    await runtime.run("true");
    await until(() => dogOf(runtime.id) !== undefined);
    assert.match(table.commandLine(dogOf(runtime.id) ?? 0), / 2 \d+:\d+ /);
  });

  it("deletes the output of a host that dies in its temporary directory, by no link elsewhere", async () => {
    const modules = moduleUrl(new URL("../../../src/runtime/create.ts", import.meta.url)).href;
    const elsewhere = mkdtempSync(join(scratch, "elsewhere-"));
    writeFileSync(join(elsewhere, "kept"), "");
    const directory = mkdtempSync(join(scratch, "temporary-"));
    for (const changed of ["", `; rm -r "$OUT"; ln -s ${elsewhere} "$OUT"`]) {
      const host = runProgram(`
        import { createRuntime } from ${JSON.stringify(modules)};
        process.env.TMPDIR = ${JSON.stringify(directory)};
        const runtime = await createRuntime({ mode: "bypass", cwd: "/", graceMs: 1_000 });
        const OUT = process.env.TMPDIR + "/shellflow-" + runtime.id;
        await runtime.run("seq 100000" + ${JSON.stringify(changed)}, { env: { OUT } });
        process.kill(process.pid, "SIGKILL");
      `);
      await new Promise((gone) => host.once("exit", gone));
      assert.equal(host.signalCode, "SIGKILL");
      await until(() => readdirSync(directory).length === 0);
    }
    assert.deepEqual(readdirSync(elsewhere), ["kept"]);
  });

  it("ends no group that was released, or whose number belongs to another by now", async () => {
    const id = nextId();
    const seconds = [uniqueSeconds(), uniqueSeconds(), uniqueSeconds()];
    // A host that registers three groups, releases the first, knows another second, and dies.
    const [kept = "", stranger = "", ended = ""] = seconds;
    const program = `
      import { watchdog } from ${JSON.stringify(source)};
      import { spawn } from "node:child_process";
      const dog = watchdog({ runtimeId: ${JSON.stringify(id)}, graceSeconds: 1 });
      const pids = ${
      JSON.stringify(seconds)
    }.map((s) => spawn("sleep", [s], { detached: true, stdio: "ignore" }).pid);
      for (const pid of pids) dog.register({ pid, ...(pid === pids[1] && { startTime: "1" }) });
      dog.release(pids[0]);
      setInterval(() => {}, 60_000);
    `;
    const host = runProgram(program);
    const gone = new Promise((gone) => host.once("exit", gone));
    await until(() =>
      seconds.every((each) => living(`sleep ${each}`).length === 1) && dogOf(id) !== undefined
    );
    await toldAll(host);
    host.kill("SIGKILL");
    await gone;
    await until(() => living(`sleep ${ended}`).length === 0 && dogOf(id) === undefined);
    const left = [...living(`sleep ${kept}`), ...living(`sleep ${stranger}`)];
    for (const { pid } of left) process.kill(pid, "SIGKILL");
    assert.equal(left.length, 2);
  });

  it("spares who has the id of the runtime elsewhere than in the mark or the name of a pipe", async () => {
    const id = nextId();
    const what = `sleep ${uniqueSeconds()}`;
    const host = startHost(id, `${what} & wait`);
    const directory = mkdtempSync(join(tmpdir(), `shellflow-${id}-`));
    const file = join(directory, "1");
    const output = openSync(file, "w");
    rmSync(directory, { recursive: true });
    const strangers = [
      { OUT: `${id}/1` },
      { LINES: `x\nSHELLFLOW_MARK=${id}/1` },
      { NOT_SHELLFLOW_MARK: `${id}/1` },
      { SHELLFLOW_MARK: `other/1 of-${id}/1` },
      { NAME: "nothing" },
    ].map((env) => {
      const seconds = uniqueSeconds();
      const stdio: StdioOptions = ["ignore", "NAME" in env ? output : "ignore", "ignore"];
      const child = spawn("sleep", [seconds], { detached: true, stdio, env });
      return { child, sleep: `sleep ${seconds}` };
    });
    closeSync(output);
    try {
      await until(() => strangers.every(({ sleep }) => living(sleep).length === 1));
      await until(() => living(what).length > 0 && dogOf(id) !== undefined);
      await killed(host, id, what);
      const left = strangers.map(({ sleep }) => living(sleep).length);
      assert.deepEqual(left, strangers.map(() => 1));
    } finally {
      host.kill("SIGKILL");
      for (const { child } of strangers) child.kill("SIGKILL");
    }
  });

  it("spares its own host, which may let go of it before it lets go of its pipes", async () => {
    const id = nextId();
    const [host = "", other = ""] = [uniqueSeconds(), uniqueSeconds()];
    const env = { [MARK]: `${id}/1` };
    const children = [host, other].map((seconds) =>
      spawn("sleep", [seconds], { detached: true, stdio: "ignore", env })
    );
    try {
      await until(() => [host, other].every((seconds) => living(`sleep ${seconds}`).length === 1));
      const [{ pid, startTime } = { pid: 0 }] = living(`sleep ${host}`);
      const args = ["-c", watchdogLoop, "shellflow-watchdog", id, "1", `${pid}:${startTime}`];
      execFileSync("sh", args, { input: "", stdio: "pipe" });
      assert.equal(living(`sleep ${other}`).length, 0);
      assert.equal(living(`sleep ${host}`).length, 1);
    } finally {
      for (const child of children) child.kill("SIGKILL");
    }
  });

  it("finds who left its group by the pipe alone, and by any word of the mark", async () => {
    const id = nextId();
    const what = `sleep ${uniqueSeconds()}`;
    const env = `A="$(printf 'x\\ny')" SHELLFLOW_MARK="other/1 $SHELLFLOW_MARK other/2"`;
    const host = startHost(
      id,
      `env -i setsid ${what} & env ${env} setsid ${what} >/dev/null 2>&1 & wait`,
    );
    try {
      const leads = () => living(what).filter(({ pid, group }) => pid === group).length;
      await until(() => leads() === 2 && dogOf(id) !== undefined);
      await killed(host, id, what);
    } finally {
      host.kill("SIGKILL");
    }
  });

  it("ends the groups that it was told of before it starts anything, and also if it cannot", async () => {
    const id = nextId();
    const what = `sleep ${uniqueSeconds()}`;
    const bin = mkdtempSync(join(scratch, "bin-"));
    const go = join(bin, "go");
    const sh = findProgram("sh", process.env["PATH"] ?? "");
    const script = (name: string, ...lines: string[]) =>
      writeFileSync(join(bin, name), [`#!${sh}`, ...lines, ""].join("\n"), { mode: 0o755 });
    script("sh", `[ "$3" != shellflow-watchdog ] || ulimit -u 1`, `exec ${sh} "$@"`);
    // For root there is no such limit: then this is what it waits for.
    script("grep", `until [ -e '${go}' ]; do sleep 0.1; done`);
    const PATH = `${bin}:${process.env["PATH"]}`;
    const host = startHost(id, `${what} & wait`, { ...process.env, PATH });
    try {
      await until(() => living(what).length >= 1 && ignoresTerm(dogOf(id)));
      await toldAll(host);
      host.kill("SIGKILL");
      await until(() => living(what).length === 0);
      writeFileSync(go, "");
      await until(() => dogOf(id) === undefined);
    } finally {
      writeFileSync(go, "");
      host.kill("SIGKILL");
    }
  });

  it("tries again with the next group where it could not start, and tells of that once", async () => {
    const id = nextId();
    const bin = mkdtempSync(join(scratch, "bin-"));
    const PATH = process.env["PATH"] ?? "";
    const bash = findProgram("bash", PATH) ?? "";
    // It is there, and what is to run it is not a program.
    writeFileSync(join(bin, "none"), "");
    writeFileSync(join(bin, "bash"), `#!${join(bin, "none")}\n`, { mode: 0o755 });
    const failures: Error[] = [];
    const dog = watchdog({ runtimeId: id }, (cause) => failures.push(cause));
    process.env["PATH"] = `${bin}:${PATH}`;
    try {
      dog.register({ pid: 2 ** 30 });
      dog.register({ pid: 2 ** 30 + 1 });
      await until(() => failures.length > 0);
      assert.equal(dogOf(id), undefined);
      rmSync(join(bin, "bash"));
      symlinkSync(bash, join(bin, "bash"));
      dog.register({ pid: 2 ** 30 + 2 });
      await until(() => dogOf(id) !== undefined);
      assert.equal(failures.length, 1);
    } finally {
      process.env["PATH"] = PATH;
      dog.close();
    }
  });

  it("may end by a signal that its host has no name for", async () => {
    const id = nextId();
    const host = runProgram(`
      import { watchdog } from ${JSON.stringify(source)};
      const dog = watchdog({ runtimeId: ${JSON.stringify(id)} });
      dog.start();
      setInterval(() => dog.start(), 10);
    `);
    try {
      // One that executes its program at this moment is not found by a second look.
      let first: number | undefined;
      await until(() => (first = dogOf(id)) !== undefined);
      execFileSync("sh", ["-c", `kill -35 ${first}`]);
      await until(() => (dogOf(id) ?? first) !== first || host.exitCode !== null);
      assert.equal(host.exitCode, null);
    } finally {
      host.kill("SIGKILL");
    }
  });

  it("knows after its replacement also who started before it, whoever ended meanwhile", async () => {
    const id = nextId();
    const [first, second, third] = [uniqueSeconds(), uniqueSeconds(), uniqueSeconds()];
    // Its host dies a while after the one that started last.
    const host = runProgram(`
      import { watchdog } from ${JSON.stringify(source)};
      import { spawn } from "node:child_process";
      import { procTable } from ${JSON.stringify(tables)};
      const table = procTable();
      const isDog = ({ pid, state }) =>
        state !== "Z" && table.commandLine(pid).includes(${
      JSON.stringify(`shellflow-watchdog ${id} `)
    });
      const dog = watchdog({ runtimeId: ${JSON.stringify(id)}, graceSeconds: 1 });
      const start = (seconds) => {
        const child = spawn("sleep", [seconds], { detached: true, stdio: "ignore", env: {} });
        dog.register({ pid: child.pid });
        return child;
      };
      const pause = () => new Promise((go) => setTimeout(go, 300));
      start("${first}");
      const ended = start("${second}");
      await pause();
      const { pid } = table.read().all.find(isDog);
      ended.kill("SIGKILL");
      dog.release(ended.pid);
      process.kill(pid, "SIGKILL");
      await pause();
      // Something to tell while nobody is there to hear it.
      dog.release(ended.pid);
      await pause();
      start("${third}");
      await pause();
      process.kill(process.pid, "SIGKILL");
    `);
    await new Promise((gone) => host.once("exit", gone));
    assert.equal(host.signalCode, "SIGKILL");
    await until(() => dogOf(id) === undefined);
    const left = [first, third].flatMap((seconds) => living(`sleep ${seconds}`));
    for (const { pid } of left) process.kill(pid, "SIGKILL");
    assert.deepEqual(left, []);
  });

  it("without grep and ls still ends the groups that it was told of", async () => {
    const id = nextId();
    const what = `sleep ${uniqueSeconds()}`;
    const bin = mkdtempSync(join(scratch, "bin-"));
    for (const name of ["sh", "bash", "mkfifo", "sleep"]) {
      const file = findProgram(name, process.env["PATH"] ?? "");
      if (file !== undefined) symlinkSync(file, join(bin, name));
    }
    const host = startHost(id, `${what} & wait`, { ...process.env, PATH: bin });
    try {
      await until(() => living(what).length > 0 && dogOf(id) !== undefined);
      await killed(host, id, what);
    } finally {
      host.kill("SIGKILL");
    }
  });
});
