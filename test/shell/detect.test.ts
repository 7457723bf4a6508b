import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { detectShell, dialectOf, type ShellFacts } from "../../src/shell/detect.ts";

const given = (facts: Partial<ShellFacts>) =>
  detectShell({ windows: false, find: (program) => `found ${program}`, ...facts });

describe("the shell of a person", () => {
  it("is the one that is set, with its dialect", () => {
    assert.deepEqual(given({ shell: "/usr/bin/zsh" }), {
      dialect: "zsh",
      file: "found /usr/bin/zsh",
    });
    const names = "bash zsh-5.9 sh dash ksh93 fish pwsh nu tcsh rbash xonsh elvish cmd.exe";
    assert.deepEqual(names.split(" ").map(dialectOf), [
      "bash",
      "zsh",
      "posix",
      "posix",
      "posix",
      "fish",
      "powershell",
      ...Array(6).fill(undefined),
    ]);
  });

  it("is /bin/sh where none is set, or one that cannot serve or is not there", () => {
    const sh = { dialect: "posix", file: "found /bin/sh" };
    assert.deepEqual(given({}), sh);
    assert.deepEqual(given({ shell: "/usr/bin/nu" }), sh);
    const find = (program: string) => program === "/bin/sh" ? "found /bin/sh" : undefined;
    assert.deepEqual(given({ shell: "/opt/zsh", find }), sh);
    assert.equal(given({ find: () => undefined }), undefined);
  });

  it("is on Windows the one that this was started from, or PowerShell instead of cmd.exe", () => {
    assert.deepEqual(given({ windows: true, parent: "bash.exe" }), {
      dialect: "bash",
      file: "found bash.exe",
    });
    for (const parent of ["cmd.exe", undefined]) {
      assert.deepEqual(given({ windows: true, ...(parent && { parent }) }), {
        dialect: "powershell",
        file: "found pwsh",
      });
    }
  });
});
