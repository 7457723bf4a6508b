import { setTimeout as pause } from "node:timers/promises";

/** Between two attempts to write where there is no room, in milliseconds: the kernel does not say when there is some, so the pause doubles. */
const FIRST_PAUSE_MS = 1;
const MAX_PAUSE_MS = 20;

/** Writes bytes after those of all earlier calls; resolves once the kernel took all of them. */
export type WriteInOrder = (bytes: Uint8Array) => Promise<void>;

/**
 * Write to a descriptor that does not block and that the event loop cannot wait for, as fast as the
 * kernel takes the bytes.
 *
 * @param write Writes what fits, and answers how many bytes that were; what it throws ends its call.
 */
export function writeInOrder(write: (bytes: Uint8Array) => number): WriteInOrder {
  let last: Promise<void> = Promise.resolve();
  const writeAll = async (bytes: Uint8Array) => {
    let pauseMs = FIRST_PAUSE_MS;
    for (let at = 0; at < bytes.length;) {
      const written = write(bytes.subarray(at));
      at += written;
      if (written === 0) await pause(pauseMs);
      pauseMs = written > 0 ? FIRST_PAUSE_MS : Math.min(MAX_PAUSE_MS, pauseMs * 2);
    }
  };
  return (bytes) => {
    const written = last.then(() => writeAll(bytes));
    last = written.catch(() => {});
    return written;
  };
}
