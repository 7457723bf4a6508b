import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPolicy, type PolicyOptions } from "../../src/permission/policy.ts";
import { judgeInput } from "../../src/runtime/judge-input.ts";

const facts = { cwd: "/ws", paths: { real: (path: string) => path } };
const rules = { allow: ["Bash(npm *)"], deny: ["Bash(rm *)"] };
const decide = (
  text: string,
  foreground?: readonly string[] | "prompt",
  more: PolicyOptions = {},
) =>
  judgeInput({ text, ...(foreground && { foreground }) }, createPolicy({ rules, ...more }), facts)
    .decision;

describe("input for a running command", () => {
  it("is a command where a shell reads it", () => {
    for (const shell of [["bash"], ["-bash"], ["/bin/sh", "-i"], ["bash", "-i", "x.sh"]]) {
      assert.equal(decide("npm test\n", shell), "allow");
      assert.equal(decide("make\n", shell), "ask");
      assert.equal(decide("rm -rf x\n", shell), "deny");
      assert.equal(decide("echo $(rm x)\r", shell), "deny");
    }
  });

  it("is code where an interpreter reads it", () => {
    for (
      const program of [
        ["python3"],
        ["node", "-i"],
        ["psql", "app"],
        ["vim", "a"],
        ["ssh", "host"],
        ["sudo", "-s"],
      ]
    ) {
      assert.equal(decide("1 + 1\n", program), "ask", program[0]);
      assert.equal(decide("rm x\n", program), "deny", program[0]);
      assert.equal(decide("1\n", program, { mode: "plan" }), "deny", program[0]);
      assert.equal(decide("1\n", program, { mode: "bypass" }), "allow", program[0]);
    }
  });

  it("is data where another program, or a script, reads it", () => {
    for (
      const program of [
        ["./install.sh"],
        ["bash", "install.sh"],
        ["node", "x.js"],
        ["npm", "init"],
        ["less", "a"],
      ]
    ) {
      assert.equal(decide("y\n", program), "allow", program.join(" "));
    }
  });

  it("is refused at an idle prompt, and asked about where its reader is not known", () => {
    assert.equal(decide("npm test\n", "prompt"), "deny");
    assert.equal(decide("npm test\n", "prompt", { mode: "bypass" }), "deny");
    assert.equal(decide("y\n"), "ask");
    assert.equal(decide("rm x\n"), "deny");
  });
});
