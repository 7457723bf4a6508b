/** Reads a pipe until no process can write to it any more. */
export interface PipeReader {
  pause(): void;
  resume(): void;
  /** Read no more, and call `done`. */
  release(): void;
}

/** How a reader calls back. */
export interface PipeEvents {
  /** The chunk is valid only during the call. */
  readonly data: (chunk: Uint8Array) => void;
  /** @param drained Whether every writer is gone; only then may the pipe serve again. */
  readonly done: (drained: boolean) => void;
}

/** As much as a pipe holds. */
export const CHUNK_BYTES = 65_536;
