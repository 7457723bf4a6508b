import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { createPolicy, type PolicyOptions } from "../../../src/permission/policy.ts";
import { judgeInput } from "../../../src/runtime/permission/judge-input.ts";

const facts = { cwd: "/ws", paths: { real: (path: string) => path } };
const rules = { allow: ["Bash(npm *)"], deny: ["Bash(rm *)"] };
const decide = async (
  text: string,
  foreground?: readonly string[] | "prompt",
  more: PolicyOptions = {},
) =>
  (await judgeInput(
    { text, ...(foreground && { foreground }) },
    createPolicy({ rules, ...more }),
    facts,
  )).decision;

describe("input for a running command", () => {
  it("is read where variables and arguments may have been set before", async () => {
    const all = { rules: { allow: ["Bash(*)"] } };
    assert.equal(await decide("touch y\n", ["bash"], all), "allow");
    for (const text of ['rm -rf "$x/"; x=y', 'rm -rf "${1:-x}"', 'rm -rf "y$PORT/z"']) {
      assert.equal(await decide(`${text}\n`, ["bash"], all), "ask", text);
    }
  });
  it("is a command where a shell reads it", async () => {
    for (const shell of [["bash"], ["-bash"], ["/bin/sh", "-i"], ["bash", "-i", "x.sh"]]) {
      assert.equal(await decide("npm test\n", shell), "allow");
      assert.equal(await decide("make\n", shell), "ask");
      assert.equal(await decide("rm -rf x\n", shell), "deny");
      assert.equal(await decide("echo $(rm x)\r", shell), "deny");
    }
  });

  it("is code where an interpreter reads it", async () => {
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
      assert.equal(await decide("1 + 1\n", program), "ask", program[0]);
      assert.equal(await decide("rm x\n", program), "deny", program[0]);
      assert.equal(await decide("1\n", program, { mode: "plan" }), "deny", program[0]);
      assert.equal(await decide("1\n", program, { mode: "bypass" }), "allow", program[0]);
    }
  });

  it("is data where another program, or a script, reads it", async () => {
    for (
      const program of [
        ["./install.sh"],
        ["bash", "install.sh"],
        ["node", "x.js"],
        ["npm", "init"],
        ["less", "a"],
      ]
    ) {
      assert.equal(await decide("y\n", program), "allow", program.join(" "));
    }
  });

  it("is asked about where a pager would run it", async () => {
    for (const program of [["less", "a"], ["more", "a"], ["man", "ls"], ["dc"]]) {
      for (const text of ["!ls\n", "!sh\n"]) {
        assert.equal(await decide(text, program), "ask", program[0]);
      }
      assert.equal(await decide("!rm x\n", program, { mode: "plan" }), "deny");
    }
    for (const text of ["jj!ls\n", "v", "| sh\n", ":e .env\n", "s out\n"]) {
      assert.equal(await decide(text, ["less", "a"]), "ask", text);
    }
    for (const text of ["q", " ", "G", "/vim\n", ":q\n"]) {
      assert.equal(await decide(text, ["less", "a"]), "allow", text);
    }
    assert.equal(await decide("1 2 + p\n", ["dc"]), "allow");
  });

  it("is judged by both parsers where a shell reads it", async () => {
    const allow = { rules: { allow: ["Bash(*)"] } };
    assert.equal(await decide("echo ${x:-a}\n", ["bash"], allow), "allow");
    // tree-sitter takes the end of the expansion for another command.
    assert.equal(await decide("echo ${x:-E;}\n", ["bash"], allow), "ask");
  });

  it("is refused at an idle prompt, and asked about where its reader is not known", async () => {
    assert.equal(await decide("npm test\n", "prompt"), "deny");
    assert.equal(await decide("npm test\n", "prompt", { mode: "bypass" }), "deny");
    assert.equal(await decide("y\n"), "ask");
    assert.equal(await decide("rm x\n"), "deny");
  });

  it("is a command where a shell reads it behind options, or behind a program that starts it", async () => {
    const shells =
      "bash -o pipefail|bash --rcfile x|bash -O extglob|bash +O extglob|bash -eo pipefail" +
      "|bash -|bash /dev/stdin|env bash|env A=1 bash|timeout 9 bash|busybox sh|nice -n 3 bash -l";
    for (const shell of shells.split("|")) {
      assert.equal(await decide("rm x\n", shell.split(" ")), "deny", shell);
      assert.equal(await decide("npm test\n", shell.split(" ")), "allow", shell);
    }
    const others =
      "unshare -r|chroot /x|nix-shell|poetry shell|python3 -m pdb x.py|python3 -c code" +
      "|node inspect x.js|deno repl|env -S bash|firejail --x bash|python3 -W ignore|uv run python";
    for (const other of others.split("|")) {
      assert.equal(await decide("1\n", other.split(" ")), "ask", other);
    }
    const scripts =
      "bash -o pipefail x.sh|timeout 9 cat|env bash x.sh|python3 -u x.py|deno run -A x.ts";
    for (const script of scripts.split("|")) {
      assert.equal(await decide("rm x\n", script.split(" ")), "allow", script);
    }
  });

  it("is asked about where a shell could make more of it than it shows", async () => {
    const allow = { rules: { allow: ["Bash(*)"] } };
    const unclear = ["cat <<X\n", "cat <<X\na\n", "cat <<X <<Y\na\nX\n", "echo a \\\n", "!-2\n"];
    for (const text of [...unclear, "!!\n", "^a^b\n", "ls !$\n", `echo 'a' "it's" !! 'b'\n`]) {
      assert.equal(await decide(text, ["bash"], allow), "ask", text);
    }
    for (const text of ["cat <<'Y'\nX\nY\n", "[ ! -f a ]\n", "[ a != b ]\n", "echo '!!'\n", "\n"]) {
      assert.equal(await decide(text, ["bash"], allow), "allow", text);
    }
  });

  it("is denied in bypass where a rule could be evaded, and free without such a rule", async () => {
    const mode = { mode: "bypass" as const, rules: { deny: ["Bash(rm *)"] } };
    for (const text of ["cat <<X\n", "!-2\n", "^a^rm\n", "cat <<X\nX\nrm x\n"]) {
      assert.equal(await decide(text, ["bash"], mode), "deny", text);
      assert.equal(await decide(text, ["bash"], { ...mode, rules: {} }), "allow", text);
    }
    assert.equal(await decide("make\n", ["bash"], mode), "allow");
  });

  it("is read by the commands of the text that a shell was given", async () => {
    for (const [text, wanted] of [["cat", "allow"], ["npm test", "allow"], ["sh", "deny"]]) {
      assert.equal(await decide("rm x\n", ["bash", "-ec", text ?? "", "a", "b"]), wanted, text);
    }
    for (const text of ["read x; eval $x", "python3", "$SHELL"]) {
      assert.equal(await decide("make\n", ["sh", "-c", text, "a"]), "ask", text);
    }
  });

  it("is asked about behind a return in a pager, also one that another program shows", async () => {
    for (const [text, program] of [["/x\rv", "less a"], ["/o\rs/tmp/x\r", "man ls"]] as const) {
      assert.equal(await decide(text, program.split(" ")), "ask", text);
    }
    for (const program of [["git", "log"], ["journalctl"], ["bat", "a"]]) {
      assert.equal(await decide("!sh\n", program), "ask", program[0]);
      assert.equal(await decide("q", program), "allow", program[0]);
    }
  });
});
