import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { describe, it } from "node:test";
import { inspect } from "node:util";
import { from, lastValueFrom, toArray } from "rxjs";
import { construct, type ConstructOptions, defaultEnvPolicy } from "../../src/env/construct.ts";
import type { EnvBuilt, EnvEvent } from "../../src/event/env.ts";
import { EnvValues } from "../../src/event/env-values.ts";
import type { PermissionGranted, PermittedOrder } from "../../src/event/permission.ts";
import { findProgram } from "../../src/platform/environment/find-program.ts";
import { bash } from "../../src/shell/bash.ts";

const file = findProgram("bash", process.env["PATH"] ?? "") ?? "bash";

function granted(order: Partial<PermittedOrder> = {}): PermissionGranted {
  const whole = {
    sessionId: "s",
    command: "echo hi",
    cwd: "/tmp",
    dialect: "bash",
    origin: "model",
    limits: { timeoutMs: 5 },
    ...order,
  };
  return {
    type: "permission.granted",
    commandId: "a",
    order: whole as PermittedOrder,
    by: "mode",
    rules: [],
  };
}

async function follow(
  event: PermissionGranted,
  options: Partial<ConstructOptions> = {},
): Promise<EnvEvent> {
  const stage = construct({
    policy: () => ({ inherit: "none", profile: "none" }),
    base: {},
    shell: { dialect: bash, file },
    ...options,
  });
  const [first, second, ...rest] = await lastValueFrom(from([event]).pipe(stage, toArray()));
  assert.equal(first, event);
  assert.deepEqual(rest, []);
  assert.ok(second?.type === "env.built" || second?.type === "env.refused");
  return second;
}

async function built(
  event: PermissionGranted,
  options: Partial<ConstructOptions> = {},
): Promise<EnvBuilt> {
  const followed = await follow(event, options);
  assert.ok(followed.type === "env.built");
  return followed;
}

describe("construct", () => {
  it("says how exactly these bytes are run, where, and within which limits", async () => {
    const { commandId, invocation, dropped } = await built(granted());
    assert.equal(commandId, "a");
    assert.deepEqual({ ...invocation, env: {} }, {
      command: "echo hi",
      file,
      args: ["--noprofile", "--norc", "-c", "--", "echo hi", "bash"],
      cwd: "/tmp",
      env: {},
      executor: "process",
      limits: { timeoutMs: 5 },
    });
    assert.deepEqual(dropped, []);
  });

  it("keeps values out of everything that is written down", async () => {
    const event = granted({ env: new EnvValues({ LEVEL: "hidden" }) });
    const { invocation } = await built(event);
    assert.deepEqual(invocation.env.reveal(), { LEVEL: "hidden" });
    assert.doesNotMatch(JSON.stringify(invocation), /hidden/);
    assert.doesNotMatch(inspect(invocation, { depth: 9 }), /hidden/);
  });

  it("asks for the policy by who wants the command", async () => {
    const base = { HOME: "/home/me", FAVOURITE: "blue", API_TOKEN: "x" };
    const policy = defaultEnvPolicy;
    const model = await built(granted(), { base, policy });
    const user = await built(granted({ origin: "user" }), { base, policy });
    assert.deepEqual(
      model.dropped.map(({ name, rule }) => `${name}: ${rule}`),
      ["FAVOURITE: inherit core", "API_TOKEN: inherit core"],
    );
    assert.equal(user.invocation.env.reveal()["FAVOURITE"], "blue");
    assert.deepEqual(user.dropped, [{ name: "API_TOKEN", rule: "default exclude *TOKEN*" }]);
  });

  it("separates what a persistent shell starts with from the variables of one command", async () => {
    const base = { HOME: "/home/me", PATH: "/bin" };
    const policy = () =>
      ({
        inherit: "all",
        profile: "none",
        includeOnly: ["HOME", "PATH", "A"],
      }) as const;
    const shell = { returns: "/home" };
    const env = new EnvValues({ A: "1", B: "2", PATH: "/mine" });
    const { invocation } = await built(granted({ shell, env }), { base, policy });
    const { env: common, overrides, ...rest } = invocation.shell ?? {};
    assert.deepEqual(rest, { sessionId: "s", dialect: "bash", returns: "/home" });
    assert.deepEqual(common?.reveal(), { HOME: "/home/me", PATH: "/bin" });
    assert.deepEqual(overrides?.reveal(), { A: "1", PATH: "/mine" });
    assert.deepEqual(invocation.env.reveal(), {
      HOME: "/home/me",
      PATH: "/mine",
      A: "1",
    });
    const alone = await built(granted({ shell }), { base, policy });
    assert.equal(alone.invocation.shell?.env, alone.invocation.env);
    assert.equal(alone.invocation.shell?.overrides, undefined);
  });

  it("names the session last, over what the policy keeps and the command asks for", async () => {
    const policy = () => ({ inherit: "none", profile: "none", includeOnly: ["A", "ID"] }) as const;
    const options = { policy, sessionVariable: "ID" };
    const { invocation } = await built(granted({ shell: {} }), options);
    assert.deepEqual(invocation.env.reveal(), { ID: "s" });
    assert.deepEqual(invocation.shell?.env.reveal(), { ID: "s" });
    const env = new EnvValues({ A: "1", ID: "mine" });
    const own = await built(granted({ shell: {}, env }), options);
    assert.deepEqual(own.invocation.env.reveal(), { A: "1", ID: "s" });
    assert.deepEqual(own.invocation.shell?.overrides?.reveal(), { A: "1" });
  });

  it("refuses what cannot be set", async () => {
    const event = granted({ env: new EnvValues({ "A-B": "x" }) });
    assert.deepEqual(await follow(event), {
      type: "env.refused",
      commandId: "a",
      reason:
        `Cannot set variable "A-B": a name has letters, digits and _ only, and no digit first`,
    });
  });

  it("makes a real bash that no inherited variable can change", async (test) => {
    if (process.platform === "win32") return test.skip("there may be no bash");
    const base = {
      PATH: process.env["PATH"] ?? "",
      "BASH_FUNC_echo%%": "() { printf forged; }",
      SHELLOPTS: "noexec",
      BASH_ENV: "/dev/stdin",
    };
    const policy = () => ({ inherit: "all", profile: "none" }) as const;
    const { invocation } = await built(granted(), { base, policy });
    const env = { ...invocation.env.reveal() };
    const said = execFileSync(invocation.file, [...invocation.args], { env, encoding: "utf8" });
    assert.equal(said, "hi\n");
  });
});
