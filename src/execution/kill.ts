import type { Clock } from "../platform/clock.ts";
import type { ProcessInfo } from "../platform/process/processes.ts";
import type { ProcessTree } from "./process-tree.ts";

/** How a tree of processes is ended. */
export interface KillOptions {
  /** The first, polite signal. */
  readonly signal?: string;
  /** How long the processes may take to follow it, in milliseconds. */
  readonly graceMs?: number;
  /** Called for each signal that is sent. */
  readonly onSignal?: (name: string) => void;
}

/** How often a tree is looked at while it ends, in milliseconds: often at first, as most end at once. */
const LOOKS_MS = [2, 5, 10, 20, 50, 100];
/** How many times KILL is sent to what appears between a look and a signal: a fork storm makes it necessary. */
const KILL_ROUNDS = 40;

/**
 * End a tree of processes: ask, wait, kill, and verify.
 *
 * @returns Whoever is still alive at the end: what the system cannot end, such as a process that
 *   waits for a device, or that this user may not signal.
 */
export function killTree(
  tree: ProcessTree,
  clock: Clock,
  { signal = "SIGTERM", graceMs = 5_000, onSignal = () => {} }: KillOptions = {},
): Promise<readonly ProcessInfo[]> {
  return new Promise((resolve, reject) => {
    const deadline = clock.monotonic() + graceMs;
    let rounds = 0;
    let looks = 0;
    const send = (name: string, members: readonly ProcessInfo[]) => {
      onSignal(name);
      tree.signal(name, members);
      // A stopped process takes no other signal than KILL before it continues.
      if (name !== "SIGKILL") tree.signal("SIGCONT", members);
    };
    const look = () => {
      try {
        const members = tree.members();
        if (members.length === 0 && tree.certain) return resolve(members);
        // Whoever was started meanwhile is not asked: it may be what cleans up.
        if (members.length > 0 && clock.monotonic() >= deadline) {
          if (rounds++ === KILL_ROUNDS) return resolve(members);
          if (rounds === 1) send("SIGKILL", members);
          else tree.signal("SIGKILL", members);
          looks = 0;
        }
        clock.after(LOOKS_MS[Math.min(looks++, LOOKS_MS.length - 1)] ?? 100, look);
      } catch (cause) {
        reject(cause);
      }
    };
    try {
      send(signal, tree.survey());
      clock.after(LOOKS_MS[0] ?? 2, look);
    } catch (cause) {
      reject(cause);
    }
  });
}
