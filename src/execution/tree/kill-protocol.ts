import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { ProcessInfo } from "../../platform/process/processes.ts";
import type { GraceCutoff } from "./grace-cutoff.ts";
import type { ProcessTree } from "./process-tree.ts";

/** How a tree of processes is ended. */
export interface KillOptions {
  /** How long the processes may take to follow TERM, in milliseconds. */
  readonly graceMs?: number;
  readonly graceCutoff?: GraceCutoff | undefined;
  /** Called for each signal that is sent. */
  readonly onSignal?: (name: string) => void;
}

/** How often a tree is looked at while it ends, in milliseconds: often at first, as most end at once. */
const LOOKS_MS = [2, 5, 10, 20, 50, 100];
/** How many times KILL is sent to what appears between a look and a signal: a fork storm makes it necessary. */
const KILL_ROUNDS = 40;
/** How many looks after that a process gets that took KILL and waits for a device; some never get an answer. */
const DEVICE_LOOKS = 20;
/** And one that is still running, for want of a processor: a minute at a tenth of a second each. */
const RUNNING_LOOKS = 600;

/**
 * Ends a tree of processes: TERM, a grace, KILL, and looks until none is left.
 *
 * A process that took KILL ends as soon as it gets a processor, and then frees its memory. Both can
 * take long; that is waited for, a minute at the most, and does not count as survival.
 */
export class KillProtocol {
  readonly #tree: ProcessTree;
  readonly #clock: Clock;
  readonly #onSignal: (name: string) => void;
  readonly #cutoff: GraceCutoff | undefined;
  #deadline: number;
  #rounds = 0;
  #looks = 0;
  #deviceLooks = 0;
  #runningLooks = 0;
  /** The members after the last round; what appears later belongs to a storm that nothing ends. */
  #last: ReadonlySet<string> | undefined;
  #over = false;
  #cancelLook: CancelTimer = () => {};
  #cancelCutoff = () => {};
  #resolve: (survivors: readonly ProcessInfo[]) => void = () => {};
  #reject: (cause: unknown) => void = () => {};
  /**
   * Resolves once the protocol is over, with what the system cannot end, such as a process that waits
   * for a device, or that this user may not signal.
   */
  readonly survivors: Promise<readonly ProcessInfo[]> = new Promise((resolve, reject) => {
    this.#resolve = resolve;
    this.#reject = reject;
  });

  constructor(
    tree: ProcessTree,
    clock: Clock,
    { graceMs = 5_000, graceCutoff, onSignal = () => {} }: KillOptions = {},
  ) {
    this.#tree = tree;
    this.#clock = clock;
    this.#onSignal = onSignal;
    this.#cutoff = graceCutoff;
    this.#deadline = clock.monotonic() + graceMs;
  }

  /** Whether no further signal is sent. */
  get over(): boolean {
    return this.#over;
  }

  /** Send the first signal. */
  begin(): void {
    this.#guarded(() => {
      this.#send("SIGTERM", this.#tree.survey());
      this.#lookIn(LOOKS_MS[0]);
      this.#cancelCutoff = this.#cutoff?.onReached(() => {
        this.#deadline = -Infinity;
        this.#cancelLook();
        this.#lookIn(0);
      }) ?? this.#cancelCutoff;
    });
  }

  /** Look now instead of at the next interval: a process of the tree was heard to have ended. */
  lookNow(): void {
    if (this.#over) return;
    this.#cancelLook();
    this.#looks = 0;
    this.#look();
  }

  #lookIn(ms = 0): void {
    this.#cancelLook = this.#clock.after(ms, () => this.#look());
  }

  #look(): void {
    this.#guarded(() => {
      const tree = this.#tree;
      // A survivor is reported by what is so now.
      const members = this.#rounds === KILL_ROUNDS ? tree.membersNow() : tree.members();
      if (members.length === 0 && tree.certain) return this.#finish(members);
      const due = this.#clock.monotonic() >= this.#deadline;
      // What was started during the grace gets no TERM: it may be what cleans up.
      if (due && (members.length > 0 || tree.partial)) {
        if (this.#rounds === KILL_ROUNDS && !this.#areEnding(members)) return this.#finish(members);
        if (this.#rounds === 0) this.#send("SIGKILL", members);
        else tree.signal("SIGKILL", members);
        // What cannot be seen now may be seen when the host has closed some of its files.
        if (members.length > 0 && this.#rounds < KILL_ROUNDS) this.#looks = 0;
        this.#rounds = Math.min(this.#rounds + 1, KILL_ROUNDS);
      }
      this.#lookIn(LOOKS_MS[Math.min(this.#looks++, LOOKS_MS.length - 1)]);
    });
  }

  #send(name: string, members: readonly ProcessInfo[]): void {
    this.#onSignal(name);
    this.#tree.signal(name, members);
    // A stopped process takes no signal but KILL before it continues.
    if (name !== "SIGKILL") this.#tree.signal("SIGCONT", members);
  }

  #areEnding(members: readonly ProcessInfo[]): boolean {
    this.#last ??= new Set(members.map(nameOf));
    const known = members.filter((member) => this.#last?.has(nameOf(member)));
    const someTakeKill = (state: string) =>
      known.some((member) => member.state === state && this.#tree.takesKill(member));
    // One that sleeps or is stopped did not take it.
    if (someTakeKill("R")) return this.#runningLooks++ < RUNNING_LOOKS;
    return someTakeKill("D") && this.#deviceLooks++ < DEVICE_LOOKS;
  }

  #finish(survivors: readonly ProcessInfo[]): void {
    this.#over = true;
    this.#cancelCutoff();
    this.#resolve(survivors);
  }

  #guarded(step: () => void): void {
    try {
      step();
    } catch (cause) {
      this.#over = true;
      this.#cancelCutoff();
      this.#reject(cause);
    }
  }
}

function nameOf({ pid, startTime = "" }: ProcessInfo): string {
  return `${pid} ${startTime}`;
}
