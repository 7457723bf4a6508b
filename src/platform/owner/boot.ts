import { readFileSync } from "node:fs";

/** Names the run of this machine since it was started; absent where the system has no such name. */
export function bootId(): string | undefined {
  try {
    return readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim();
  } catch {
    return undefined;
  }
}
