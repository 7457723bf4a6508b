import { concatenated } from "../../stream/concatenated.ts";
import type { DecodingOptions } from "./decode.ts";
import { edgeAfter } from "./edges.ts";

/** Keeps back the part of a character that a chunk ends with, so that a reading may end with any chunk. */
export class WholeCharacters {
  readonly #options: DecodingOptions;
  #held: Uint8Array = new Uint8Array(0);

  constructor(options: DecodingOptions) {
    this.#options = options;
  }

  /** Take a chunk; answers what was kept back and the chunk, up to the last whole character. */
  push(chunk: Uint8Array): Uint8Array {
    const bytes = concatenated([this.#held, chunk]);
    const whole = bytes.length - edgeAfter(bytes, this.#options);
    this.#held = bytes.slice(whole);
    return bytes.subarray(0, whole);
  }

  /** No byte follows: answers what is still kept back. */
  end(): Uint8Array {
    const held = this.#held;
    this.#held = new Uint8Array(0);
    return held;
  }
}
