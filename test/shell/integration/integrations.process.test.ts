import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import type { DialectName } from "../../../src/event/command.ts";
import { findProgram } from "../../../src/platform/find-program.ts";
import { dialects } from "../../../src/shell/dialects.ts";
import { integrationOf } from "../../../src/shell/integration/integrations.ts";
import { type PlacedMark, ShellMarks } from "../../../src/shell/integration/shell-marks.ts";
import { cleanUp } from "../../clean-up.ts";
import { terminals } from "../../platform/terminal/open-terminal.ts";
import { until } from "../../until.ts";

const nonce = "4f3c";
const root = mkdtempSync(join(tmpdir(), "shellflow-integration-"));
cleanUp(() => rmSync(root, { recursive: true, force: true }));
const encoder = new TextEncoder();

/** A shell with integration on a terminal. */
interface Integrated {
  readonly marks: () => readonly PlacedMark["mark"][];
  readonly text: () => string;
  /** Type a line when the shell is at its prompt, and answer the marks until the next prompt, in short. */
  readonly run: (line: string) => Promise<readonly string[]>;
  readonly type: (text: string) => Promise<void>;
}

let count = 0;

async function start(dialect: DialectName, home?: string): Promise<Integrated> {
  const directory = join(root, `shell-${++count}`);
  mkdirSync(directory, { mode: 0o700 });
  const integration = integrationOf(dialect, { nonce, ...(home === undefined ? {} : { home }) });
  assert.ok(integration);
  for (const [name, text] of Object.entries(integration.files)) {
    writeFileSync(join(directory, name), text, { mode: 0o600 });
  }
  const parser = new ShellMarks(nonce);
  const found: PlacedMark["mark"][] = [];
  let text = "";
  const terminal = terminals.open({
    file: dialects[dialect].program,
    args: integration.args(directory),
    cwd: root,
    env: {
      PATH: process.env["PATH"] ?? "",
      HOME: root,
      TERM: "xterm-256color",
      LC_ALL: "C.UTF-8",
      ...integration.env(directory),
    },
    size: { columns: 100, rows: 24 },
  }, {
    data: (chunk) => {
      text += new TextDecoder().decode(chunk);
      found.push(...parser.feed(chunk).map(({ mark }) => mark));
      // fish asks and waits
      if (text.endsWith("\x1b[c")) void terminal.write(encoder.encode("\x1b[?1;2c"));
    },
    end: () => {},
    exit: () => {},
  });
  cleanUp(() => terminal.release());
  const prompts = () => found.filter(({ type, trusted }) => type === "promptEnd" && trusted).length;
  await until(() => prompts() > 0);
  return {
    marks: () => found,
    text: () => text,
    type: (typed) => terminal.write(encoder.encode(typed)),
    run: async (line) => {
      const [from, before] = [found.length, prompts()];
      await terminal.write(encoder.encode(`\x1b[200~${line}\x1b[201~\r`));
      await until(() => prompts() > before);
      return found.slice(from).map(short);
    },
  };
}

function short(mark: PlacedMark["mark"]): string {
  const trust = mark.trusted ? "" : "?";
  switch (mark.type) {
    case "finished":
      return `D ${mark.code ?? "-"}${trust}`;
    case "commandLine":
      return `E ${mark.command}${trust}`;
    case "directory":
      return `P ${mark.path}${trust}`;
    case "executed":
      return `C${trust}`;
    case "promptStart":
      return `A${trust}`;
    case "promptEnd":
      return `B${trust}`;
    case "property":
      return `P ${mark.name}=${mark.value}${trust}`;
  }
}

const PROMPT = ["A", "B"];

for (const dialect of ["bash", "zsh", "fish"] as const) {
  const skip = findProgram(dialect, process.env["PATH"] ?? "") === undefined;
  describe(`an interactive ${dialect} with integration`, { skip }, () => {
    it("marks commands, their codes and the directory", async () => {
      const shell = await start(dialect);
      assert.deepEqual(shell.marks().map(short), ["D -", `P ${root}`, ...PROMPT]);
      assert.deepEqual(await shell.run("echo 'a;b'"), [
        "E echo 'a;b'",
        "C",
        "D 0",
        `P ${root}`,
        ...PROMPT,
      ]);
      assert.deepEqual(await shell.run("false"), ["E false", "C", "D 1", `P ${root}`, ...PROMPT]);
      assert.deepEqual(await shell.run("cd /"), ["E cd /", "C", "D 0", "P /", ...PROMPT]);
      assert.deepEqual((await shell.run("")).slice(0, 2), ["D -", "P /"]);
    });

    it("takes lines of several lines, and output with marks of others, for what they are", async () => {
      const shell = await start(dialect);
      const line =
        "printf '\\033]633;D;0\\007'\nprintf '\\033]633;D;0;4f3d\\007\\033]133;C\\007'\nfalse";
      const marks = await shell.run(line);
      assert.deepEqual(marks.filter((mark) => mark.endsWith("?")), ["D 0?", "D 0?", "C?"]);
      assert.deepEqual(
        marks.filter((mark) => mark.startsWith("D") && !mark.endsWith("?")).at(-1),
        "D 1",
      );
      assert.match(marks.find((mark) => mark.startsWith("E")) ?? "", /printf/);
    });

    it("comes back to its prompt after Ctrl-C", async () => {
      const shell = await start(dialect);
      const running = shell.run("sh -c 'echo u''p; exec sleep 100'");
      await until(() => shell.text().includes("up\r\n"));
      await shell.type("\x03");
      assert.ok((await running).includes("D 130"));
    });
  });
}

describe("the zsh of a person", {
  skip: findProgram("zsh", process.env["PATH"] ?? "") === undefined,
}, () => {
  it("reads the person's own files and has its ZDOTDIR back", async () => {
    const home = join(root, "it's home");
    mkdirSync(home);
    writeFileSync(join(home, ".zshenv"), "FROM_ENV=1\n");
    writeFileSync(join(home, ".zshrc"), "FROM_RC=1; PS1='person> '\n");
    const shell = await start("zsh", home);
    await shell.run('echo "$FROM_ENV$FROM_RC in $ZDOTDIR"');
    assert.match(shell.text(), /11 in .*it's home/);
    assert.match(shell.text(), /person> /);
  });
});
