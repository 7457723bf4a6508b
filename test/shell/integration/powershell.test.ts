import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { integrationOf } from "../../../src/shell/integration/integrations.ts";
import { ShellMarks } from "../../../src/shell/integration/shell-marks.ts";

/** What PowerShell 7 prints: a prompt, `cd /tmp; ls nothing`, and the prompt behind its failure. */
const TRANSCRIPT = [
  "\x1b]633;D;;7c1d\x07\x1b]633;P;Cwd=/home/you;7c1d\x07",
  "\x1b]633;A;7c1d\x07\x1b]633;B;7c1d\x07\x1b[?1h\x1b[?25l\x1b[37m\x1b[93mcd\x1b[37m /tmp\x1b[m\r\n",
  "\x1b]633;E;cd /tmp\\x3b ls nothing;7c1d\x07\x1b]633;C;7c1d\x07",
  "\x1b[31;1mls: cannot access 'nothing': No such file or directory\x1b[0m\r\n",
  "\x1b]633;D;2;7c1d\x07\x1b]633;P;Cwd=/tmp;7c1d\x07\x1b]633;A;7c1d\x07\x1b]633;B;7c1d\x07",
].join("");

describe("the integration of PowerShell", () => {
  it("is read from a file with the nonce in it", () => {
    const integration = integrationOf("powershell", { nonce: "7c1d" });
    assert.match(integration?.files["integration.ps1"] ?? "", /__sf_nonce = '7c1d'/);
    assert.deepEqual(integration?.args("/tmp/it's").slice(-2), [
      "-Command",
      ". '/tmp/it''s/integration.ps1'",
    ]);
  });

  it("prints marks that are read from a transcript", () => {
    const marks = new ShellMarks("7c1d").feed(new TextEncoder().encode(TRANSCRIPT));
    assert.ok(marks.every(({ mark }) => mark.trusted));
    assert.deepEqual(marks.map(({ mark }) => mark.type), [
      ...["finished", "directory", "promptStart", "promptEnd"],
      ...["commandLine", "executed"],
      ...["finished", "directory", "promptStart", "promptEnd"],
    ]);
    assert.deepEqual(marks[6]?.mark, { type: "finished", code: 2, source: 633, trusted: true });
  });
});
