import type { ByteRange } from "../../stream/byte-range.ts";
import type { Hold } from "../memory/holds.ts";

/** A range with the place where its bytes are. */
export interface Source extends ByteRange {
  /** In the file, not in memory. */
  readonly stored: boolean;
}

/** A log as its readers see it. */
export interface Readable {
  /** How many bytes there ever were. */
  readonly total: number;
  /** No byte follows. */
  readonly ended: boolean;
  /** Where the bytes from an offset on are, in order and without overlap: memory first, then the file. */
  sources(from: number): readonly Source[];
  /** Copy bytes from memory, at once; `undefined` when not all of them are there. */
  peek(from: number, to: number): Uint8Array | undefined;
  /** Read from the file alone; answers how many bytes it still had. */
  readFile(into: Uint8Array, from: number): Promise<number>;
  /** Keep every byte from an offset on until the reader has moved past it. */
  hold(from: number): Hold;
  /** Call once, when there are more bytes or when the end came; answers how not to be called. */
  onChange(call: () => void): () => void;
  /** Call once, when the end comes; answers how not to be called. */
  onEnd(call: () => void): () => void;
}
