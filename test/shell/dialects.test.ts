import assert from "node:assert/strict";
import { spawnSync } from "node:child_process";
import process from "node:process";
import { describe, it } from "node:test";
import type { DialectName } from "../../src/event/command.ts";
import { findProgram } from "../../src/platform/environment/find-program.ts";
import { dialects } from "../../src/shell/dialects.ts";
import { persistentDialects } from "../../src/shell/persistent/persistent-dialects.ts";
import { startAnswer, STARTS } from "./powershell-answers.ts";

/** The dialects whose shells may be here, by the programs that are tried. */
const PROGRAMS: readonly (readonly [DialectName, string])[] = [
  ["bash", "bash"],
  ["zsh", "zsh"],
  ["posix", "/bin/sh"],
  ["posix", "dash"],
  ["fish", "fish"],
];

const TEXTS = [
  "",
  "plain",
  "it's",
  "'",
  "''",
  "\\",
  "\\'",
  "a\\\\'b\\",
  "\n two\nlines \n.",
  '"$HOME" `id` $(id) {a,b} ~ * ? [a] # ! & ; | < > ( ) % ^ =',
  "-n",
  "\t\u001b[31mü€\u{1f600}\u2019",
];

for (const [name, program] of PROGRAMS) {
  const file = findProgram(program, process.env["PATH"] ?? "");
  const reason = file === undefined ? { skip: `${program} is not on this machine` } : {};
  const { quote, run } = dialects[name];
  const fresh = (line: string, env: Record<string, string> = {}) =>
    spawnSync(file ?? "", [...run(line)], {
      encoding: "utf8",
      env: { PATH: process.env["PATH"] ?? "", LC_ALL: "C.UTF-8", ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });

  describe(`a fresh ${program}`, reason, () => {
    it("reads what is quoted for it as that text", () => {
      for (const text of TEXTS) {
        const { stdout } = fresh(`printf '[%s]' ${quote(text)} ${quote(text)}`);
        assert.equal(stdout, `[${text}][${text}]`);
      }
    });

    it("runs a line, and ends with its code", () => {
      const { stdout, status } = fresh("echo a; exit 3");
      assert.deepEqual([stdout, status], ["a\n", 3]);
    });

    it("runs a line that begins as an option does", () => {
      for (const line of ["-x", "+x", "--"]) {
        const { stdout, status } = fresh(`${line}; echo a; exit 3`);
        assert.deepEqual([stdout, status], ["a\n", 3], line);
      }
    });
  });
}

describe("fish", () => {
  it("is not kept alive over pipes, and it is said why", () => {
    const { fish } = persistentDialects;
    assert.ok(typeof fish === "object");
    assert.match(String(fish.start), /its own messages ignore redirections/);
  });
});

describe("PowerShell", () => {
  const { quote, run } = dialects.powershell;

  it("gets the line, and after it on a line of its own what ends with its code", () => {
    const [line, end, ...more] = run("gci # all").at(-1)?.split("\n") ?? [];
    assert.deepEqual([line, more], ["gci # all", []]);
    assert.deepEqual(run("").slice(0, -1), STARTS);
    assert.equal(end, startAnswer.line);
  });

  for (const { after, succeeded, lastCode, code } of startAnswer.codes) {
    it(`ends with ${code} after ${after}`, () => {
      assert.equal(ended(startAnswer.line, { succeeded, lastCode }), code);
    });
  }

  it("reads what is quoted for it as that text", () => {
    for (const [text, quoted] of startAnswer.quotes) assert.equal(quote(text), quoted);
  });

  it("is not kept alive, and it is said why", () => {
    assert.equal(typeof persistentDialects.powershell, "string");
  });
});

/** What the last line comes to: it is read as the three cases that it has. */
function ended(
  line: string,
  { succeeded, lastCode }: { readonly succeeded: boolean; readonly lastCode: number | null },
): number {
  const cases =
    /^if \(\$\?\) \{ exit (\d+) \} elseif \((\$\w+)\) \{ exit \2 \} else \{ exit (\d+) \}$/
      .exec(line);
  assert.equal(cases?.[2], "$LASTEXITCODE");
  if (succeeded) return Number(cases[1]);
  return lastCode === null || lastCode === 0 ? Number(cases[3]) : lastCode;
}
