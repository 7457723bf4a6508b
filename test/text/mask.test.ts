import assert from "node:assert/strict";
import { describe, it } from "node:test";
import fc from "fast-check";
import { Mask } from "../../src/text/mask.ts";

const encode = (text: string) => new TextEncoder().encode(text);
const decode = (bytes: Uint8Array) => new TextDecoder().decode(bytes);
const shown = (mask: Mask, text: string, from: number, to: number) => {
  const bytes = encode(text);
  const before = bytes.subarray(Math.max(0, from - mask.reach), from);
  const after = bytes.subarray(to, to + mask.reach);
  return decode(mask.bytes(bytes.subarray(from, to), { from, before, after }));
};

describe("a mask", () => {
  const mask = new Mask(["s3cret-token", "p4ssword"]);

  it("shows a star for each byte of a text, and leaves all else", () => {
    assert.equal(shown(mask, "a s3cret-token b", 0, 16), "a ************ b");
    assert.equal(shown(mask, "p4sswordp4ssword", 0, 16), "*".repeat(16));
    assert.equal(shown(mask, "s3cret-toke n", 0, 13), "s3cret-toke n");
    assert.equal(mask.text("x=p4ssword; s3cret-token"), "x=********; ************");
  });

  it("hides the beginning of a text whose rest has not come yet", () => {
    assert.equal(shown(mask, "a s3cret-t", 0, 10), "a ********");
    assert.equal(shown(mask, "a s3cre", 0, 7), "a s3cre");
  });

  it("hides the end of a text whose beginning is lost, but not where the output begins", () => {
    assert.equal(decode(mask.bytes(encode("et-token b"), { from: 9 })), "******** b");
    assert.equal(decode(mask.bytes(encode("et-token b"), { from: 0 })), "et-token b");
  });

  it("hides a text with escape sequences in it, which stay, and one in a sequence", () => {
    const red = "\x1b[1;31m";
    const off = "\x1b[m\x1b[K";
    const stars = "*".repeat(7);
    const text = `a ${red}s3cret-${off}token b`;
    assert.equal(shown(mask, text, 0, text.length), `a ${red}${stars}${off}***** b`);
    assert.equal(shown(mask, text, 12, text.length), `${stars.slice(3)}${off}***** b`);
    const title = "\x1b]0;p4ssword\x07 \x1b[mü";
    assert.equal(shown(mask, title, 0, title.length + 1), "\x1b]0;********\x07 \x1b[mü");
  });

  it("hides a text in UTF-16", () => {
    const utf16 = (text: string) =>
      Uint8Array.from([...text].flatMap((one) => [one.charCodeAt(0), 0]));
    const bytes = utf16("a s3cret-token b");
    assert.deepEqual(mask.bytes(bytes, { from: 0 }), utf16("a ************ b"));
    const swapped = (all: Uint8Array) => Uint8Array.from(all, (_, at) => all[at ^ 1] ?? 0);
    assert.deepEqual(mask.bytes(swapped(bytes), { from: 0 }), swapped(utf16("a ************ b")));
  });

  it("leaves nothing of a text with another one in it", () => {
    const nested = new Mask(["p4ssword", "http://u:p4ssword@host"]);
    assert.equal(nested.text("http://u:p4ssword@host"), "*".repeat(22));
    assert.deepEqual(nested.rows(["http://u:", "p4ssword@host"]), ["*".repeat(9), "*".repeat(13)]);
  });

  it("hides a text in the rows of a screen, and what its borders and the ends of rows cut off", () => {
    assert.deepEqual(mask.rows(["a s3cret", "-token b"]), ["a ******", "****** b"]);
    assert.deepEqual(mask.rows(["et-token", "b"]), ["********", "b"]);
    assert.deepEqual(mask.rows(["s3cre", "t-to", "ken", "b"]), ["*****", "****", "***", "b"]);
    assert.deepEqual(mask.rows(["3cre", "t-to", "ken", "b"]), ["****", "****", "***", "b"]);
    assert.deepEqual(mask.rows(["a", "x s3cr", "et-tok", "", "b"]), [
      "a",
      "x ****",
      "******",
      "",
      "b",
    ]);
    assert.deepEqual(mask.rows(["a", "et-token", "s3cret-"]), ["a", "et-token", "s3cret-"]);
  });

  it("shows the same in parts as in one", () => {
    const part = fc.constantFrom("s3cret-token", "p4ssword", "s3cret-", "p4ss", "x", "ü\n");
    fc.assert(fc.property(fc.array(part, { maxLength: 8 }), fc.nat(100), (parts, size) => {
      const text = parts.join("");
      const { length } = encode(text);
      const whole = new Mask(["s3cret-token", "p4ssword"]).bytes(encode(text), {
        from: 0,
        before: new Uint8Array(),
        after: new Uint8Array(),
      });
      const pieces: number[] = [];
      for (let from = 0; from < length; from += size + 1) {
        const bytes = encode(text);
        const to = Math.min(length, from + size + 1);
        const before = bytes.subarray(Math.max(0, from - mask.reach), from);
        const after = bytes.subarray(to, to + mask.reach);
        pieces.push(...mask.bytes(bytes.subarray(from, to), { from, before, after }));
      }
      assert.deepEqual(pieces, [...whole]);
    }));
  });
});
