import { closeSync, constants, readSync } from "node:fs";
import type { FifoPool } from "./fifo-pool.ts";
import { attempt } from "../failure.ts";

/** A pipe in which a process reports something, of which it is read once. */
export interface ReportFifo {
  /** The end to give to the process. */
  readonly writeEnd: number;
  closeWriteEnd(): void;
  /** Close it; answers what came, up to 4 KiB. */
  end(): string;
}

/** @throws When the system has no descriptors left. */
export function openReport(pool: FifoPool): ReportFifo {
  return pool.open((open) => {
    const readEnd = open(constants.O_RDONLY | constants.O_NONBLOCK);
    const writeEnd = open(constants.O_WRONLY);
    return {
      writeEnd,
      closeWriteEnd: () => closeSync(writeEnd),
      end: () => {
        const bytes = new Uint8Array(4096);
        // It fails while it is empty and something has the other end.
        const length = attempt(() => readSync(readEnd, bytes)) ?? 0;
        closeSync(readEnd);
        return new TextDecoder().decode(bytes.subarray(0, length));
      },
    };
  });
}
