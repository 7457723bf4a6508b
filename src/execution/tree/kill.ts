import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { ProcessInfo } from "../../platform/process/processes.ts";
import type { Haste } from "./haste.ts";
import type { ProcessTree } from "./process-tree.ts";

/** How a tree of processes is ended. */
export interface KillOptions {
  /** The first, polite signal. */
  readonly signal?: string;
  /** How long the processes may take to follow it, in milliseconds. */
  readonly graceMs?: number;
  /** Ends the grace before its time. */
  readonly haste?: Haste | undefined;
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
  { signal = "SIGTERM", graceMs = 5_000, haste, onSignal = () => {} }: KillOptions = {},
): Promise<readonly ProcessInfo[]> {
  return new Promise((resolve, reject) => {
    let deadline = clock.monotonic() + graceMs;
    let rounds = 0;
    let looks = 0;
    let cancelLook: CancelTimer = () => {};
    let calm = () => {};
    const over = (survivors: readonly ProcessInfo[]) => {
      calm();
      resolve(survivors);
    };
    const lookIn = (ms = 0) => {
      cancelLook = clock.after(ms, look);
    };
    const send = (name: string, members: readonly ProcessInfo[]) => {
      onSignal(name);
      tree.signal(name, members);
      // A stopped process takes no other signal than KILL before it continues.
      if (name !== "SIGKILL") tree.signal("SIGCONT", members);
    };
    const look = () => {
      try {
        const members = tree.members();
        if (members.length === 0 && tree.certain) return over(members);
        // Whoever was started meanwhile is not asked: it may be what cleans up.
        if (clock.monotonic() >= deadline && (members.length > 0 || tree.partial)) {
          if (rounds++ === KILL_ROUNDS) return over(members);
          if (rounds === 1) send("SIGKILL", members);
          else tree.signal("SIGKILL", members);
          // What cannot be seen now may be seen when the host has done with its files.
          if (members.length > 0) looks = 0;
        }
        lookIn(LOOKS_MS[Math.min(looks++, LOOKS_MS.length - 1)]);
      } catch (cause) {
        calm();
        reject(cause);
      }
    };
    try {
      send(signal, tree.survey());
      lookIn(LOOKS_MS[0]);
      calm = haste?.once(() => {
        deadline = -Infinity;
        cancelLook();
        lookIn(0);
      }) ?? calm;
    } catch (cause) {
      reject(cause);
    }
  });
}
