import assert from "node:assert/strict";
import { mkdirSync, mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { describe, it } from "node:test";
import { systemPaths } from "../../../src/platform/file/paths.ts";
import { check } from "../../../src/runtime/permission/check.ts";
import { cleanUp } from "../../clean-up.ts";

describe("the work tree of git around a directory", () => {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-paths-test-")));
  cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
  const top = join(scratch, "top");
  mkdirSync(join(top, "sub", ".git"), { recursive: true });
  mkdirSync(join(top, "linked", "deep"), { recursive: true });
  mkdirSync(join(top, ".git"));
  writeFileSync(join(top, ".git", "HEAD"), "ref: refs/heads/main\n");
  writeFileSync(join(top, "linked", ".git"), "gitdir: ../.git/worktrees/linked\n");

  it("is the nearest directory with a repository, or a file that names one", () => {
    const found = ["", "sub", "linked", "linked/deep"].map((name) =>
      systemPaths.workTree?.(join(top, name))
    );
    assert.deepEqual(found, [top, top, join(top, "linked"), join(top, "linked")]);
    assert.notEqual(systemPaths.workTree?.(scratch), top);
  });

  it("is known to a line that asks git for it", async () => {
    const decided = async (command: string, workspace = top) => {
      const rules = { allow: ["Bash(*)"] };
      return (await check({ command, cwd: join(top, "sub"), workspace, rules })).decision;
    };
    const root = '"$(git rev-parse --show-toplevel)"';
    assert.equal(await decided(`cd ${root} && npm test`), "allow");
    assert.equal(await decided(`ROOT=${root}; cat "$ROOT/a"`), "allow");
    assert.equal(await decided(`cat ${root}/../a`), "ask");
    assert.equal(await decided(`cd linked; cat ${root}/a`), "ask");
    assert.equal(await decided(`cd ${root} && npm test`, join(top, "sub")), "ask");
  });
});

describe("what is at a path", { skip: process.platform === "win32" }, () => {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-paths-test-")));
  cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
  mkdirSync(join(scratch, "dir"));
  writeFileSync(join(scratch, "file"), "");
  symlinkSync("gone", join(scratch, "link"));

  it("is a directory that can be entered, nothing that is in the way of one, or something else", () => {
    const found = ["dir", "new", "new/deep", "file", "file/x", "link", `${"a".repeat(300)}`]
      .map((name) => systemPaths.place?.(join(scratch, name)));
    assert.deepEqual(found, [
      "directory",
      "free",
      "free",
      undefined,
      undefined,
      undefined,
      undefined,
    ]);
  });
});

describe("the links that a pattern fits", { skip: process.platform === "win32" }, () => {
  const scratch = realpathSync(mkdtempSync(join(tmpdir(), "shellflow-paths-test-")));
  cleanUp(() => rmSync(scratch, { recursive: true, force: true }));
  const cwd = join(scratch, "ws");
  mkdirSync(join(cwd, "sub", "deep"), { recursive: true });
  mkdirSync(join(scratch, "out"));
  writeFileSync(join(cwd, "sub", "plain"), "");
  symlinkSync(join(scratch, "out"), join(cwd, "away"));
  symlinkSync("plain", join(cwd, "sub", "near"));
  symlinkSync("../../../out", join(cwd, "sub", "deep", "far"));

  const links = (pattern: string) => systemPaths.links?.(join(cwd, pattern));
  const at = (...names: readonly string[]) => names.map((name) => join(cwd, name));

  it("are found at any depth, those on the way included", () => {
    assert.deepEqual(links("a*"), at("away"));
    assert.deepEqual(links("*/n?ar"), at("away", "sub/near"));
    assert.deepEqual(links("s[tu]b/*/@(far|x)"), at("sub/deep/far", "sub/near"));
    assert.deepEqual(links("s*/near/x"), at("sub/near"));
    assert.deepEqual(links("p*"), []);
    assert.deepEqual(links("**/far"), []);
    assert.deepEqual(links("**/a*/x"), at("away"));
    assert.deepEqual(links("**/*/**/x"), []);
    assert.deepEqual(links("absent/*"), []);
  });

  it("are found in little time, whatever a name and a pattern repeat", () => {
    symlinkSync("plain", join(cwd, "a".repeat(100)));
    assert.deepEqual(links(`${"*a".repeat(50)}`), at("a".repeat(100), "away").slice(0, 1));
    assert.deepEqual(links(`${"*a".repeat(50)}*b`), []);
    rmSync(join(cwd, "a".repeat(100)));
  });

  it("make a line a question where they lead out of the workspace", async () => {
    const decided = async (command: string) => {
      const { decision } = await check({ command, cwd, rules: { allow: ["Bash(*)"] } });
      return decision;
    };
    assert.equal(await decided("cat a*"), "ask");
    assert.equal(await decided("touch */deep/f?r/x"), "ask");
    assert.equal(await decided("cat */deep/far/x"), "ask");
    assert.equal(await decided("cat sub/*"), "allow");
  });
});
