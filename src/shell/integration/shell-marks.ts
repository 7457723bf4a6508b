import { ControlSequences } from "../../platform/terminal/control-sequences.ts";
import { type ShellMark, shellMark } from "./shell-mark.ts";

/** A mark and its place in the stream. */
export interface PlacedMark {
  readonly mark: ShellMark;
  /** The offset of its first byte. */
  readonly start: number;
  /** The offset behind it. */
  readonly end: number;
}

/** Finds the marks of a shell in the output of its terminal, which may be split at any byte. */
export class ShellMarks {
  readonly #sequences: ControlSequences;
  #found: PlacedMark[] = [];

  /** @param nonce What marks of this session end in. */
  constructor(nonce: string) {
    this.#sequences = new ControlSequences({
      osc: ({ start, text }, end) => {
        const mark = shellMark(text, nonce);
        if (mark !== undefined) this.#found.push({ mark, start, end });
      },
      csi: () => {},
      escape: () => {},
      other: () => {},
      unknown: () => {},
    });
  }

  /** Read on; answers the marks that have ended in this chunk, in order. */
  feed(chunk: Uint8Array): readonly PlacedMark[] {
    this.#found = [];
    this.#sequences.feed(chunk);
    return this.#found;
  }
}
