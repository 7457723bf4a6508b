import { ByteLog, type ByteLogOptions } from "../../src/output/byte-log.ts";
import type { PiecesOptions } from "../../src/output/read/pieces.ts";
import type { ReadResult } from "../../src/output/read/read-bytes.ts";
import type { SpillEvent } from "../../src/output/spill/spill.ts";
import type { SpillFile, SpillFiles } from "../../src/platform/file/spill-files.ts";
import { Budget } from "../../src/output/spill/budget.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";

/** A log whose demand is remembered, with the events that it reported. */
export function logFixture(options: Partial<ByteLogOptions> = {}): {
  readonly log: ByteLog;
  readonly clock: VirtualClock;
  readonly reported: SpillEvent[];
  /** Resolves when the writer may write. */
  readonly ready: () => Promise<void>;
  readonly demand: { paused: boolean; ended: number; pauses: number };
} {
  const clock = new VirtualClock();
  const demand = { paused: false, ended: 0, pauses: 0 };
  let resumed: () => void = () => {};
  const log = new ByteLog({
    commandId: "c1",
    demand: {
      pause: () => {
        demand.paused = true;
        demand.pauses++;
      },
      resume: () => {
        demand.paused = false;
        resumed();
      },
      end: () => {
        demand.ended++;
      },
    },
    clock,
    headBytes: 10,
    tailBytes: 40,
    spillAfterBytes: (options.headBytes ?? 10) + (options.tailBytes ?? 40),
    quotaBytes: 2 ** 30,
    onLimit: "drop",
    freeSpaceBytes: 0,
    budget: new Budget(2 ** 30),
    ...options,
  });
  const reported: SpillEvent[] = [];
  log.onSpill((event) => reported.push(event));
  const ready = () =>
    demand.paused
      ? new Promise<void>((resolve) => {
        resumed = resolve;
      })
      : Promise.resolve();
  return { log, clock, reported, ready, demand };
}

/** Have a reader take each piece in turn; answers the offset that it came to. */
export async function readBy(
  log: Pick<ByteLog, "pieces">,
  take: (piece: ReadResult) => Promise<void> | void,
  options: PiecesOptions = {},
): Promise<number> {
  let at = options.from ?? 0;
  for await (const piece of log.pieces(options)) {
    await take(piece);
    at = piece.to;
  }
  return at;
}

/** The pattern begins anew after so many bytes. */
const PERIOD = Uint8Array.from({ length: 65_536 }, (_, at) => (at * 31 + (at >> 8)) & 255);

/** Bytes that differ by their offset. */
export function pattern(from: number, to: number): Uint8Array {
  const bytes = new Uint8Array(to - from);
  for (let at = from; at < to;) {
    const start = at % PERIOD.length;
    const part = PERIOD.subarray(start, start + to - at);
    bytes.set(part, at - from);
    at += part.length;
  }
  return bytes;
}

/** Files of which some methods are others. */
export function wrapped(
  files: SpillFiles,
  change: (file: SpillFile) => Partial<SpillFile>,
): SpillFiles {
  return {
    ...files,
    create: () => {
      const file = files.create();
      return {
        path: file.path,
        write: (bytes) => file.write(bytes),
        read: (into, at) => file.read(into, at),
        finish: () => file.finish(),
        remove: () => file.remove(),
        ...change(file),
      };
    },
  };
}
