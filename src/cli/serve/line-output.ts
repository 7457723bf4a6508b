import type { Stdio } from "../../platform/stdio.ts";

/** So much may wait for its reader, in UTF-16 code units, before nothing more is taken on. */
const MAX_WAITING = 1024 * 1024;

/** Lines of JSON, in the order in which they were sent. */
export interface LineOutput {
  send(message: unknown): void;
  /** Resolves when there is room for more; rejects when nothing can be written any more. */
  room(): Promise<void>;
  /** Resolves when everything is written. */
  flushed(): Promise<void>;
}

/** Write lines one after the other, each when the one before is taken. */
export function lineOutput({ out }: Pick<Stdio, "out">): LineOutput {
  let written: Promise<void> = Promise.resolve();
  let waiting = 0;
  let failure: unknown;
  return {
    send: (message) => {
      const line = `${JSON.stringify(message)}\n`;
      waiting += line.length;
      written = written.then(() => out(line)).finally(() => {
        waiting -= line.length;
      });
      written.catch((cause) => failure ??= cause);
    },
    room: async () => {
      if (failure !== undefined) throw failure;
      if (waiting > MAX_WAITING) await written;
    },
    flushed: () => written,
  };
}
