import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { loadEmulator } from "../../src/screen/emulator.ts";
import { type ProgramReport, reportAfter } from "../../src/screen/program-report.ts";
import { rebuildScreen } from "../../src/screen/rebuild.ts";
import { Screen } from "../../src/screen/screen.ts";
import { control, garbage, line } from "./soup.ts";

const createEmulator = await loadEmulator();
const SIZE = { columns: 20, rows: 4 };
const bytesOf = (text: string) => new TextEncoder().encode(text);

/** The texts of commands, in order, and what is reported behind them. */
const CASES: Readonly<Record<string, readonly [readonly string[], ProgramReport]>> = {
  "a directory of this machine": [["7;file:///a%20b/%C3%A9"], { cwd: "/a b/é" }],
  "a directory of localhost": [["7;file://localhost/srv"], { cwd: "/srv" }],
  "a directory of another machine": [["7;file://far/srv"], { cwd: "/srv", host: "far" }],
  "a directory without encoding": [["7;file:///100%/a;b?#"], { cwd: "/100%/a;b?#" }],
  "a directory that is taken back": [["7;file://far/srv", "7;"], {}],
  "another address": [["7;file:///srv", "7;https://x/y", "7;file://far"], { cwd: "/srv" }],
  "a directory as ConEmu has it": [["7;file://far/a", "9;9;/b;c"], { cwd: "/b;c" }],
  "one in quotes": [['9;9;"C:\\a b"'], { cwd: "C:\\a b" }],
  "a directory as iTerm2 has it": [["1337;CurrentDir=/a b"], { cwd: "/a b" }],
  "a directory as VS Code has it": [["633;P;Cwd=/a\\x3bb\\\\c\\x0A"], { cwd: "/a;b\\c\n" }],
  "the beginning of a prompt": [["133;A;special_key=1"], { at: "prompt" }],
  "the end of a prompt": [["633;B"], { at: "prompt" }],
  "a command line that runs": [
    ["133;D;1", "133;A", "133;B", "133;C"],
    { at: "command" },
  ],
  "its text, as VS Code has it": [
    ["633;D;1", "633;B", "633;E;echo a\\x3b\\x0aecho \\\\x3b\\q;nonce", "633;C"],
    { at: "command", command: "echo a;\necho \\x3b\\q" },
  ],
  "its text, as fish has it": [
    ["133;A", "133;C;cmdline_url=echo%20a%3bb"],
    { at: "command", command: "echo a;b" },
  ],
  "the end of it": [["633;E;false", "633;C", "633;D;1"], { command: "false", exitCode: 1 }],
  "the end of it, with more": [["133;C", "133;D;-1;aid=7"], { exitCode: -1 }],
  "the end of it without a code": [["133;D;1", "133;C", "133;D"], {}],
  "an exit code that is none": [["633;D;1", "633;D;0x1"], {}],
  "the prompt behind it": [
    ["633;E;false;n", "633;C", "633;D;1", "633;P;Cwd=/", "633;A", "633;B"],
    { command: "false", exitCode: 1, cwd: "/", at: "prompt" },
  ],
  // The sequences of https://github.com/microsoft/vscode shellIntegration.ps1, for two prompts.
  "a line that failed in PowerShell": [
    [
      "633;P;IsWindows=True",
      "633;P;HasRichCommandDetection=True",
      "633;A",
      "633;P;Cwd=C:\\\\Users\\\\me",
      "633;B",
      "633;E;Get-Item a\\x3b cd ..;nonce",
      "633;C",
      "633;D;1",
      "633;A",
      "633;P;Cwd=C:\\\\Users",
      "633;B",
    ],
    { command: "Get-Item a; cd ..", exitCode: 1, cwd: "C:\\Users", at: "prompt" },
  ],
  "a command line without text after one with text": [
    ["633;E;false", "633;C", "633;D;1", "633;A", "633;C"],
    { at: "command" },
  ],
  "an empty command line": [["633;E;ls", "633;D;0", "633;A", "633;E;"], { at: "command" }],
  "what others say": [
    [
      "0;7;file:///a",
      "9;4;1;50",
      "9;9",
      "133",
      "133;E;ls",
      "133;P;k=s",
      "633;P;IsWindows=True",
      "1337;SetMark",
      "633;AB",
      "",
    ],
    {},
  ],
};

