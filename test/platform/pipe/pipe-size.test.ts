import assert from "node:assert/strict";
import { describe, it } from "node:test";
import { growPipe } from "../../../src/platform/pipe/pipe-size.ts";
import { withFifo } from "./fifo.ts";

const KB = 1024;
const canGrow = "Deno" in globalThis;

describe("a pipe", () => {
  it("is made to hold more where the runtime can ask for it, and says whether it does", () =>
    withFifo(({ readEnd, write }) => {
      assert.equal(growPipe(readEnd, 1024 * KB), canGrow);
      assert.equal(write(new Uint8Array(2048 * KB)), canGrow ? 1024 * KB : 64 * KB);
    }));

  it("that cannot hold so much stays as it is, and says so", () =>
    withFifo(({ readEnd, write }) => {
      assert.equal(growPipe(readEnd, 2 ** 31 - 1), false);
      assert.equal(write(new Uint8Array(2048 * KB)), 64 * KB);
    }));

  it("that is none cannot grow", () => assert.equal(growPipe(-1, KB), false));
});
