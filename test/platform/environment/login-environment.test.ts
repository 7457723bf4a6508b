import assert from "node:assert/strict";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { createRuntime, loginEnvironment } from "../../../src/mod.ts";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { cleanUp } from "../../clean-up.ts";
import { startCli } from "../../cli/shellflow.ts";
import { until } from "../../until.ts";

const home = mkdtempSync(join(tmpdir(), "shellflow-login-"));
cleanUp(() => rmSync(home, { recursive: true, force: true }));
const { PATH = "" } = process.env;
const env = { HOME: home, ZDOTDIR: home, XDG_CONFIG_HOME: home, PATH, LANG: "C.UTF-8" };
const set = [
  "echo noise on the way",
  'export PATH="$HOME/tools:$PATH"',
  'export TWO_LINES="one',
  'two=2"',
  "alias ls='ls -l'",
  "",
].join("\n");
writeFileSync(join(home, ".bash_profile"), set);
writeFileSync(join(home, ".zshrc"), set);
writeFileSync(join(home, ".profile"), set.replace(/^alias.*$/m, ""));
mkdirSync(join(home, "fish"));
writeFileSync(
  join(home, "fish/config.fish"),
  'echo noise\nset -gx PATH $HOME/tools $PATH\nset -gx TWO_LINES "one\ntwo=2"\n',
);
const shellOf = (name: string) => {
  const shell = findProgram(name, PATH);
  assert.ok(shell, name);
  return shell;
};

/** Whether one of the processes lives whose pids are in a file. */
function someLive(pids: string): boolean {
  return readFileSync(pids, "utf8").trim().split(" ").some((pid) => {
    try {
      return !/^State:\s+Z/m.test(readFileSync(`/proc/${pid}/status`, "utf8"));
    } catch {
      return false;
    }
  });
}

describe("the environment of a login shell", () => {
  for (const name of ["bash", "zsh", "fish", "dash"]) {
    if (findProgram(name, PATH) === undefined) continue;
    it(`is what its files set, with ${name}`, async () => {
      const taken = await loginEnvironment({ shell: shellOf(name), env });
      assert.equal(taken["PATH"]?.split(":")[0], join(home, "tools"));
      assert.equal(taken["TWO_LINES"], "one\ntwo=2");
      assert.equal(taken["LANG"], "C.UTF-8");
      assert.ok(!("SHLVL" in taken) && !("_" in taken) && !("PWD" in taken));
      assert.ok(!("DENO_EXTRA_STDIO_FDS" in taken));
    });
  }

  it("is what commands inherit from, by the policy as ever", async () => {
    const hostEnv = {
      ...await loginEnvironment({ shell: shellOf("bash"), env }),
      MY_TOKEN: "secret",
    };
    await using runtime = await createRuntime({ mode: "bypass", hostEnv });
    const line = 'echo "${PATH%%:*} ${MY_TOKEN-none} ${TWO_LINES-none}"; alias';
    assert.equal((await runtime.run(line)).output, `${join(home, "tools")} none none\n`);
    const whole = await runtime.run(line, { origin: "user" });
    assert.equal(whole.output, `${join(home, "tools")} none one\ntwo=2\n`);
  });

  it("is not waited for without end, and leaves nothing running", async () => {
    const slow = mkdtempSync(join(home, "slow-"));
    const pids = join(slow, "pids");
    writeFileSync(join(slow, ".bash_profile"), `sleep 1000 & echo $! $$ > '${pids}'; wait\n`);
    const taking = loginEnvironment({
      shell: shellOf("bash"),
      env: { ...env, HOME: slow },
      timeoutMs: 1_000,
    });
    await assert.rejects(taking, {
      message: `Cannot take the environment of "${shellOf("bash")}": it gave none within 1 s`,
    });
    await until(() => !someLive(pids));
    // A host that is killed meanwhile leaves nothing either.
    rmSync(pids);
    const server = startCli(["serve", "--login-env"], {
      env: { HOME: slow, SHELL: shellOf("bash") },
    });
    await until(() => existsSync(pids) && readFileSync(pids, "utf8").endsWith("\n"));
    server.kill("SIGKILL");
    await until(() => !someLive(pids));
  });

  it("fails clearly where the shell cannot give it", async () => {
    const none = join(home, "none");
    await assert.rejects(loginEnvironment({ shell: none, env }), {
      message: `Cannot take the environment of "${none}": there is no such program`,
    });
    for (const timeoutMs of [0, Number.NaN, Infinity]) {
      await assert.rejects(
        loginEnvironment({ env, timeoutMs }),
        /^TypeError: Cannot take the environment of a shell with timeoutMs /,
      );
    }
    // @ts-expect-error: a caller without types.
    await assert.rejects(loginEnvironment({ timeout: 1 }), /with timeout 1: there is no such opt/);
    const ends = mkdtempSync(join(home, "ends-"));
    writeFileSync(join(ends, ".bash_profile"), "exit 3\n");
    await assert.rejects(
      loginEnvironment({ shell: shellOf("bash"), env: { ...env, HOME: ends } }),
      {
        message: `Cannot take the environment of "${
          shellOf("bash")
        }": it ended without it (code 3)`,
      },
    );
  });
});

describe("the policy of variables as a function", () => {
  it("knows the command and its session, and can add variables for them", async () => {
    await using runtime = await createRuntime({
      mode: "bypass",
      env: (_, { command, sessionId }) => ({ set: { ASKED: command, SESSION: sessionId } }),
    });
    for (const executor of ["process", "shell"] as const) {
      const { output } = await runtime.run("echo $SESSION", { sessionId: "build", executor });
      assert.equal(output, "build\n");
    }
    assert.equal((await runtime.run('echo "$ASKED"')).output, 'echo "$ASKED"\n');
    assert.equal((await runtime.run('printf %s "$ASKED"')).output, 'printf %s "$ASKED"');
  });

  it("refuses the command where its answer is none", async () => {
    const answers: readonly [unknown, string][] = [
      [Promise.resolve({}), "it must not be a promise"],
      [{ inherits: "all" }, "env.inherits"],
      [undefined, "env undefined"],
    ];
    for (const [answer, reason] of answers) {
      await using runtime = await createRuntime({ mode: "bypass", env: () => answer as never });
      const { outcome } = await runtime.run("echo hi");
      assert.equal(outcome.type, "failed");
      assert.ok("reason" in outcome && outcome.reason.includes(reason), JSON.stringify(outcome));
    }
  });

  it("cannot change what runs", async () => {
    await using runtime = await createRuntime({
      rules: { allow: ["Bash(echo *)"] },
      env: (_, facts) => {
        Object.assign(facts, { command: "printf changed" });
        return {};
      },
    });
    assert.equal((await runtime.run("echo hi")).output, "hi\n");
  });
});
