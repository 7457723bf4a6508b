import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import {
  createRuntime,
  readLog,
  type RuntimeEvent,
  type RuntimeOptions,
} from "../../../src/mod.ts";
import { createTools } from "../../../src/tools.ts";
import { cleanUp } from "../../clean-up.ts";

// The temporary directory counts as inside, so what is outside has to be elsewhere.
const scratch = mkdtempSync("/var/tmp/shellflow-env-file-");
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const fresh = (name: string): RuntimeOptions => {
  const cwd = join(scratch, name);
  mkdirSync(cwd);
  return { cwd };
};
const SHELL = { sessionId: "kept", executor: "shell" } as const;

describe("the env file", () => {
  it("gives later commands of every session what one has left, in a process and in a shell", async () => {
    await using runtime = await createRuntime({ envFile: true, mode: "bypass" });
    await runtime.run("echo $A; cd /", SHELL);
    await runtime.run(`printf '%s\n' "export A='a b'" 'B=c' >> "$SHELLFLOW_ENV_FILE"`);
    const outputs = [
      await runtime.run('echo "$A-$B"'),
      await runtime.run('echo "$A-$B"', SHELL),
      await runtime.run('echo "$A-$B"', { origin: "user" }),
      await runtime.run('echo "$A-$B"', { env: { A: "own" } }),
    ].map(({ output }) => output);
    assert.deepEqual(outputs, ["a b-c\n", "a b-c\n", "a b-c\n", "own-c\n"]);
  });

  it("gets another shell where one takes variables no more", async () => {
    await using runtime = await createRuntime({ envFile: true, mode: "bypass" });
    await runtime.run("echo A=1 >> $SHELLFLOW_ENV_FILE; cd /; set -o posix", SHELL);
    assert.equal((await runtime.run("echo $A", SHELL)).outcome.type, "spawnFailed");
    assert.equal((await runtime.run("echo $A; pwd", SHELL)).output, "1\n/\n");
  });

  it("takes concurrent lines, and ends with the runtime where there is no log", async () => {
    let path = "";
    {
      await using runtime = await createRuntime({ envFile: true, mode: "bypass" });
      const lines = Array.from({ length: 10 }, (_, i) => `echo V${i}=${i} >> $SHELLFLOW_ENV_FILE`);
      await Promise.all(lines.map((line) => runtime.run(line)));
      const { output } = await runtime.run("echo $SHELLFLOW_ENV_FILE $V0$V9");
      path = output.split(" ")[0] ?? "";
      assert.match(output, / 09\n$/);
      assert.ok(existsSync(path));
    }
    assert.ok(!existsSync(path));
  });

  it("outlasts a runtime with a log, which has names and no values of it", async () => {
    const { cwd } = fresh("lasting");
    const log = join(scratch, "lasting-log");
    const options: RuntimeOptions = { ...(cwd && { cwd }), log, envFile: true, mode: "bypass" };
    {
      await using runtime = await createRuntime(options);
      await runtime.run("echo KEPT=hidden-value >> $SHELLFLOW_ENV_FILE", { sessionId: "s" });
    }
    {
      await using runtime = await createRuntime(options);
      assert.equal((await runtime.run("echo ${#KEPT}", { sessionId: "s" })).output, "12\n");
    }
    const events: RuntimeEvent[] = [];
    for await (const { event } of readLog(log)) events.push(event);
    const admitted = events.filter((event) => event.type === "command.admitted");
    assert.deepEqual(admitted.at(-1)?.order.envFile?.env.names, ["KEPT"]);
    const orders = JSON.stringify(admitted.slice(1));
    assert.ok(!orders.includes("hidden-value"));
  });

  it("drops secrets as those of the host, and refuses what would be a question in a line", async () => {
    const { cwd = "" } = fresh("refusals");
    await using runtime = await createRuntime({ cwd, envFile: "vars", mode: "bypass" });
    const tools = createTools(runtime, { owner: "agent" });
    const names = [
      "PATH",
      "LD_PRELOAD",
      "BASH_ENV",
      "IFS",
      "GIT_SSH_COMMAND",
      "SHELLFLOW_MARK",
      "UID",
      "__sf_a",
    ];
    const lines = [...names, "MY_TOKEN", "FINE"].map((name) => `export ${name}=x`);
    lines.splice(names.length, 0, "HOOK=.git/hooks/pre-commit");
    writeFileSync(join(cwd, "vars"), `${lines.join("\n")}\n`);
    const events: RuntimeEvent[] = [];
    runtime.events.subscribe(({ event }) => events.push(event));
    const { output, envFileRefused = [] } = await runtime.run("env");
    assert.match(envFileRefused.join(), /"HOOK" names what programs run or take settings from/);
    assert.ok(!envFileRefused.join().includes(".git"));
    assert.deepEqual(envFileRefused.map((line) => /"(\w+)"/.exec(line)?.[1]), [...names, "HOOK"]);
    assert.match(output, /^FINE=x$/m);
    assert.doesNotMatch(output, /^(?:MY_TOKEN|LD_PRELOAD|BASH_ENV|IFS|GIT_SSH_COMMAND)=/m);
    assert.doesNotMatch(output, /^(?:PATH|SHELLFLOW_MARK)=x$/m);
    const built = events.find((event) => event.type === "env.built");
    assert.ok(built?.dropped.some(({ name }) => name === "MY_TOKEN"));
    // Reported once, until it changes.
    assert.equal((await runtime.run("env")).envFileRefused, undefined);
    writeFileSync(join(cwd, "vars"), "PATH=y\n");
    const { text } = await tools.call("bash", { command: "true", description: "Do nothing" });
    assert.match(
      text,
      /not taken from the env file: line 1: the variable "PATH" changes what runs/,
    );
  });

  it("reads nothing but a small text file, and goes on without", async () => {
    const { cwd = "" } = fresh("odd");
    const path = join(cwd, "vars");
    const odd: Readonly<Record<string, () => void>> = {
      "it is no text": () => writeFileSync(path, new Uint8Array([65, 61, 0, 255])),
      "it has more than 32768 bytes": () => writeFileSync(path, "A=1\n".repeat(9_000)),
      "it is a symbolic link": () => symlinkSync("/etc/hostname", path),
      "it is a FIFO, not a regular file": () => void execFileSync("mkfifo", [path]),
      "it is a directory, not a regular file": () => mkdirSync(path),
    };
    await using runtime = await createRuntime({ cwd, envFile: "vars", mode: "bypass" });
    for (const [why, make] of Object.entries(odd)) {
      make();
      const { output, envFileRefused } = await runtime.run("echo hi");
      assert.deepEqual(envFileRefused, [`Cannot read "${path}": ${why}`]);
      assert.equal(output, "hi\n");
      rmSync(path, { recursive: true });
    }
  });

  it("is inside for what a line writes, and only by the path that the runtime gave it", async () => {
    const log = join(scratch, "judged-log");
    const { cwd = "" } = fresh("judged");
    const rules = { allow: ["Bash(*)"] };
    await using runtime = await createRuntime({ cwd, log, envFile: true, rules });
    const outcome = async (line: string, options = {}) =>
      (await runtime.run(line, options)).outcome.type;
    const path = join(log, "env", "variables");
    for (
      const line of [
        "echo A=/etc/passwd >> $SHELLFLOW_ENV_FILE",
        'echo B=1 >> "$SHELLFLOW_ENV_FILE"',
        `echo C=1 >> ${path}`,
        "echo $A",
      ]
    ) assert.equal(await outcome(line), "exited", line);
    for (
      const line of [
        "echo x > $A",
        "eval $A",
        "$A",
        "SHELLFLOW_ENV_FILE=/etc/x; echo x >> $SHELLFLOW_ENV_FILE",
        "echo x > $SHELLFLOW_ENV_FILE/../../x",
        "ln -sf /etc/passwd $SHELLFLOW_ENV_FILE",
        "rm -r ${SHELLFLOW_ENV_FILE%/*}",
      ]
    ) assert.equal(await outcome(line), "denied", line);
    const elsewhere = { env: { SHELLFLOW_ENV_FILE: "/etc/x" } };
    assert.equal(await outcome("echo x >> $SHELLFLOW_ENV_FILE", elsewhere), "denied");
    rmSync(path);
    symlinkSync("/etc/x", path);
    assert.equal(await outcome("echo x >> $SHELLFLOW_ENV_FILE"), "denied");
  });

  it("is refused where there can be none", async () => {
    const bad = {
      "of its directory, no such directory": { envFile: "/nosuch/x" },
      "it is a directory": { envFile: "/tmp" },
      "it contains NUL": { envFile: "a\0" },
      "a sandbox hides the directory of the log": { envFile: true, sandbox: {}, log: scratch },
    };
    for (const [why, options] of Object.entries(bad)) {
      await assert.rejects(
        createRuntime(options),
        (cause: TypeError) =>
          cause.message.startsWith("Cannot create a runtime with envFile ") &&
          cause.message.includes(why),
      );
    }
  });
});
