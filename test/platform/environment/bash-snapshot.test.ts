import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import {
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { bashSnapshot, check } from "../../../src/mod.ts";
import { cleanUp } from "../../clean-up.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-bash-snapshot-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const { PATH = "" } = process.env;

/** The variables of a user whose `.bashrc` has these lines. */
function userWith(...lines: readonly string[]): Record<string, string> {
  const HOME = mkdtempSync(join(scratch, "home-"));
  writeFileSync(join(HOME, ".bashrc"), lines.map((line) => `${line}\n`).join(""));
  const TMPDIR = join(HOME, "tmp");
  mkdirSync(TMPDIR);
  return { HOME, PATH, TMPDIR };
}

describe("a snapshot of the user's bash", () => {
  it("defines what the user has, for this user alone, and no program in another way", async () => {
    const env = userWith(
      "echo noise",
      "alias ls='ls --color' ll='ls -l' q=\"echo 'a b'\"",
      "shopt -s globstar extglob; set -o noclobber",
      "greet() { echo hi; }; pick() { case $1 in @(a|b)) echo one ;; esac; }; _complete() { :; }",
      'export PATH="$HOME/my tools:$PATH"',
    );
    const path = await bashSnapshot({ env });
    cleanUp(() => rmSync(join(path, ".."), { recursive: true }));
    const text = readFileSync(path, "utf8");
    assert.deepEqual(text.match(/^\w+ \(\)/gm), ["greet ()", "pick ()"]);
    assert.deepEqual(text.match(/^alias .*$/gm)?.sort(), [
      "alias ll='ls -l'",
      "alias q='echo '\\''a b'\\'''",
    ]);
    assert.match(text, /^shopt -s globstar$/m);
    assert.match(text, /^export PATH=\S+my\\ tools:/m);
    assert.doesNotMatch(text, /noise|noclobber/);
    assert.equal(statSync(path).mode & 0o777, 0o600);
    assert.equal(statSync(join(path, "..")).mode & 0o777, 0o700);
    const rules = { allow: ["Bash(*)"] };
    for (
      const command of [`echo 'id' >> ${path}`, `cp x ${path}`, `mv x ${join(path, "..")}/.b*`]
    ) {
      assert.equal(
        (await check({ command, cwd: scratch, directories: [tmpdir()], rules })).decision,
        "ask",
      );
    }
  });

  it("defines the same whatever the user has set for a terminal, and for names of builtins", async () => {
    const env = userWith(
      "alias ll='ls -l' ..='cd ..'",
      "__helper() { echo helped; }; greet() { __helper; }",
      "shopt() { echo own; }; alias() { echo own; }; export() { echo own; }",
      "trap 'echo noise' DEBUG ERR; IFS=,; set -euT -o posix; exec 2>&1; set -x",
    );
    const path = await bashSnapshot({ env });
    cleanUp(() => rmSync(join(path, ".."), { recursive: true }));
    const text = readFileSync(path, "utf8");
    const functions = text.match(/^\w+ \(\)/gm);
    assert.deepEqual(
      functions,
      ["__helper", "alias", "export", "greet", "shopt"].map(
        (name) => `${name} ()`,
      ),
    );
    assert.deepEqual(text.match(/^alias .*=.*$/gm)?.sort(), [
      "alias ..='cd ..'",
      "alias ll='ls -l'",
    ]);
    assert.doesNotMatch(text, /noise|^\+/m);
    const used = spawnSync("bash", ["-c", "greet; [[ ! -o posix ]]; builtin shopt extglob"], {
      env: { PATH, BASH_ENV: path },
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    assert.equal(`${used.stdout}${used.stderr}`, "helped\nextglob        \toff\n");
  });

  it("cannot be had of a bash that ends, hangs, or has an option that there is not", async () => {
    const cannot = "Cannot take a snapshot of bash: ";
    const ends = userWith("exit 3");
    const message = `${cannot}it ended without it (code 3)`;
    await assert.rejects(bashSnapshot({ env: ends }), { name: "Error", message });
    const hangs = bashSnapshot({ env: userWith("sleep 100"), timeoutMs: 300 });
    await assert.rejects(hangs, { message: `${cannot}it gave none within 0.3 s` });
    const none = bashSnapshot({ env: { PATH: "/nix" } });
    await assert.rejects(none, { message: `${cannot}there is no such program` });
    await assert.rejects(bashSnapshot({ timeoutMs: 0 }), {
      name: "TypeError",
      message: /^Cannot take a snapshot of bash with timeoutMs 0: /,
    });
    const left = readdirSync(ends["TMPDIR"] ?? "");
    assert.deepEqual(left, []);
  });
});
