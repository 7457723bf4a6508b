import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { createRuntime, readLog, type Runtime } from "../../../src/mod.ts";
import { cleanUp } from "../../clean-up.ts";

// The temporary directory counts as inside, so what is outside has to be elsewhere.
const scratch = mkdtempSync("/var/tmp/shellflow-env-file-");
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
/** Its env file is `vars` in a directory of its own. */
const fresh = (name: string) => {
  const cwd = join(scratch, name);
  mkdirSync(cwd);
  return { cwd, envFile: "vars" };
};
/** What is not taken when a command is admitted. */
async function refusedBy(runtime: Runtime, line: string): Promise<readonly string[]> {
  let refused: readonly string[] | undefined;
  const following = runtime.events.subscribe(({ event }) => {
    if (event.type === "command.admitted") refused = event.order.envFileRefused;
  });
  assert.equal((await runtime.run(line)).exitCode, 0);
  following.unsubscribe();
  return refused ?? [];
}
const SHELL = { sessionId: "kept", executor: "shell" } as const;

describe("the env file", () => {
  it("gives later commands of every session what one has left, in a process and in a shell", async () => {
    await using runtime = await createRuntime({ ...fresh("left"), mode: "bypass" });
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
    await using runtime = await createRuntime({ ...fresh("posix"), mode: "bypass" });
    await runtime.run("echo A=1 >> $SHELLFLOW_ENV_FILE; cd /; set -o posix", SHELL);
    assert.equal((await runtime.run("echo $A", SHELL)).outcome.type, "spawnFailed");
    assert.equal((await runtime.run("echo $A; pwd", SHELL)).output, "1\n/\n");
  });

  it("takes concurrent lines, and outlasts a runtime, whose log has names and no values", async () => {
    const log = join(scratch, "lasting-log");
    const options = { ...fresh("lasting"), log, mode: "bypass" } as const;
    {
      await using runtime = await createRuntime(options);
      const lines = Array.from(
        { length: 9 },
        (_, i) => `echo V${i}=$((${i} + 70)) >> $SHELLFLOW_ENV_FILE`,
      );
      await Promise.all(lines.map((line) => runtime.run(line)));
    }
    {
      await using runtime = await createRuntime(options);
      assert.equal((await runtime.run("echo $V0-$V8")).output, "70-78\n");
    }
    let names: readonly string[] | undefined;
    for await (const { event } of readLog(log)) {
      if (event.type === "command.admitted") names = event.order.env?.names;
    }
    assert.equal(names?.length, 9);
  });

  it("refuses what would be a question in a line, and drops secrets as those of the host", async () => {
    const options = fresh("refusals");
    await using runtime = await createRuntime({
      ...options,
      mode: "bypass",
      env: { exclude: ["LEFT_*"] },
    });
    const names = [
      "PATH",
      "LD_PRELOAD",
      "BASH_ENV",
      "PS4",
      "IFS",
      "GIT_SSH_COMMAND",
      "UID",
      "__sf_a",
    ];
    const refused = [...names, "SHELLFLOW_MARK", "MY_TOKEN", "LEFT_OUT"].map((name) => `${name}=x`);
    const lines = ["HOOK=.git/hooks/pre-commit", ...refused, "FINE=x"];
    writeFileSync(join(options.cwd, "vars"), `${lines.join("\n")}\n`);
    const first = await refusedBy(runtime, "true");
    assert.deepEqual(
      first.map((line) => /"(\w+)"/.exec(line)?.[1]),
      ["HOOK", ...names, "SHELLFLOW_MARK"],
    );
    assert.ok(!first.join().includes(".git"));
    writeFileSync(join(options.cwd, "vars"), lines.slice(-3).join("\n"));
    assert.deepEqual(await refusedBy(runtime, "true"), [
      'line 1: "MY_TOKEN" is left out of environments: default exclude *TOKEN*',
      'line 2: "LEFT_OUT" is left out of environments: exclude LEFT_*',
    ]);
    const { output } = await runtime.run("env");
    assert.match(output, /^FINE=x$/m);
    assert.doesNotMatch(output, /^(?:MY_TOKEN|LEFT_OUT)=/m);
  });

  it("refuses what leads programs to other code, other servers or other files", async () => {
    const options = fresh("led");
    await using runtime = await createRuntime({ ...options, mode: "bypass" });
    const write = (names: readonly string[]) =>
      writeFileSync(join(options.cwd, "vars"), names.map((name) => `${name}=x\n`).join(""));
    const led = [
      ["GLIBC_TUNABLES", "XDG_CONFIG_DIRS", "XDG_DATA_HOME", "XDG_RUNTIME_DIR", "CPATH"],
      ["GOPATH", "CMAKE_PREFIX_PATH", "GTK_MODULES", "PERL_MM_OPT", "SSH_SK_PROVIDER"],
      ["PGHOST", "MYSQL_HOST", "SSH_AUTH_SOCK", "TMUX", "DOCKER_HOST", "DISPLAY", "VAULT_ADDR"],
      ["KRB5_CONFIG", "LDAPCONF", "TNS_ADMIN", "ANTHROPIC_BASE_URL", "NVM_NODEJS_ORG_MIRROR"],
    ];
    for (const names of led) {
      write(names);
      const refused = await refusedBy(runtime, "true");
      assert.deepEqual(refused.map((line) => /"(\w+)"/.exec(line)?.[1]), names);
    }
    write([
      "NODE_ENV",
      "DATABASE_URL",
      "PORT",
      "RUST_LOG",
      "GOOS",
      "TZ",
      "LANG",
      "CI",
      "PGDATABASE",
    ]);
    assert.deepEqual(await refusedBy(runtime, "true"), []);
  });

  it("reads nothing but a small file, and goes on without", async () => {
    const options = fresh("odd");
    const path = join(options.cwd, "vars");
    const odd: Readonly<Record<string, () => void>> = {
      "it has more than 32768 bytes": () => writeFileSync(path, "A=1\n".repeat(9_000)),
      "it is a link, not a regular file": () => symlinkSync("/etc/hostname", path),
      "it is a FIFO, not a regular file": () => void execFileSync("mkfifo", [path]),
      "it is a directory, not a regular file": () => mkdirSync(path),
    };
    await using runtime = await createRuntime({ ...options, mode: "bypass" });
    for (const [why, make] of Object.entries(odd)) {
      make();
      const [refused, ...rest] = await refusedBy(runtime, "true");
      assert.deepEqual(rest, []);
      assert.ok(refused?.startsWith(`Cannot read "${path}": `) && refused.includes(why), refused);
      rmSync(path, { recursive: true });
    }
  });

  it("is inside for what a line writes, and only by the path that the runtime gave it", async () => {
    const options = fresh("judged");
    const path = join(options.cwd, "vars");
    const rules = { allow: ["Bash(*)"] };
    await using runtime = await createRuntime({ ...options, rules });
    const outcome = async (line: string, options = {}) =>
      (await runtime.run(line, options)).outcome.type;
    for (
      const line of [
        "echo A=/etc/passwd >> $SHELLFLOW_ENV_FILE",
        'echo a=/etc/x >> "$SHELLFLOW_ENV_FILE"',
        `echo C=1 >> ${path}`,
        "echo $A",
      ]
    ) assert.equal(await outcome(line), "exited", line);
    for (
      const line of [
        "echo x > $A",
        "eval $A",
        "$A",
        "if false; then a=x; fi; echo x > $a",
        "if false; then HOME_OF=x; fi; echo x > $HOME_OF",
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
});
