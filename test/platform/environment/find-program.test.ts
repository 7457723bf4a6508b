import assert from "node:assert/strict";
import { chmodSync, mkdirSync, writeFileSync } from "node:fs";
import { delimiter, join } from "node:path";
import { describe, it } from "node:test";
import { findProgram } from "../../../src/platform/environment/find-program.ts";
import { scratch } from "../../event/scratch.ts";

describe("finding a program", () => {
  it("takes the first directory that has one that may be run", (test) => {
    if (process.platform === "win32") return test.skip("there is no mode that says so");
    const root = scratch();
    for (const name of ["text", "directory", "first", "second"]) mkdirSync(join(root, name));
    writeFileSync(join(root, "text", "tool"), "");
    chmodSync(join(root, "text", "tool"), 0o644);
    mkdirSync(join(root, "directory", "tool"));
    for (const name of ["first", "second"]) {
      writeFileSync(join(root, name, "tool"), "");
      chmodSync(join(root, name, "tool"), 0o755);
    }
    const path = ["none", "text", "directory", "first", "second"]
      .map((name) => join(root, name))
      .join(delimiter);
    assert.equal(findProgram("tool", path), join(root, "first", "tool"));
    assert.equal(findProgram(join(root, "second", "tool"), ""), join(root, "second", "tool"));
    assert.equal(findProgram("other", path), undefined);
    assert.equal(findProgram(join(root, "text", "tool"), path), undefined);
  });
});
