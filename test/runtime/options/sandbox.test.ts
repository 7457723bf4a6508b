import assert from "node:assert/strict";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createRuntime, type RuntimeOptions } from "../../../src/mod.ts";
import { playback } from "../../../src/testing.ts";
import { createTools } from "../../../src/tools.ts";
import { cleanUp } from "../../clean-up.ts";
import { runArgs } from "../../run-args.ts";

// The temporary directory counts as inside, so what is outside has to be elsewhere.
const scratch = realpathSync(mkdtempSync("/var/tmp/shellflow-sandbox-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const world = (name: string) => {
  const workspace = join(scratch, name);
  const outside = join(scratch, `${name}-outside`);
  mkdirSync(join(workspace, ".git", "hooks"), { recursive: true });
  mkdirSync(outside);
  const options: RuntimeOptions = { cwd: workspace, mode: "bypass" };
  return { workspace, outside, options };
};

/** A call of the command line, for a shell. */
const shellflow = (...words: readonly string[]) =>
  [process.execPath, ...runArgs(new URL("../../../src/cli/main.ts", import.meta.url)), ...words]
    .map((word) => `'${word}'`).join(" ");

const inSandbox = async (): Promise<string | undefined> => {
  try {
    await (await createRuntime({ cwd: scratch, sandbox: {} })).close();
    return undefined;
  } catch (cause) {
    return String(cause);
  }
};
const lack = await inSandbox();

describe("a sandbox", () => {
  if (lack !== undefined) {
    it("says clearly why it is not to be had here", () => {
      assert.match(lack, /^Error: Cannot use a sandbox: bubblewrap/);
    });
    return;
  }

  it("lets commands write inside and nowhere else", async () => {
    const { workspace, outside, options } = world("files");
    const shared = mkdtempSync(join(scratch, "shared-"));
    symlinkSync(outside, join(workspace, "link"));
    await using runtime = await createRuntime({
      ...options,
      directories: [shared],
      sandbox: {},
    });
    const temporary = join(tmpdir(), `shellflow-sandbox-${process.pid}`);
    const inside = [join(workspace, "f"), join(shared, "f"), temporary];
    for (const file of inside) {
      const line = `echo written > ${file} && cat ${file}; rm ${file}`;
      assert.equal((await runtime.run(line)).output, "written\n", file);
    }
    const setting = "/proc/sys/kernel/printk";
    const elsewhere = [
      `touch ${outside}/f`,
      "touch link/f",
      // As it is, in case that it works.
      `v=$(cat ${setting}); echo $v > ${setting}`,
    ];
    for (const line of elsewhere) {
      const { exitCode, output } = await runtime.run(line);
      assert.equal(exitCode, 1, line);
      assert.match(output, /Read-only file system|Permission denied/, line);
    }
    const { output } = await runtime.run("mount -o remount,rw,bind /; cat /etc/passwd | head -c 4");
    assert.match(output, /root$/, "reading is free");
    assert.equal((await runtime.run(`touch ${outside}/f`)).exitCode, 1);
  });

  it("keeps what git runs as it is, and what is above that in its place", async () => {
    const { workspace, options } = world("kept");
    writeFileSync(join(workspace, ".git", "config"), "");
    writeFileSync(join(workspace, "settings"), "");
    await using runtime = await createRuntime({ ...options, sandbox: {} });
    const fails = [
      "touch .git/hooks/pre-commit",
      "mv .git other",
      "rmdir .git/hooks",
      "git config core.fsmonitor 'touch x'",
      "mv settings .git/config",
    ];
    for (const line of fails) assert.notEqual((await runtime.run(line)).exitCode, 0, line);
    assert.equal((await runtime.run("touch .git/x settings")).exitCode, 0);
    const beside = world("beside");
    const directories = [workspace];
    await using both = await createRuntime({ ...beside.options, directories, sandbox: {} });
    assert.equal((await both.run(`touch ${workspace}/.git/hooks/x`)).exitCode, 1);
    await using other = await createRuntime({ ...options, sandbox: { readOnly: ["settings"] } });
    assert.equal((await other.run("echo x > settings")).exitCode, 1);
    assert.equal((await other.run("touch .git/hooks/pre-commit")).exitCode, 0);
  });

  it("keeps the file that leads from a linked worktree to its repository", async () => {
    const worktree = join(scratch, "worktree");
    mkdirSync(worktree);
    writeFileSync(join(worktree, ".git"), "gitdir: elsewhere\n");
    await using runtime = await createRuntime({ cwd: worktree, mode: "bypass", sandbox: {} });
    assert.deepEqual(runtime.capabilities.sandbox?.readOnly, [join(worktree, ".git")]);
    for (const line of ["rm .git", "mv .git other", "echo gitdir: other > .git"]) {
      assert.equal((await runtime.run(line)).exitCode, 1, line);
    }
  });

  it("gives nothing away by a link in the place of what it would keep", async () => {
    const fresh = join(scratch, "fresh");
    const victim = join(scratch, "victim");
    mkdirSync(fresh);
    mkdirSync(victim);
    await using runtime = await createRuntime({ cwd: fresh, mode: "bypass", sandbox: {} });
    assert.equal((await runtime.run("ln -s ../victim .git")).exitCode, 0);
    assert.equal((await runtime.run("touch ../victim/x || touch .git/x")).exitCode, 1);
    await assert.rejects(createRuntime({ cwd: fresh, sandbox: { readOnly: ["none"] } }), {
      name: "TypeError",
      message: `Cannot keep "${fresh}/none" in a sandbox: there is no such file or directory`,
    });
    await assert.rejects(createRuntime({ cwd: fresh, sandbox: { readOnly: [".git/x"] } }), {
      message: `Cannot keep "${join(fresh, ".git/x")}" in a sandbox: a command could replace the ` +
        "link that leads there; name in sandbox.readOnly what is to be kept",
    });
  });

  it("hides the log, and keeps the output of commands as it is", async () => {
    const { workspace, options } = world("own");
    const log = join(workspace, "state", "log");
    for (const where of [{ log }, {}]) {
      await using runtime = await createRuntime({
        ...options,
        ...where,
        output: { headBytes: 10, tailBytes: 10 },
        sandbox: {},
      });
      const { artifact } = await runtime.run("seq 1000");
      assert.ok(artifact !== undefined);
      assert.equal((await runtime.run(`wc -l < ${artifact}`)).output, "1000\n");
      const directory = join(artifact, "..");
      const fails = [
        `echo forged > ${artifact}`,
        `rm ${artifact}`,
        `mv ${directory} ${workspace}/other`,
        `touch ${directory}/x`,
      ];
      for (const line of fails) assert.equal((await runtime.run(line)).exitCode, 1, line);
      if (!("log" in where)) continue;
      assert.equal((await runtime.run("ls state/log")).output, "output\n");
      assert.equal((await runtime.run("mv state other")).exitCode, 1);
    }
    const sandbox = { readOnly: ["."] };
    await using runtime = await createRuntime({ ...options, log, sandbox });
    assert.equal((await runtime.run("ls state/log")).output, "output\n");
    assert.equal((await runtime.run("touch x || touch state/log/output/x")).exitCode, 1);
  });

  it("keeps a command from the owner of a log that it can see", async () => {
    const { options } = world("steers");
    const log = join(scratch, "steered");
    await using owner = await createRuntime({ ...options, log });
    await owner.run("true");
    await using runtime = await createRuntime({ ...options, sandbox: {} });
    assert.match(
      (await runtime.run(shellflow("ps", "--log", log))).output,
      /^Cannot answer "ping": it comes from a sandbox, or from where ".*" is another directory$/m,
    );
    assert.equal((await runtime.run("ls /tmp/shellflow-$(id -u)/secret")).exitCode, 2);
  });

  it("starts with no program that a command could have put there", async () => {
    const { workspace, options } = world("path");
    const before = process.env["PATH"];
    const programs = join(workspace, "bin");
    mkdirSync(programs);
    writeFileSync(join(programs, "bwrap"), `#!/bin/sh\ntouch ${workspace}/ran\n`, { mode: 0o755 });
    process.env["PATH"] = `${programs}:bin:${before}`;
    try {
      await using runtime = await createRuntime({ ...options, sandbox: {} });
      assert.equal((await runtime.run("ls ran")).exitCode, 2);
    } finally {
      process.env["PATH"] = before;
    }
  });

  it("has a network only where that is asked for", async () => {
    const { options } = world("network");
    const server = createServer((socket) => socket.end("reached\n")).listen(0, "127.0.0.1");
    await new Promise((resolve) => server.once("listening", resolve));
    const address = server.address();
    assert.ok(typeof address === "object" && address !== null);
    const line = `echo $SHELLFLOW_SANDBOX; cat < /dev/tcp/127.0.0.1/${address.port}`;
    try {
      await using none = await createRuntime({ ...options, sandbox: {} });
      const { exitCode, output } = await none.run(line);
      assert.equal(exitCode, 1);
      assert.match(output, /^network-none\n.*Connection refused/);
      await using full = await createRuntime({ ...options, sandbox: { network: "full" } });
      assert.equal((await full.run(line)).output, "network-full\nreached\n");
    } finally {
      server.close();
    }
  });

  it("tells what it may have refused, to programs and to models", async () => {
    const { workspace, outside, options } = world("refusals");
    await using runtime = await createRuntime({ ...options, sandbox: {} });
    const write =
      `The sandbox may have refused a write: commands can write below "${workspace}", ` +
      `"${realpathSync(tmpdir())}", but for "${workspace}/.git/hooks"`;
    assert.equal((await runtime.run(`touch ${outside}/x`)).refusal, write);
    const network = "The sandbox may have refused the network: commands reach none";
    const unreachable = "(echo > /dev/tcp/192.0.2.1/80) 2>&1";
    assert.equal((await runtime.run(unreachable)).refusal, network);
    assert.equal((await runtime.run(`${unreachable} || true`)).refusal, undefined);
    const curl = (host: string) =>
      `echo "curl: (7) Failed to connect to ${host} port 80 after 0 ms: Couldn't connect to server"; exit 7`;
    const refusals = [];
    for (const host of ["192.0.2.1", "localhost", "127.0.0.1", "::1"]) {
      refusals.push((await runtime.run(curl(host))).refusal);
    }
    assert.deepEqual(refusals, [network, undefined, undefined, undefined]);
    // As a client that tries again until its time is over.
    const retries = { command: `${unreachable}; sleep 60`, timeout: 1 };
    const late = await runtime.run(retries.command, { timeoutMs: 500 });
    assert.deepEqual([late.outcome.type, late.refusal], ["timedOut", network]);
    const tools = createTools(runtime);
    const bash = tools.tools.find(({ name }) => name === "bash");
    assert.match(bash?.description ?? "", /^A sandbox lets commands write only below /m);
    const { text } = await tools.call("bash", { command: `touch ${outside}/x` });
    assert.ok(text.includes(write), text);
    const ended = await tools.call("bash", retries);
    assert.ok(ended.text.includes(network), ended.text);
  });

  it("lets no command lead what the tools write out of it", async () => {
    const { outside, options } = world("artifacts");
    const victim = join(outside, "victim");
    writeFileSync(victim, "own\n");
    await using runtime = await createRuntime({ ...options, directories: [scratch], sandbox: {} });
    const { call } = createTools(runtime, { directory: join(scratch, "tools") });
    const artifactOf = async (line: string) => {
      await call("bash", { command: line });
      const [task] = [...runtime.tasks.current.byId.keys()].slice(-1);
      return await call("bash", { command: `cat artifact://${task}` });
    };
    const { text } = await artifactOf("echo first");
    assert.equal(text, "first\nexit code 0");
    const files = join(scratch, "tools", "artifact");
    const own = "${SHELLFLOW_MARK#*/}.out";
    await artifactOf(`echo second; ln -s ${victim} ${files}/${own}`);
    assert.equal(readFileSync(victim, "utf8"), "own\n");
    const led = await artifactOf(`echo third; mv ${files} ${files}2; ln -s ${outside} ${files}`);
    assert.match(led.text, /Cannot write ".*\.out": a link leads elsewhere, to ".*-outside\/task_/);
    await call("bash", { command: "echo > local://x" });
    await call("bash", { command: `ln -s ${outside} ${scratch}/tools/local/link` });
    const local = await call("bash", { command: "echo > local://link/made/x" });
    assert.match(local.text, /Cannot resolve "local:.*": a link leads out of ".*tools"/);
    for (const name of readdirSync(outside)) {
      assert.equal(readFileSync(join(outside, name), "utf8"), name === "victim" ? "own\n" : "");
    }
  });

  it("has not started a command where bubblewrap fails", async () => {
    const { options, workspace } = world("fails");
    const shared = mkdtempSync(join(scratch, "removed-"));
    const sandbox = {};
    await using runtime = await createRuntime({ ...options, directories: [shared], sandbox });
    const own = await runtime.run("echo 'bwrap: no' && exit 1");
    assert.deepEqual(own.outcome, { type: "exited", code: 1 });
    rmSync(shared, { recursive: true });
    assert.equal((await runtime.run("true")).exitCode, 0, "the workspace is still there");
    rmSync(join(workspace, ".git"), { recursive: true });
    const { outcome, output } = await runtime.run("true");
    assert.match(output, /^bwrap: Can't find source path .*\.git: No such file or directory\n$/);
    assert.ok(outcome.type === "spawnFailed");
    assert.match(outcome.reason, /^Cannot start ".*bash" in ".*": bubblewrap failed: Can't find s/);
  });

  it("leaves nothing running, and has neither terminal nor detached command", async () => {
    const { options, workspace } = world("life");
    await using runtime = await createRuntime({
      ...options,
      log: join(workspace, "log"),
      defaultExecutor: "shell",
      sandbox: {},
    });
    assert.deepEqual(runtime.capabilities, {
      terminal: false,
      input: true,
      persistent: false,
      detaches: false,
      splits: true,
      inherits: true,
      sandbox: runtime.capabilities.sandbox,
    });
    const { leftovers } = await runtime.run("setsid env -i sleep 1000 >/dev/null 2>&1 &", {
      sessionId: "s",
    });
    assert.deepEqual(leftovers, []);
    await assert.rejects(runtime.run("true", { detach: true }), {
      message: /with detach true: .* neither a sandbox nor a pid namespace$/,
    });
    const fellBack: unknown[] = [];
    runtime.events.subscribe(({ event }) => {
      if (event.type === "execution.fellBack") fellBack.push([event.from, event.reason]);
    });
    fellBack.length = 0;
    const { taskId, result } = runtime.start("tty; read x; echo got $x", { pty: true });
    await runtime.input(taskId, "input\n");
    const { output } = await result;
    assert.equal(output, "not a tty\ngot input\n");
    assert.deepEqual(fellBack, [["terminal", "a pid namespace holds no terminal"]]);
  });

  it("refuses options that contradict it", async () => {
    const { options, outside } = world("wrong");
    const cannot = async (wrong: RuntimeOptions, message: string) =>
      await assert.rejects(createRuntime({ ...options, sandbox: {}, ...wrong }), { message });
    await cannot(
      { containment: "marks" },
      'Cannot create a runtime with containment "marks": a sandbox has a pid namespace',
    );
    const missing = join(outside, "none");
    await cannot(
      { directories: [missing] },
      `Cannot write to "${missing}" in a sandbox: no such directory`,
    );
    await cannot({ workspace: "/" }, 'Cannot write to "/" in a sandbox: it would hold nothing');
    await cannot(
      { directories: ["/dev/shm"] },
      'Cannot write to "/dev/shm" in a sandbox: it has a /dev of its own',
    );
    for (const [path, system] of [["/", "/dev"], ["/dev", "/dev"], ["/proc/sys", "/proc"]]) {
      await cannot(
        { sandbox: { readOnly: [path ?? ""] } },
        `Cannot keep "${path}" in a sandbox: it has a ${system} of its own`,
      );
    }
    await cannot(
      { sandbox: { readOnly: ["a\0b"] } },
      'Cannot create a runtime with sandbox.readOnly.0 "a\\u0000b": it contains NUL',
    );
    await cannot(
      { executor: () => playback([]).executor },
      "Cannot create a runtime with sandbox: the executor that a function returned is not held by it",
    );
    // @ts-expect-error: a caller without types.
    const wrong: RuntimeOptions = { sandbox: { network: "some" } };
    await assert.rejects(createRuntime(wrong), /sandbox\.network "some"/);
  });
});
