import assert from "node:assert/strict";
import { chmodSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { describe, it } from "node:test";
import { checkDirectory } from "../../src/platform/file/directories.ts";
import { scratch } from "../event/scratch.ts";

describe("whether a command can run in a directory", () => {
  it("is told of whatever a path leads to", () => {
    const home = scratch();
    const [directory, file] = [join(home, "directory"), join(home, "file")];
    mkdirSync(directory);
    writeFileSync(file, "");
    chmodSync(file, 0o755);
    symlinkSync(directory, join(home, "there"));
    symlinkSync(file, join(home, "astray"));
    for (const path of ["/", ".", directory, `${directory}/`, join(home, "there")]) {
      assert.equal(checkDirectory(path), undefined, path);
    }
    for (const path of [file, join(home, "astray")]) {
      assert.equal(checkDirectory(path), "it is not a directory", path);
    }
    for (const path of ["", join(home, "nowhere"), join(file, "below")]) {
      assert.notEqual(checkDirectory(path), undefined, path);
    }
    assert.match(checkDirectory("/\0") ?? "", /null bytes/);
  });
});
