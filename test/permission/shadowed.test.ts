import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { firstValueFrom, of, toArray } from "rxjs";
import { parse } from "../../src/command/parse.ts";
import type { CommandAdmitted, DialectName, ShellState } from "../../src/event/command.ts";
import { permit } from "../../src/permission/permit.ts";
import { createPolicy } from "../../src/permission/policy.ts";
import { countingIds } from "../../src/platform/ids.ts";
import { check } from "../../src/runtime/permission/check.ts";

const ALLOW = "git status|ls|echo|time|command|exec|[|export|wc".split("|")
  .map((command) => `Bash(${command} *)`);
const decide = async (command: string, state: ShellState) =>
  await check({ command, state, cwd: "/w", rules: { allow: ALLOW, deny: ["Bash(rm *)"] } });

/** Lines, a state in which they are asked about, and what is said of it. */
const SHADOWED: readonly (readonly [string, ShellState, RegExp])[] = [
  ["git status", { functions: ["git"] }, /"git" is a function of the shell/],
  ["git status", { aliases: ["git"] }, /"git" is an alias of the shell/],
  ["git status", { programs: ["git"] }, /"git" is remembered by the shell as another file/],
  ["git status", { variables: ["PATH"] }, /the variable "PATH" changes what runs/],
  ["git status", { variables: ["BASH_ENV"] }, /the variable "BASH_ENV" changes what runs/],
  ["git status", { functions: ["command_not_found_handle"] }, /stands in for a missing "git"/],
  ["echo a && git status", { functions: ["git"] }, /"git" is a function/],
  ["echo $(git status)", { functions: ["git"] }, /"git" is a function/],
  ["ls | wc", { functions: ["wc"] }, /"wc" is a function/],
  ["if git status; then ls; fi", { functions: ["git"] }, /"git" is a function/],
  ["time git status", { functions: ["git"] }, /"git" is a function/],
  ["command git status", { programs: ["git"] }, /"git" is remembered/],
  ["exec git status", { programs: ["git"] }, /"git" is remembered/],
  ["[ -f x ]", { functions: ["["] }, /"\[" is a function/],
  ["export A=1", { functions: ["export"] }, /"export" is a function/],
  ["for x in 1; do ls; done", { aliases: ["for"] }, /"for" is an alias/],
  ["ls | ! ls", { aliases: ["!"] }, /"!" is an alias/],
];

/** Lines in which a name that was taken is not used, or not looked up. */
const CLEAR: readonly (readonly [string, ShellState])[] = [
  ["ls", { functions: ["git", "deploy"], aliases: ["for"], programs: ["git"] }],
  ["echo git", { functions: ["git"], aliases: ["git"] }],
  ["command git status", { functions: ["git"] }],
  ["git status", { variables: ["MY_OWN"] }],
  ["git status", {}],
];

describe("a name that the shell has taken", () => {
  for (const [command, state, reason] of SHADOWED) {
    it(`makes "${command}" a question with ${JSON.stringify(state)}`, async () => {
      const answer = await decide(command, state);
      assert.equal(answer.decision, "ask");
      assert.match(answer.reason, reason);
    });
  }
  for (const [command, state] of CLEAR) {
    it(`changes nothing for "${command}" with ${JSON.stringify(state)}`, async () => {
      assert.equal((await decide(command, state)).decision, "allow");
    });
  }
  it("hides nothing that is denied", async () => {
    assert.equal((await decide("ls; rm x", { functions: ["ls"] })).decision, "deny");
  });
});

describe("a line for another dialect than bash", () => {
  const judged = async (command: string, dialect: DialectName, mode: "default" | "bypass") => {
    const admitted: CommandAdmitted = {
      type: "command.admitted",
      commandId: "a",
      sessionId: "s",
      order: { sessionId: "s", command, cwd: "/w", dialect, origin: "user", limits: {} },
    };
    const policy = createPolicy({ rules: { allow: ["Bash"], deny: ["Bash(rm *)"] }, mode });
    const asker = () => Promise.resolve("deny" as const);
    const events = await firstValueFrom(
      of(admitted).pipe(
        parse(),
        permit({ policy, ids: countingIds(), asker }),
        toArray(),
      ),
    );
    return events.map(({ type }) => type).slice(2);
  };

  for (const dialect of ["zsh", "posix", "fish", "powershell"] as const) {
    it(`is never believed for ${dialect}, but searched for what is denied`, async () => {
      assert.equal((await judged("ls", dialect, "default"))[0], "permission.asked");
      assert.deepEqual(await judged("ls", dialect, "bypass"), ["permission.granted"]);
      assert.deepEqual(await judged("ls; rm x", dialect, "bypass"), ["permission.denied"]);
    });
  }
});
