import { ByteLog, type ByteLogOptions } from "../../src/output/byte-log.ts";
import type { KeepingEvent } from "../../src/output/spill/keeping.ts";
import type { SpillFile, SpillFiles } from "../../src/platform/file/spill-files.ts";
import { Budget } from "../../src/output/spill/budget.ts";
import { VirtualClock } from "../../src/platform/virtual-clock.ts";

/** A log whose demand is remembered, with the events that it told. */
export function logFixture(options: Partial<ByteLogOptions> = {}): {
  readonly log: ByteLog;
  readonly clock: VirtualClock;
  readonly told: KeepingEvent[];
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
  const told: KeepingEvent[] = [];
  log.onKeeping((event) => told.push(event));
  const ready = () =>
    demand.paused
      ? new Promise<void>((resolve) => {
        resumed = resolve;
      })
      : Promise.resolve();
  return { log, clock, told, ready, demand };
}

/** The pattern begins anew after so many bytes. */
const PERIOD = Uint8Array.from({ length: 65_536 }, (_, at) => (at * 31 + (at >> 8)) & 255);

/** Bytes whose value tells their offset. */
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
        writeNow: (bytes, at) => file.writeNow(bytes, at),
        write: (bytes, at) => file.write(bytes, at),
        isOpenBy: (command) => file.isOpenBy(command),
        read: (into, at) => file.read(into, at),
        size: () => file.size(),
        look: () => file.look(),
        lookNow: () => file.lookNow(),
        finish: () => file.finish(),
        remove: () => file.remove(),
        ...change(file),
      };
    },
  };
}
