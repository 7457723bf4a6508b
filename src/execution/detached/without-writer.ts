import type { Leftover } from "../../event/execution.ts";

/** What a detached command left, without the helper of its wrapper that writes the log for them. */
export function withoutWriter(leftovers: readonly Leftover[], log: string): readonly Leftover[] {
  return leftovers.filter(({ command }) => command !== `tee -a ${log}`);
}
