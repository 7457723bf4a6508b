import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { TerminalCuts, type TerminalOutput } from "../../../src/platform/shell/terminal-cuts.ts";

const encoder = new TextEncoder();

/** A terminal and the outputs of its commands. */
function terminal() {
  const printed: string[] = [];
  const cuts = new TerminalCuts({
    pause: () => {},
    resume: () => {},
    // It is nearly full.
    print: (bytes) => {
      const taken = bytes.subarray(0, 40);
      printed.push(new TextDecoder().decode(taken));
      return taken.length;
    },
  });
  return {
    cuts,
    printed: () => printed.splice(0).join(""),
    feed: (text: string) => cuts.feed(encoder.encode(text)),
    command: () => {
      const decoder = new TextDecoder();
      const seen = { text: "", ended: false };
      const output = cuts.output({
        data: (chunk) => seen.text += decoder.decode(chunk, { stream: true }),
        end: () => seen.ended = true,
      });
      return { output, seen };
    },
  };
}

/** The last mark of an output, as the terminal takes it. */
function lastMark({ printed }: ReturnType<typeof terminal>, output: TerminalOutput): string {
  while (!output.close());
  return printed();
}

describe("the output of commands on one terminal", () => {
  it("is what stands between their marks", () => {
    const it = terminal();
    const one = it.command();
    it.feed(`before${one.output.mark}one${lastMark(it, one.output)}between`);
    assert.deepEqual(one.seen, { text: "one", ended: true });
    const two = it.command();
    it.feed(`dropped${two.output.mark}two${lastMark(it, two.output)}`);
    assert.deepEqual([one.seen.text, two.seen], ["one", { text: "two", ended: true }]);
  });

  it("is read until the next command where background processes are left", () => {
    const { command, feed } = terminal();
    const one = command();
    feed(`${one.output.mark}one late`);
    const two = command();
    feed(`, later${two.output.mark}two`);
    assert.deepEqual(one.seen, { text: "one late, later", ended: true });
    assert.deepEqual(two.seen, { text: "two", ended: false });
  });

  it("has no last mark of the command before in it, which was printed before the first one was read", () => {
    const it = terminal();
    const one = it.command();
    it.feed(`${one.output.mark}one`);
    const two = it.command();
    const late = lastMark(it, one.output);
    it.feed(`${two.output.mark}tw${late}o`);
    assert.deepEqual(one.seen, { text: "one", ended: true });
    assert.deepEqual(two.seen, { text: "two", ended: false });
  });

  it("ends where the last mark stands, which may have to wait for room", () => {
    const { command, feed, printed } = terminal();
    const one = command();
    feed(`${one.output.mark}one`);
    assert.deepEqual([one.output.close(), one.output.close()], [false, true]);
    feed(` late${printed()}x`);
    assert.deepEqual(one.seen, { text: "one late", ended: true });
    assert.equal(one.output.close(), true);
    assert.equal(printed(), "");
  });

  it("ends with its terminal, also before its first mark", () => {
    const { command, feed, cuts } = terminal();
    const one = command();
    feed(`${one.output.mark}on\x1b`);
    const two = command();
    cuts.end();
    assert.deepEqual(one.seen, { text: "on\x1b", ended: true });
    assert.deepEqual([two.seen.ended, command().seen.ended], [true, true]);
  });

  it("is the same wherever it is split, with every forged mark in it", () => {
    const piece = fc.constantFrom(
      "a",
      "\x1b",
      "\x1b]",
      "\x1b]633;",
      "\x1b]633;C;",
      `\x1b]633;D;${"0".repeat(32)}`,
      `\x1b]633;D;${"A".repeat(32)}\x07`,
      "\x07",
      "\x1b[1m",
    );
    const texts = fc.array(piece, { maxLength: 8 }).map((pieces) => pieces.join(""));
    fc.assert(fc.property(texts, texts, fc.array(fc.nat(400)), (first, second, splits) => {
      const it = terminal();
      const { command, cuts } = it;
      const whole = (output: TerminalOutput, text: string) =>
        encoder.encode(`${output.mark}${text}${lastMark(it, output)}`);
      const one = command();
      const bytes = whole(one.output, first);
      let at = 0;
      for (const next of [...splits].sort((a, b) => a - b)) {
        if (next <= at || next >= bytes.length) continue;
        cuts.feed(bytes.slice(at, next));
        at = next;
      }
      cuts.feed(bytes.slice(at));
      const two = command();
      for (const byte of whole(two.output, second)) cuts.feed(Uint8Array.of(byte));
      assert.deepEqual([one.seen, two.seen], [
        { text: first, ended: true },
        { text: second, ended: true },
      ]);
    }));
  });
});
