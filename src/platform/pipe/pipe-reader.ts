/** Reads a pipe until no process can write to it any more. */
export interface PipeReader {
  pause(): void;
  resume(): void;
  /** Read no more; `end` follows. */
  release(): void;
}

/** How a reader calls back. */
export interface PipeEvents {
  /** The chunk is valid only during the call. */
  readonly data: (chunk: Uint8Array) => void;
  /** Every writer is gone, or the pipe was released. */
  readonly end: () => void;
}

/** As much as a pipe holds. */
export const CHUNK_BYTES = 65_536;
