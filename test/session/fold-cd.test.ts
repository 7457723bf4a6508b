import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, it } from "node:test";
import { foldCd, leadingCd } from "../../src/session/fold-cd.ts";
import { checkDirectory } from "../../src/platform/file/directories.ts";

const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-cd-")));
after(() => rmSync(scratch, { recursive: true, force: true }));
mkdirSync(join(scratch, "a", "b c"), { recursive: true });
mkdirSync(join(scratch, "a", "d"));
writeFileSync(join(scratch, "file"), "");
symlinkSync(join(scratch, "a"), join(scratch, "link"));

const TAKEN: readonly (readonly [string, string, string])[] = [
  ["cd /some/dir && echo ok", "/some/dir", "echo ok"],
  [`cd "/my dir" && ls`, "/my dir", "ls"],
  ["cd '/my $dir' && ls -l | wc", "/my $dir", "ls -l | wc"],
  [" cd\tpackages/a&& npm test  ", "packages/a", "npm test  "],
  ["cd .. && a && b || c", "..", "a && b || c"],
  ["cd ../.. && a; b", "../..", "a; b"],
];

const LEFT = [
  "cd /a",
  "cd /a &&",
  "cd /a && # nothing",
  "cd /a; echo ok",
  "cd /a || echo ok",
  "cd /a & echo ok",
  "cd /a 2>/dev/null && ls",
  "cd /a b && ls",
  "cd $HOME && ls",
  'cd "$(git rev-parse --show-toplevel)" && ls',
  "cd `pwd` && ls",
  "cd ~/proj && make",
  "cd - && ls",
  "cd -P /a && ls",
  "cd && ls",
  `cd "" && ls`,
  "cd a/../b && ls",
  "cd a* && ls",
  "cd a\\ b && ls",
  "cd /a && ls\nls",
  "cd \\\n/a && ls",
  "cdx /a && ls",
  "X=1 cd /a && ls",
  "cd /a && sleep 1 & ls",
  "cd /a && cat <<E & ls",
  "cd /a && echo $OLDPWD",
  "cd /a && echo ${_} x",
  "cd /a && echo $_",
  "cd /a && ls && cd -",
  "cd /a && echo ~-",
];

describe("a leading cd", () => {
  for (const [line, directory, rest] of TAKEN) {
    it(`is taken from ${JSON.stringify(line)}`, () => {
      assert.deepEqual(leadingCd(line), { directory, rest });
    });
  }
  for (const line of LEFT) {
    it(`is left in ${JSON.stringify(line)}`, () => assert.equal(leadingCd(line), undefined));
  }
});

const options = { checkDirectory, allows: () => true };
const fold = (command: string, cwd = scratch) => foldCd({ command, cwd }, options);
const bash = (command: string, cwd: string) => {
  try {
    const env = { PATH: process.env["PATH"] ?? "" };
    const out = execFileSync("bash", ["--norc", "--noprofile", "-c", command], {
      cwd,
      env,
      encoding: "utf8",
      stdio: ["ignore", "pipe", "pipe"],
    });
    return { out, code: 0 };
  } catch (cause) {
    assert.ok(cause instanceof Error && "status" in cause && "stdout" in cause);
    return { out: String(cause.stdout), code: cause.status };
  }
};

describe("the directory of a line", () => {
  it("is where its leading cd leads", () => {
    assert.deepEqual(fold("cd a && cd 'b c' && pwd"), {
      command: "cd 'b c' && pwd",
      cwd: join(scratch, "a"),
    });
    assert.deepEqual(fold(`cd ${scratch}/a && ls | cat`, "/"), {
      command: "ls | cat",
      cwd: join(scratch, "a"),
    });
  });

  it("stays where the line would show the difference, or may not be split", () => {
    for (const line of ["cd none && ls || echo no", "cd file && ls", "cd link && pwd"]) {
      assert.deepEqual(fold(line), { command: line, cwd: scratch });
    }
    const inLink = { command: "cd d && pwd", cwd: join(scratch, "link") };
    assert.deepEqual(foldCd(inLink, options), inLink);
    const denied = { command: "cd a && ls", cwd: scratch };
    assert.deepEqual(foldCd(denied, { ...options, allows: () => false }), denied);
  });

  it("is found in a line of any length", () => {
    const line = "cd . && ".repeat(100_000) + "ls";
    assert.equal(fold(line).cwd, scratch);
  });

  it("makes no difference to what a real bash says", () => {
    const lines = [
      "cd a && pwd",
      "cd a && ls; pwd; exit 3",
      "cd a && false || pwd",
      "cd a && cd d && cd .. && pwd",
      "cd a && ls | sort -r && echo $PWD && (cd d && pwd)",
      "cd a && ! pwd",
      "cd a && )",
      "cd a && for x in *; do echo $x; done",
      "cd a && f() { pwd; }; f",
      "cd a && cat <<< x && pwd",
      "cd a && { cd d; pwd; }; pwd",
      "cd a && echo $? $# $- $0 $LINENO",
    ];
    for (const line of lines) {
      const { command, cwd } = fold(line);
      assert.notEqual(command, line);
      assert.deepEqual(bash(command, cwd), bash(line, scratch), line);
    }
  });
});
