import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { findProgram } from "../../src/platform/environment/find-program.ts";
import { createRuntime } from "../../src/runtime/create.ts";
import { cleanUp } from "../clean-up.ts";
import { until } from "../until.ts";
import { shellflow } from "./shellflow.ts";

const scratch = mkdtempSync(join(tmpdir(), "shellflow-completions-"));
cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
const isThere = (shell: string) => findProgram(shell, process.env["PATH"] ?? "") !== undefined;

/** The script for a shell, as a file. */
async function scriptFor(shell: string): Promise<string> {
  const { code, out } = await shellflow(["completions", shell]);
  assert.equal(code, 0);
  const path = join(scratch, shell);
  writeFileSync(path, out);
  return path;
}

describe("shellflow completions", () => {
  it("completes commands, options and their choices in bash, and leaves the rest to files", async () => {
    const asked = [
      ["re"],
      ["run", "--output-f"],
      ["run", "--output-format", ""],
      ["run", "--output-format", "="],
      ["run", "--output-format", "=", "s"],
      ["run", "--cwd", "/"],
      ["run", "--", "--al"],
      ["completions", ""],
      ["bench-"],
    ];
    const line = `source "$1"; while read -ra words; do
      COMP_WORDS=(shellflow "\${words[@]#_}") COMP_CWORD=\${#words[@]} COMPREPLY=()
      _shellflow; echo "\${COMPREPLY[*]}"; done`;
    const said = execFileSync("bash", ["-c", line, "bash", await scriptFor("bash")], {
      input: asked.map((words) => `${words.map((word) => `_${word}`).join(" ")}\n`).join(""),
      encoding: "utf8",
    });
    assert.deepEqual(said.split("\n"), [
      "read replay",
      "--output-format",
      "text json stream-json",
      "text json stream-json",
      "stream-json",
      "",
      "",
      "bash zsh fish",
      "",
      "",
    ]);
  });

  it("completes them in fish, with what they are for", { skip: !isThere("fish") }, async () => {
    const script = await scriptFor("fish");
    const complete = (typed: string) =>
      execFileSync("fish", ["--no-config", "-c", `source ${script}; complete -C '${typed}'`], {
        encoding: "utf8",
      });
    assert.match(complete("shellflow re"), /^read\tShow what a command wrote\nreplay\tPrint /);
    assert.match(complete("shellflow run --output-format s"), /^stream-json\b/);
    assert.match(complete("shellflow run --idle-t"), /^--idle-timeout\tend it after such/);
    assert.deepEqual(complete("shellflow completions ").match(/^\w+/gm), ["bash", "fish", "zsh"]);
  });

  it("completes them in zsh, with what they are for", { skip: !isThere("zsh") }, async () => {
    const script = await scriptFor("zsh");
    await using runtime = await createRuntime({ mode: "bypass", cwd: scratch });
    if (!runtime.capabilities.terminal) return;
    const { taskId, output, result, stop } = runtime.start("zsh -f -i", { pty: true });
    await output;
    const type = (keys: string) => runtime.input(taskId, { keys });
    const shows = async (text: RegExp) => {
      let seen = "";
      await until(() => {
        void runtime.screen(taskId).then(({ lines }) => seen = lines.join("\n"));
        return text.test(seen);
      });
    };
    await type(`autoload -U compinit; compinit -u -D; source ${script}; echo re''ady{enter}`);
    await shows(/^ready$/m);
    await type("shellflow re{tab}");
    await shows(/^read +-- Show what a command wrote *\nreplay +-- Print/m);
    await type("{ctrl-u}shellflow run --output-format s{tab}");
    await shows(/shellflow run --output-format stream-json/);
    await type("{ctrl-u}shellflow run --output-fo{tab}");
    await shows(/shellflow run --output-format *$/m);
    // A line behind it is completed as files are.
    await type("{ctrl-u}shellflow run -- --output-fo{tab}x; echo do''ne{enter}");
    await shows(/^done$/m);
    await shows(/shellflow run -- --output-fox; echo/);
    stop();
    await result;
  });

  it("says which shells there are", async () => {
    const { code, err } = await shellflow(["completions", "tcsh"]);
    assert.equal(code, 2);
    assert.match(
      err,
      /'tcsh' is invalid for argument 'shell'\. Allowed choices are bash, zsh, fish/,
    );
  });
});
