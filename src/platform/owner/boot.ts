import { readFileSync } from "node:fs";
import { attempt } from "../failure.ts";

/** Names the run of this machine since it was started; absent where the system has no such name. */
export function bootId(): string | undefined {
  return attempt(() => readFileSync("/proc/sys/kernel/random/boot_id", "latin1").trim());
}
