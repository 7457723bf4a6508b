import { writeSync } from "node:fs";
import { PieceSize } from "./piece-size.ts";
import { WritePace } from "./write-pace.ts";

/** Writes to the files of one directory at once, as long as that is quick, in pieces of the size that costs least. */
export class QuickWriter {
  readonly #pace: WritePace;
  readonly #size = new PieceSize();

  /** @param directory Where the files are; it has to exist. */
  constructor(directory: string) {
    this.#pace = new WritePace(directory);
  }

  /** It is where the disk tells at once what it knows of a file, however long its writes take. */
  get local(): boolean {
    return this.#pace.local;
  }

  /**
   * Write at the end of a file, which is at this offset.
   *
   * @returns How many bytes were taken, which may be fewer; `undefined` where the disk may have to be waited for.
   * @throws {Error} When the system takes none of them.
   */
  write(fd: number, bytes: Uint8Array, at: number): number | undefined {
    if (!this.#pace.next()) return undefined;
    const start = performance.now();
    let written = 0;
    for (let before = start; written < bytes.length;) {
      const length = Math.min(this.#size.bytes, bytes.length - written);
      const taken = take(fd, { bytes, from: written, length, at: at + written });
      const now = performance.now();
      if (taken === length) this.#size.took(length, now - before);
      written += taken;
      if (taken < length) break;
      before = now;
    }
    this.#pace.took(performance.now() - start);
    return written;
  }
}

interface Piece {
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly length: number;
  /** Where in the file it goes. */
  readonly at: number;
}

function take(fd: number, { bytes, from, length, at }: Piece): number {
  try {
    return writeSync(fd, bytes, from, length, at);
  } catch (cause) {
    // What was taken before has to be told; the next write meets what is in the way.
    if (from > 0) return 0;
    throw cause;
  }
}
