import { execFileSync } from "node:child_process";
import { closeSync, constants, mkdtempSync, openSync, rmSync, writeSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

/** A pipe of its own with both ends open, so that nothing about it ever waits. */
export interface Fifo {
  readonly path: string;
  readonly readEnd: number;
  /** Write as much as it takes; answers how much that was. */
  write(bytes: Uint8Array): number;
  /** Close the end that writes. */
  end(): void;
}

/** Run with a pipe that is gone afterwards. */
export function withFifo(run: (fifo: Fifo) => void): void {
  const directory = mkdtempSync(join(tmpdir(), "fifo-"));
  const path = join(directory, "fifo");
  execFileSync("mkfifo", [path]);
  const readEnd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  let writeEnd: number | undefined = openSync(path, constants.O_WRONLY | constants.O_NONBLOCK);
  const end = () => {
    if (writeEnd !== undefined) closeSync(writeEnd);
    writeEnd = undefined;
  };
  const write = (bytes: Uint8Array) => {
    let size = 0;
    try {
      // By pages, as a pipe takes those whole or not at all: Deno does not tell how much it took of more.
      while (size < bytes.length) {
        size += writeSync(writeEnd ?? -1, bytes, size, Math.min(4096, bytes.length - size));
      }
    } catch (cause) {
      if (!(cause instanceof Error && "code" in cause && cause.code === "EAGAIN")) throw cause;
    }
    return size;
  };
  try {
    run({ path, readEnd, write, end });
  } finally {
    end();
    closeSync(readEnd);
    rmSync(directory, { recursive: true });
  }
}
