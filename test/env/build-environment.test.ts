import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  buildEnvironment,
  type Environment,
  type Variables,
} from "../../src/env/build-environment.ts";
import type { EnvPolicy } from "../../src/env/env-policy.ts";
import { bash } from "../../src/shell/bash.ts";

type EnvironmentParts = Parameters<typeof buildEnvironment>[0];

const ALL: EnvPolicy = { inherit: "all", profile: "none" };

function build(parts: Partial<EnvironmentParts>): Environment {
  return buildEnvironment({
    base: {},
    policy: ALL,
    dangerous: bash.dangerousVariables,
    ...parts,
  });
}

function values(parts: Partial<EnvironmentParts>): Variables {
  const environment = build(parts);
  assert.ok(environment.type === "built");
  return environment.values;
}

function dropped(parts: Partial<EnvironmentParts>): Readonly<Record<string, string>> {
  const environment = build(parts);
  assert.ok(environment.type === "built");
  return Object.fromEntries(environment.dropped.map(({ name, rule }) => [name, rule]));
}

function reason(parts: Partial<EnvironmentParts>): string {
  const environment = build(parts);
  assert.ok(environment.type === "refused");
  return environment.reason;
}

describe("an environment", () => {
  const host = {
    HOME: "/home/me",
    PATH: "/bin",
    LC_ALL: "C",
    https_proxy: "http://me:pass@proxy:3128",
    EDITOR: "vi",
    Api_Key: "1",
    MY_SECRET_SAUCE: "2",
    token: "3",
    MYSQL_PWD: "4",
    PWD: "/ws",
    DB_PASSWORD: "5",
    NOTES: "see ghp_0123456789abcdefghijABCDEFGHIJ012345 there",
  };

  it("takes over what programs commonly need when nothing else is said", () => {
    const { HOME, PATH, LC_ALL, https_proxy } = host;
    const policy: EnvPolicy = { profile: "none" };
    assert.deepEqual(values({ base: host, policy }), { HOME, PATH, LC_ALL, https_proxy });
  });

  it("takes over everything but secrets", () => {
    const { HOME, PATH, LC_ALL, https_proxy, EDITOR, PWD } = host;
    assert.deepEqual(values({ base: host }), { HOME, PATH, LC_ALL, https_proxy, EDITOR, PWD });
    assert.deepEqual(dropped({ base: host }), {
      Api_Key: "default exclude *KEY*",
      MY_SECRET_SAUCE: "default exclude *SECRET*",
      token: "default exclude *TOKEN*",
      MYSQL_PWD: "default exclude *_PWD",
      DB_PASSWORD: "default exclude *PASSW*",
      NOTES: `value of the shape "GitHub token"`,
    });
  });

  it("takes over what programs commonly need", () => {
    const policy: EnvPolicy = { inherit: "core", profile: "none" };
    const { HOME, PATH, LC_ALL, https_proxy } = host;
    assert.deepEqual(values({ base: host, policy }), { HOME, PATH, LC_ALL, https_proxy });
    assert.equal(dropped({ base: host, policy })["EDITOR"], "inherit core");
  });

  it("takes over nothing", () => {
    const policy: EnvPolicy = { inherit: "none", profile: "none" };
    assert.deepEqual(values({ base: host, policy }), {});
    assert.equal(dropped({ base: host, policy })["HOME"], "inherit none");
  });

  it("lets secrets pass only when told to", () => {
    assert.deepEqual(values({ base: host, policy: { ...ALL, keepSecrets: true } }), host);
  });

  it("leaves out what the policy excludes, in either case", () => {
    const policy = { ...ALL, exclude: ["edit?r", "lc_*"] };
    assert.equal(dropped({ base: host, policy })["EDITOR"], "exclude edit?r");
    assert.equal(dropped({ base: host, policy })["LC_ALL"], "exclude lc_*");
  });

  it("sets what was excluded when the command asks for it", () => {
    const parts = { base: host, overrides: { token: "mine", EDITOR: "ed" } };
    assert.equal(values(parts)["token"], "mine");
    assert.equal(values(parts)["EDITOR"], "ed");
    assert.ok(!("token" in dropped(parts)), "what is there was not dropped");
  });

  it("lets the command win over the policy, the policy over the profile, that over the host", () => {
    const policy: EnvPolicy = { inherit: "all", set: { GIT_PAGER: "less", PAGER: "more" } };
    const built = values({
      base: { PAGER: "x", GIT_PAGER: "x", CI: "0" },
      policy,
      overrides: { PAGER: "most" },
    });
    assert.equal(built["CI"], "1");
    assert.equal(built["GIT_PAGER"], "less");
    assert.equal(built["PAGER"], "most");
  });

  it("keeps programs from waiting for somebody, unless told not to", () => {
    const built = values({ policy: { inherit: "none" } });
    const expected = {
      PAGER: "cat",
      GIT_PAGER: "cat",
      GIT_EDITOR: "true",
      GIT_TERMINAL_PROMPT: "0",
      SSH_ASKPASS: "false",
      CI: "1",
    };
    for (const [name, value] of Object.entries(expected)) assert.equal(built[name], value);
    assert.ok(!Object.keys(built).some((name) => name.startsWith("GIT_CONFIG")));
    assert.deepEqual(values({ policy: { inherit: "none", profile: "none" } }), {});
  });

  it("includes only what is named", () => {
    const policy = { ...ALL, includeOnly: ["PATH", "MY_*"] };
    const parts = {
      base: { PATH: "/bin", HOME: "/" },
      policy,
      overrides: { MY_LEVEL: "1", OTHER: "2" },
    };
    assert.deepEqual(values(parts), { PATH: "/bin", MY_LEVEL: "1" });
    assert.deepEqual(dropped(parts), { HOME: "include only", OTHER: "include only" });
  });

  it("drops what changes the meaning of a line, whatever else the policy says", () => {
    const base = {
      BASH_ENV: "/tmp/x",
      "BASH_FUNC_ls%%": "() { rm; }",
      SHELLOPTS: "xtrace",
      PS4: "$(id)",
      PROMPT_COMMAND: "id",
      BASHOPTS: "extglob",
      ENV: "x",
      BASH: "/bin/bash",
    };
    const policy: EnvPolicy = { ...ALL, keepSecrets: true };
    assert.deepEqual(values({ base, policy }), { BASH: "/bin/bash" });
    assert.equal(dropped({ base, policy })["BASH_ENV"], "it changes what a line means");
  });

  it("refuses to set what changes the meaning of a line, unless it is allowed by name", () => {
    const overrides = { BASH_ENV: "/tmp/x" };
    assert.equal(
      reason({ overrides }),
      `Cannot set variable "BASH_ENV": it changes what the line means, and env.allowDangerous does not name it`,
    );
    assert.match(
      reason({ overrides: { BASH_FUNC_ls: "x" } }),
      /^Cannot set variable "BASH_FUNC_ls"/,
    );
    assert.deepEqual(
      values({ overrides, policy: { ...ALL, allowDangerous: ["BASH_ENV"] } }),
      overrides,
    );
  });

  for (const name of ["", "1A", "A-B", "A B", "A=B", "Ä", "A\n"]) {
    it(`refuses the name ${JSON.stringify(name)}`, () => {
      const says = reason({ overrides: { [name]: "x" } });
      assert.ok(says.startsWith(`Cannot set variable ${JSON.stringify(name)}: a name has`), says);
    });
  }

  it("refuses a value that no process can have, without showing it", () => {
    assert.equal(
      reason({ overrides: { LEVEL: "hidden\0value" } }),
      `Cannot set variable "LEVEL": its value contains a NUL byte`,
    );
  });

  it("takes names that mean something to JavaScript as names", () => {
    const overrides = Object.fromEntries([["__proto__", "x"], ["constructor", "y"]]);
    const built = values({ overrides });
    assert.deepEqual(Object.entries(built), [["__proto__", "x"], ["constructor", "y"]]);
  });

  const name = fc.stringMatching(/^[A-Z_]{1,6}$/);
  const variables = fc.dictionary(name, fc.string({ maxLength: 8 }));

  it("has every name either in it or dropped by a rule, and no value in what it tells", () => {
    const host = fc.dictionary(name, fc.stringMatching(/^value-[a-z]{8}$/));
    const pattern = fc.stringMatching(/^[A-Z_*?]{1,4}$/);
    const policies: fc.Arbitrary<EnvPolicy> = fc.record({
      inherit: fc.constantFrom("all", "core", "none"),
      profile: fc.constantFrom("non-interactive", "none"),
      exclude: fc.array(pattern, { maxLength: 2 }),
      includeOnly: fc.array(pattern, { maxLength: 4 }),
    }, { requiredKeys: ["inherit", "profile"] });
    fc.assert(fc.property(host, policies, (base, policy) => {
      const environment = build({ base, policy });
      assert.ok(environment.type === "built");
      const names = new Set(environment.dropped.map(({ name }) => name));
      for (const name of Object.keys(base)) {
        assert.notEqual(Object.hasOwn(environment.values, name), names.has(name), name);
      }
      assert.equal(names.size, environment.dropped.length);
      assert.doesNotMatch(JSON.stringify(environment.dropped), /value-/);
    }));
  });

  it("gives a command exactly what it asks for, whatever the host has", () => {
    fc.assert(fc.property(variables, variables, (base, overrides) => {
      const environment = build({ base, overrides });
      if (Object.values(overrides).some((value) => value.includes("\0"))) {
        assert.equal(environment.type, "refused");
      } else if (environment.type === "built") {
        for (const [name, value] of Object.entries(overrides)) {
          assert.equal(environment.values[name], value);
        }
      } else {
        assert.ok(Object.keys(overrides).some((name) => bash.dangerousVariables.includes(name)));
      }
    }));
  });
});
