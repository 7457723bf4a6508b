import { closeSync, constants, openSync, readSync } from "node:fs";
import {
  CHUNK_BYTES,
  giveBuffer,
  type PipeEvents,
  type PipeReader,
  takeBuffer,
} from "./pipe-reader.ts";

const LOOK_EVERY_MS = 10;
const looking = new Set<() => void>();
let timer: ReturnType<typeof setTimeout> | undefined;
let asked = false;

/** The way of many readers at once, where nothing can wait for them. */
export function lookAtIntervals(path: string, { data, done }: PipeEvents): PipeReader {
  const fd = openSync(path, constants.O_RDONLY | constants.O_NONBLOCK);
  const buffer = takeBuffer();
  let held = false;
  let finished = false;
  const finish = (drained: boolean) => {
    if (finished) return;
    finished = true;
    looking.delete(look);
    giveBuffer(buffer);
    closeSync(fd);
    done(drained);
  };
  const look = () => {
    for (let turn = 0; turn < 16 && !held && !finished; turn++) {
      let size: number;
      try {
        size = readSync(fd, buffer, 0, CHUNK_BYTES, null);
      } catch (cause) {
        if (!(cause instanceof Error && "code" in cause && cause.code === "EAGAIN")) finish(false);
        return;
      }
      if (size === 0) return finish(true);
      data(buffer.subarray(0, size));
    }
  };
  looking.add(look);
  schedule(LOOK_EVERY_MS);
  return {
    pause: () => {
      held = true;
    },
    resume: () => {
      held = false;
    },
    release: () => finish(false),
  };
}

/**
 * Have all of them look in this turn of the event loop, without waiting for the time to come; who
 * asks in the same one shares that.
 */
export function lookInThisTurn(): void {
  if (asked || looking.size === 0) return;
  asked = true;
  setImmediate(() => {
    asked = false;
    lookAtAll();
  });
}

function lookAtAll(): void {
  for (const look of [...looking]) look();
}

/** One timer for all that look; it never takes more than half of the time. */
function schedule(ms: number): void {
  timer ??= setTimeout(() => {
    timer = undefined;
    const start = performance.now();
    lookAtAll();
    if (looking.size > 0) schedule(Math.max(LOOK_EVERY_MS, performance.now() - start));
  }, ms);
}
