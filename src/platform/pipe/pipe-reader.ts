/** Reads a pipe until nobody can write to it any more. */
export interface PipeReader {
  pause(): void;
  resume(): void;
  /** Read no more, and call `done`. */
  release(): void;
}

/** How a reader calls back. */
export interface PipeEvents {
  readonly data: (chunk: Uint8Array) => void;
  /** @param drained Whether every writer is gone; only then may the pipe serve again. */
  readonly done: (drained: boolean) => void;
}

/** As much as a pipe holds, unless it was made to hold more. */
export const CHUNK_BYTES = 65_536;

const buffers: Uint8Array[] = [];

/** Memory for one chunk, which a reader has for as long as it reads. */
export function takeBuffer(): Uint8Array {
  return buffers.pop() ?? new Uint8Array(CHUNK_BYTES);
}

/** Let another reader have it. */
export function giveBuffer(buffer: Uint8Array): void {
  buffers.push(buffer);
}
