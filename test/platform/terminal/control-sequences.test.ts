import assert from "node:assert/strict";
import { Buffer } from "node:buffer";
import { describe, it } from "node:test";
import fc from "fast-check";
import {
  ControlSequences,
  parametersOf,
} from "../../../src/platform/terminal/control-sequences.ts";
import { control, garbage, line } from "../../screen/soup.ts";

/** What is found in some chunks, each with its offset. */
function found(chunks: readonly Uint8Array[]): readonly string[] {
  const all: string[] = [];
  const sequences = new ControlSequences({
    csi: (csi, end) => all.push(`${end} csi ${parametersOf(csi)} ${csi.final}`),
    osc: ({ text, terminator }, end) =>
      all.push(`${end} osc ${text}${terminator === "\x07" ? " bel" : ""}`),
    escape: (text, end) => all.push(`${end} escape ${text}`),
    other: (end) => all.push(`${end} other`),
    unknown: (end) => all.push(`${end} unknown`),
  });
  for (const chunk of chunks) sequences.feed(chunk);
  return [...all, `${sequences.complete} ${sequences.inText}`];
}

const bytes = (text: string) => new TextEncoder().encode(text);
const singly = (all: Uint8Array) => Array.from(all, (byte) => Uint8Array.of(byte));

describe("the sequences of a terminal's output", () => {
  const cases: Readonly<Record<string, readonly string[]>> = {
    "plain é text\r\n": ["15 true"],
    "a\x1b[31mb\x1b[?1049hc\x1b[ q": ["15 csi ?1049 h", "20 csi   q", "20 true"],
    "\x1b]0;title\x07\x1b]633;A\x1b\\x": ["10 osc 0;title bel", "19 osc 633;A", "20 true"],
    "\x1b]0;wör\nld\u009c": ["13 osc 0;wörld", "13 true"],
    "\x1bc\x1b(0\x0e": ["2 escape c", "5 escape (0", "6 other", "6 true"],
    "\x1b[3\x1b[4A": ["7 csi 4 A", "7 true"],
    "\x1b[3\x18x\x1b]0;t\x1ax": ["11 other", "12 true"],
    "\x1bP1$q\x1b[31A\x1b\\": ["2 other", "10 csi 31 A", "12 escape \\", "12 true"],
    "\x1bPq": ["2 other", "3 false"],
    "\u009b31m": ["2 unknown", "5 false"],
    "\x1b[3\n1m\x1b[4A": ["3 unknown", "10 csi 4 A", "10 true"],
    "a\x1b[31": ["1 true"],
    "a\x1b]633;": ["1 true"],
  };
  for (const [text, expected] of Object.entries(cases)) {
    it(`are found in ${JSON.stringify(text)}`, () => {
      assert.deepEqual(found([bytes(text)]), expected);
    });
  }

  it("are found behind a first byte of two that has no second", () => {
    assert.deepEqual(found([Uint8Array.of(0xc2, ...bytes("\x1b[31A"))]), ["6 csi 31 A", "6 true"]);
  });

  it("are kept when the buffer of the reader is filled again", () => {
    const buffer = Buffer.alloc(4);
    const all: string[] = [];
    const sequences = new ControlSequences({
      csi: (csi) => all.push(`${parametersOf(csi)}${csi.final}`),
      osc: () => {},
      escape: () => {},
      other: () => {},
      unknown: () => {},
    });
    for (const part of ["ab\x1b[", "12;3", "4Axy"]) {
      buffer.write(part);
      sequences.feed(buffer);
    }
    assert.deepEqual(all, ["12;34A"]);
  });

  it("are the same however the output is split", () => {
    const soup = fc.array(fc.oneof(line, control, garbage), { maxLength: 12 });
    fc.assert(fc.property(soup, (parts) => {
      const all = bytes(parts.join(""));
      assert.deepEqual(found(singly(all)), found([all]));
    }));
  });

  it("that have no end are passed over", () => {
    const long = `\x1b]0;${"x".repeat(20_000)}`;
    assert.deepEqual(found([bytes(long)]), ["20004 other", "20004 false"]);
    assert.deepEqual(found(singly(bytes(`${long}\x07\x1b[m`))).at(-1), "20008 true");
  });
});
