import { systemClock } from "../../platform/clock.ts";
import { ownerOf } from "../../platform/owner/owner-lock.ts";

const LOOK_MS = 20;

/** Wait until a process owns a directory no more, or for so long at most. */
export async function untilGone(
  directory: string,
  pid: number,
  { atMostMs = Infinity }: { readonly atMostMs?: number } = {},
): Promise<void> {
  const deadline = systemClock.monotonic() + atMostMs;
  while ((await ownerOf(directory))?.pid === pid && systemClock.monotonic() < deadline) {
    await new Promise<void>((resolve) => void systemClock.after(LOOK_MS, resolve));
  }
}