describe("what a program reports of itself", () => {
  for (const [name, [texts, expected]] of Object.entries(CASES)) {
    it(`has ${name}`, () => {
      assert.deepEqual(texts.reduce(reportAfter, {}), expected);
    });
  }
});

/** What is shown of an output that comes in some chunks. */
function shown(chunks: readonly Uint8Array[]) {
  const screen = new Screen({ size: SIZE, createEmulator, answer: () => {}, mostWaiting: 99 });
  for (const chunk of chunks) screen.write(chunk);
  const snapshot = screen.snapshot();
  screen.close();
  return snapshot;
}

/** An output at the places, cut there. */
function cut(all: Uint8Array, places: readonly number[]): readonly Uint8Array[] {
  const ends = places.map((place) => place % (all.length + 1)).sort((a, b) => a - b);
  return [...ends, all.length].map((end, i) => all.slice(ends[i - 1] ?? 0, end));
}

const report = fc.tuple(
  fc.constantFrom(...Object.values(CASES).flatMap(([texts]) => texts)),
  fc.constantFrom("\x07", "\x1b\\", "\u009c", "\x18", "\x1b", ""),
).map(([text, end]) => `\x1b]${text}${end}`);

describe("the reports in an output", () => {
  it("are the same however the output is split", () => {
    let reports = 0;
    const output = fc.array(fc.oneof(report, line, control, garbage), { maxLength: 16 });
    fc.assert(fc.property(output, fc.array(fc.nat(), { maxLength: 5 }), (parts, places) => {
      const all = bytesOf(parts.join(""));
      const whole = shown([all]);
      assert.deepEqual(shown(Array.from(all, (byte) => Uint8Array.of(byte))), whole);
      assert.deepEqual(shown(cut(all, places)), whole);
      if (Object.keys(whole.reported).length > 0) reports++;
    }));
    assert.ok(reports > 30, `there was a report in ${reports}`);
  });

  it("have what shifts character sets inside of them, also where they come in parts", () => {
    const all = bytesOf("\x1b]9;9;/a\x0f\x07");
    for (const chunks of [[all], Array.from(all, (byte) => Uint8Array.of(byte))]) {
      assert.equal(shown(chunks).reported.cwd, "/a");
    }
  });

  it("and are passed over when they are too long, or cut off", () => {
    const long = (length: number) => `\x1b]9;9;/${"x".repeat(length)}\x07\x1b[m`;
    for (const [text, expected] of [[long(8_187), true], [long(8_188), false]] as const) {
      const all = bytesOf(text);
      for (const chunks of [[all], Array.from(all, (byte) => Uint8Array.of(byte))]) {
        assert.equal(shown(chunks).reported.cwd !== undefined, expected);
      }
    }
    for (const end of ["\x18", "\x1a"]) {
      assert.deepEqual(shown([bytesOf(`\x1b]9;9;/a${end}\x07`)]).reported, {});
    }
    assert.deepEqual(shown([bytesOf("\x1bPtmux;]9;9;/a\x07\x1b\\")]).reported, {});
  });

  it("last when they have scrolled off, and are there again at any offset", async () => {
    const flood = "line\r\n".repeat(30_000);
    const all = bytesOf(`\x1b]7;file:///a\x07${flood}\x1b]133;D;3\x07${flood}`);
    assert.deepEqual(shown([all]).reported, { cwd: "/a", exitCode: 3 });
    const read = ({ from, to }: { from: number; to: number }) =>
      Promise.resolve(all.subarray(from, to));
    const terminal = { sizes: [{ ...SIZE, from: 0 }], read };
    for (const offset of [5, 60, 200_000, all.length]) {
      assert.deepEqual(
        await rebuildScreen(terminal, { offset, createEmulator }),
        shown([all.subarray(0, offset)]),
      );
    }
  });
});
