import { closeSync, readSync, writeSync } from "node:fs";
import { lookClosely } from "./look-closely.ts";
import { pathOf } from "./path-of.ts";
import { unnamedFile } from "./unnamed-file.ts";

/**
 * A file that the host fills and a shell empties, to tell that something is done.
 *
 * That takes the shell one call, wakes nobody, and fails by no limit of what may be written. To look
 * takes the host one call, which is no error before it is done, as reading an empty pipe would be.
 */
export class FlagFile {
  readonly #path: string;
  readonly #fd: number;
  readonly #byte = new Uint8Array(1);
  #lowered: (() => void) | undefined;
  #giveUp: () => void = () => {};

  constructor() {
    this.#fd = unnamedFile();
    this.#path = pathOf(this.#fd);
  }

  /** Fill it, and call once when it was emptied; answers its path, if there is room. */
  raise(lowered: () => void): string | undefined {
    this.forget();
    try {
      writeSync(this.#fd, this.#byte, 0, 1, 0);
    } catch {
      return undefined;
    }
    this.#lowered = lowered;
    return this.#path;
  }

  /** Look for that from now on, if it was filled. */
  lookOut(): void {
    if (this.#lowered !== undefined) this.#giveUp = lookClosely(() => this.look());
  }

  /** Answers whether nothing is to be looked for any more. */
  look(): boolean {
    const lowered = this.#lowered;
    if (lowered === undefined) return true;
    if (readSync(this.#fd, this.#byte, 0, 1, 0) > 0) return false;
    this.forget();
    lowered();
    return true;
  }

  /** Look for it no more. */
  forget(): void {
    this.#giveUp();
    this.#lowered = undefined;
  }

  close(): void {
    this.forget();
    closeSync(this.#fd);
  }
}
