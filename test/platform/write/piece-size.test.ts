import assert from "node:assert/strict";
import { test } from "node:test";
import { PieceSize } from "../../../src/platform/file/write/piece-size.ts";

const KIB = 1024;
const LARGE = 64 * KIB;
const SMALL = 16 * KIB;

/** Write so many bytes, each at the cost of its piece; answers the share of them that went in large ones. */
function write(size: PieceSize, bytes: number, costs: { large: number; small: number }): number {
  let large = 0;
  for (let at = 0; at < bytes;) {
    const piece = size.bytes;
    if (piece === LARGE) large += piece;
    size.took(piece, piece * (piece === LARGE ? costs.large : costs.small));
    at += piece;
  }
  return large / bytes;
}

const BYTES = 64 * 1024 * KIB;

test("a file is written in pieces of the size that costs less", () => {
  assert.equal(new PieceSize().bytes, LARGE);
  assert.ok(write(new PieceSize(), BYTES, { large: 1, small: 2 }) > 0.95);
  assert.ok(write(new PieceSize(), BYTES, { large: 5, small: 2 }) < 0.05);
});

test("and in others once that has changed", () => {
  const size = new PieceSize();
  write(size, BYTES, { large: 1, small: 2 });
  assert.ok(write(size, BYTES, { large: 5, small: 2 }) < 0.1);
  assert.ok(write(size, BYTES, { large: 1, small: 2 }) > 0.8);
});

test("some writes that wait for the processor change nothing", () => {
  const size = new PieceSize();
  write(size, BYTES, { large: 1, small: 2 });
  let large = 0;
  for (let i = 0; i < 400; i++) {
    const piece = size.bytes;
    if (piece === LARGE) large++;
    size.took(piece, piece * (piece === LARGE ? 1 : 2) * (i % 5 === 0 ? 1000 : 1));
  }
  assert.ok(large > 350, `${large} of 400`);
});

test("what is less than a piece tells nothing", () => {
  const size = new PieceSize();
  for (let i = 0; i < 10_000; i++) size.took(SMALL, 1000);
  assert.equal(size.bytes, LARGE);
});
