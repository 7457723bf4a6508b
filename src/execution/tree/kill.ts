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
/** How many looks after that one gets that took it and waits for a device; many of these answer late, and some never. */
const DEVICE_LOOKS = 20;
/** And one that is at work, or wants to be: at a tenth of a second each a minute, so that there is an end to it. */
const WORK_LOOKS = 600;

/**
 * End a tree of processes: ask, wait, kill, and verify.
 *
 * Who took KILL ends as soon as it gets a processor, which may take long where many want one, and
 * then gives back its memory, which may take long as well: that is waited for, a minute at the most,
 * and is no survival.
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
    let deviceLooks = 0;
    let workLooks = 0;
    /** Those who were there after all rounds; who comes later still is of a storm that nothing ends. */
    let last: ReadonlySet<string> | undefined;
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
    const areEnding = (members: readonly ProcessInfo[]) => {
      last ??= new Set(members.map(nameOf));
      const known = members.filter((member) => last?.has(nameOf(member)));
      // What sleeps or is stopped did not take it, or would not do so any more.
      const works = known.some((member) => member.state === "R" && tree.takesKill(member));
      if (works) return workLooks++ < WORK_LOOKS;
      return known.some((member) => member.state === "D" && tree.takesKill(member)) &&
        deviceLooks++ < DEVICE_LOOKS;
    };
    const look = () => {
      try {
        // That somebody survives is told of what is so now.
        const members = rounds === KILL_ROUNDS ? tree.membersNow() : tree.members();
        if (members.length === 0 && tree.certain) return over(members);
        // Whoever was started meanwhile is not asked: it may be what cleans up.
        if (clock.monotonic() >= deadline && (members.length > 0 || tree.partial)) {
          if (rounds === KILL_ROUNDS && !areEnding(members)) return over(members);
          if (rounds === 0) send("SIGKILL", members);
          else tree.signal("SIGKILL", members);
          // What cannot be seen now may be seen when the host has done with its files.
          if (members.length > 0 && rounds < KILL_ROUNDS) looks = 0;
          rounds = Math.min(rounds + 1, KILL_ROUNDS);
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

function nameOf({ pid, startTime = "" }: ProcessInfo): string {
  return `${pid} ${startTime}`;
}
