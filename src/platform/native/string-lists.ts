import { Buffer } from "node:buffer";
import type { CLibrary } from "./c-library.ts";

const POINTER_BYTES = 8;
/** Enough for most command lines and environments; what is longer gets memory of its own. */
const KEPT_BYTES = 64 * 1024;

/**
 * Lays out lists of strings as C takes them: pointers, the last of them null, to bytes that end with
 * a null one. Valid until the next call.
 */
export class StringLists {
  readonly #address: CLibrary["address"];
  /** Held, or it would be freed while C reads it; from no pool, so that it stays where it is. */
  #memory: Buffer = Buffer.allocUnsafeSlow(KEPT_BYTES);

  constructor({ address }: Pick<CLibrary, "address">) {
    this.#address = address;
  }

  /**
   * Answers the address of each list.
   *
   * @throws {Error} When a string holds a null byte, which would end it there.
   */
  layOut(lists: readonly (readonly string[])[]): readonly bigint[] {
    const strings = lists.flat();
    // Written as one: to write each by itself is what takes longest.
    const text = strings.map((string) => `${string}\0`).join("");
    const pointers = strings.length + lists.length;
    const start = pointers * POINTER_BYTES;
    const end = start + Buffer.byteLength(text);
    if (end > this.#memory.length) this.#memory = Buffer.allocUnsafeSlow(end);
    const memory = this.#memory;
    memory.write(text, start);
    const words = new BigUint64Array(memory.buffer, memory.byteOffset, pointers);
    const address = this.#address(memory);
    let word = 0;
    let at = start;
    const found = lists.map((list) => {
      const first = address + BigInt(word * POINTER_BYTES);
      for (let i = 0; i < list.length; i++) {
        words[word++] = address + BigInt(at);
        at = memory.indexOf(0, at) + 1;
      }
      words[word++] = 0n;
      return first;
    });
    if (at !== end) {
      throw new Error("an argument or a variable has a null byte in it, which would end it");
    }
    return found;
  }

  /** What was laid out is needed no more. */
  forget(): void {
    if (this.#memory.length > KEPT_BYTES) this.#memory = Buffer.allocUnsafeSlow(KEPT_BYTES);
  }
}
