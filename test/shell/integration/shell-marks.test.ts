import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { escapeValue, unescapeValue } from "../../../src/shell/integration/mark-values.ts";
import { ShellMarks } from "../../../src/shell/integration/shell-marks.ts";
import { shellMark } from "../../../src/shell/integration/shell-mark.ts";
import { control, garbage, line } from "../../screen/soup.ts";

const nonce = "5e55";
const ours = { source: 633, trusted: true };
const strange = { source: 633, trusted: false };

describe("a mark of a shell", () => {
  const cases: Readonly<Record<string, unknown>> = {
    "633;A;5e55": { type: "promptStart", ...ours },
    "633;B;5e55": { type: "promptEnd", ...ours },
    "633;C;5e55": { type: "executed", ...ours },
    "633;D;130;5e55": { type: "finished", code: 130, ...ours },
    "633;D;;5e55": { type: "finished", ...ours },
    "633;D": { type: "finished", ...strange },
    "633;D;0": { type: "finished", code: 0, ...strange },
    "633;D;0;5e56": { type: "finished", code: 0, ...strange },
    "633;D;0;": { type: "finished", code: 0, ...strange },
    "633;C": { type: "executed", ...strange },
    "633;E;echo\\x20a\\x3b\\x20b\\x0a\\\\;5e55": {
      type: "commandLine",
      command: "echo a; b\n\\",
      ...ours,
    },
    "633;E;ls": { type: "commandLine", command: "ls", ...strange },
    "633;P;Cwd=/a\\x3bb;5e55": { type: "directory", path: "/a;b", ...ours },
    "633;P;IsWindows=True": { type: "property", name: "IsWindows", value: "True", ...strange },
    "633;P;key==value": { type: "property", name: "key", value: "=value", ...strange },
    "633;P;": undefined,
    "633;EnvJson;{}": undefined,
    "133;A;cl=m": { type: "promptStart", source: 133, trusted: false },
    "133;C": { type: "executed", source: 133, trusted: false },
    "133;D;1;5e55": { type: "finished", code: 1, source: 133, trusted: false },
    "7;file://host/home/a%20b": { type: "directory", path: "/home/a b", source: 7, trusted: false },
    "7;file:///": { type: "directory", path: "/", source: 7, trusted: false },
    "7;file://host": undefined,
    "7;http://host/x": undefined,
    "7;/home": undefined,
    "7;file:///%zz": undefined,
    '9;9;"C:\\Users"': { type: "directory", path: "C:\\Users", source: 9, trusted: false },
    "9;4;1;50": undefined,
    "1337;CurrentDir=/tmp": { type: "directory", path: "/tmp", source: 1337, trusted: false },
    "1337;SetMark": undefined,
    "0;title": undefined,
    "": undefined,
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(`is read from ${JSON.stringify(text)}`, () => {
      assert.deepEqual(shellMark(text, nonce), expected);
    });
  }
});

describe("the marks in the output of a terminal", () => {
  it("are found with either terminator and with their places", () => {
    const text = "$ \x1b]633;B;5e55\x07ls\r\n\x1b]633;C;5e55\x1b\\out\x1b]633;D;0;5e55\x07";
    const found = new ShellMarks(nonce).feed(new TextEncoder().encode(text));
    assert.deepEqual(found, [
      { mark: { type: "promptEnd", ...ours }, start: 2, end: 15 },
      { mark: { type: "executed", ...ours }, start: 19, end: 33 },
      { mark: { type: "finished", code: 0, ...ours }, start: 36, end: 51 },
    ]);
  });

  it("are the same byte by byte", () => {
    const mark = fc.tuple(
      fc.constantFrom(
        "633;A",
        "633;D;1",
        "633;E;a\\x3b",
        "133;C",
        "7;file:///ä",
        "1337;CurrentDir=/",
      ),
      fc.constantFrom("", ";5e55", ";5e56"),
      fc.constantFrom("\x07", "\x1b\\", "\u009c", ""),
    ).map(([text, end, terminator]) => `\x1b]${text}${end}${terminator}`);
    const parts = fc.array(fc.oneof({ weight: 3, arbitrary: mark }, line, control, garbage), {
      maxLength: 12,
    });
    fc.assert(fc.property(parts, (parts) => {
      const bytes = new TextEncoder().encode(parts.join(""));
      const single = new ShellMarks(nonce);
      assert.deepEqual(
        Array.from(bytes, (byte) => single.feed(Uint8Array.of(byte))).flat(),
        new ShellMarks(nonce).feed(bytes),
      );
    }));
  });
});

describe("a value in a mark", () => {
  it("is escaped as VS Code does", () => {
    assert.equal(escapeValue("some thing"), "some\\x20thing");
    assert.equal(escapeValue("Hello\\there; you\n"), "Hello\\\\there\\x3b\\x20you\\x0a");
    assert.equal(unescapeValue("\\x0A"), "\n");
    assert.equal(unescapeValue("\\\\x3b"), "\\x3b");
    assert.equal(unescapeValue("a\\x3Bb\\xzz\\"), "a;b\\xzz\\");
  });

  it("comes back as it was", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (value) => {
      assert.equal(unescapeValue(escapeValue(value)), value);
    }));
  });
});
