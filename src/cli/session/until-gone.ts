import { systemClock } from "../../platform/clock.ts";
import { ownerAt } from "../../runtime/control/client.ts";

const LOOK_MS = 20;

/** Wait until a process owns a directory no more. */
export async function untilGone(directory: string, pid: number): Promise<void> {
  while (ownerAt(directory)?.pid === pid) {
    await new Promise<void>((resolve) => void systemClock.after(LOOK_MS, resolve));
  }
}
