import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { ProcessInfo } from "../../platform/process/processes.ts";
import type { ProcessTree } from "./process-tree.ts";

/** How long processes may take to follow the signals that ask them to end. */
export interface GraceOptions {
  /** In milliseconds; default 5 000. */
  readonly graceMs?: number | undefined;
  /** Ends the grace before its time, at the next look. */
  readonly graceCutoff?: AbortSignal | undefined;
}

/** How a tree of processes is ended. */
export interface KillOptions extends GraceOptions {
  readonly clock: Clock;
  /** The signals that ask the processes to end; default TERM. */
  readonly ending?: readonly string[] | undefined;
  /** Called for each signal that is sent. */
  readonly onSignal?: ((name: string) => void) | undefined;
}

/** How often a tree is looked at while it ends, in milliseconds: often at first, as most end at once. */
const LOOKS_MS = [2, 5, 10, 20, 50, 100];
/** How long a shell may take to end before what it runs is asked to, in milliseconds. */
const SHELL_MS = 50;
/** How many looks follow fast after the first KILL: a fork storm makes it necessary. */
const FAST_LOOKS = 40;
/** How long a process may take to end by KILL, in milliseconds: it needs a processor, and frees its memory. */
const KILL_MS = 30_000;
/** The same for processes that this user may not signal: they may end by themselves. */
const REFUSED_MS = 4_000;

/** Ends a tree of processes: TERM or other signals, a grace, KILL, and looks until none is left. */
export class KillProtocol {
  readonly #tree: ProcessTree;
  readonly #options: KillOptions;
  readonly #deadline: number;
  /** The processes that were asked to end, by pid, as they were then. */
  readonly #asked = new Map<number, ProcessInfo>();
  /** The shell that was asked before the rest, and when. */
  #first: { readonly pid: number; readonly at: number } | undefined;
  #looks = 0;
  #killedAt: number | undefined;
  #killLooks = 0;
  #over = false;
  #cancelLook: CancelTimer = () => {};
  #resolve: (survivors: readonly ProcessInfo[]) => void = () => {};
  /**
   * Resolves once the protocol is over, with what the system cannot end, such as a process that waits
   * for a device, or that this user may not signal.
   */
  readonly survivors: Promise<readonly ProcessInfo[]> = new Promise((resolve) => {
    this.#resolve = resolve;
  });

  constructor(tree: ProcessTree, options: KillOptions) {
    const { clock, graceMs = 5_000 } = options;
    this.#tree = tree;
    this.#options = options;
    this.#deadline = clock.monotonic() + graceMs;
  }

  /** Whether no further signal is sent. */
  get over(): boolean {
    return this.#over;
  }

  get #ending(): readonly string[] {
    return this.#options.ending ?? ["SIGTERM"];
  }

  /** Send the first signals. */
  begin(): void {
    // What an older table lacks would get no TERM, and live until the grace is over.
    const members = this.#tree.members("turn");
    const shell = this.#tree.shellAmong(members);
    if (shell !== undefined) this.#first = { pid: shell.pid, at: this.#options.clock.monotonic() };
    const asked = shell === undefined ? members : [shell];
    for (const member of asked) this.#asked.set(member.pid, member);
    for (const signal of this.#ending) this.#send(signal, asked);
    this.#lookIn(LOOKS_MS[0]);
  }

  /** Look now instead of at the next interval: a process of the tree was reported to have ended. */
  lookNow(): void {
    if (this.#over) return;
    this.#cancelLook();
    this.#looks = 0;
    this.#look();
  }

  #lookIn(ms = 0): void {
    this.#cancelLook = this.#options.clock.after(ms, () => this.#look());
  }

  #look(): void {
    const tree = this.#tree;
    const members = tree.members();
    if (members.length === 0 && tree.certain) return this.#finish(members);
    const { clock, graceCutoff } = this.#options;
    const now = clock.monotonic();
    const graceOver = now >= this.#deadline || graceCutoff?.aborted === true;
    if (graceOver && (members.length > 0 || tree.partial)) {
      if (this.#killedAt === undefined) this.#send("SIGKILL", members);
      else tree.signal("SIGKILL", members);
      this.#killedAt ??= now;
      const limitMs = members.some((member) => tree.signalOne(member, "SIGKILL"))
        ? KILL_MS
        : REFUSED_MS;
      if (now - this.#killedAt >= limitMs) return this.#finish(tree.members(true));
      // What cannot be seen now may be seen when the host has closed some of its files.
      if (members.length > 0 && this.#killLooks++ < FAST_LOOKS) this.#looks = 0;
    }
    if (!graceOver) this.#askOthers(members, now);
    this.#lookIn(LOOKS_MS[Math.min(this.#looks++, LOOKS_MS.length - 1)]);
  }

  /**
   * Ask what a parent started and left behind while it was asked itself, and what has executed its
   * program since: between fork and exec a handler of the parent takes the signal, and loses it. What
   * has its parent may be what that one cleans up with.
   *
   * What a shell runs is asked once that has ended, or takes long: else it would go on with its line, or
   * print how its program ended.
   */
  #askOthers(members: readonly ProcessInfo[], now: number): void {
    const living = new Set(members.map(({ pid }) => pid));
    const first = this.#first;
    if (first !== undefined && living.has(first.pid) && now - first.at < SHELL_MS) return;
    this.#first = undefined;
    for (const member of members) {
      const asked = this.#asked.get(member.pid);
      const missed = asked === undefined
        ? first !== undefined || !living.has(member.parent)
        : asked.forked === true && member.forked === false;
      if (!missed) continue;
      this.#asked.set(member.pid, member);
      for (const name of this.#ending) this.#tree.signalOne(member, name);
    }
  }

  #send(name: string, members: readonly ProcessInfo[]): void {
    this.#options.onSignal?.(name);
    this.#tree.signal(name, members);
    // A stopped process takes no signal but KILL before it continues.
    if (name !== "SIGKILL") this.#tree.signal("SIGCONT", members);
  }

  #finish(survivors: readonly ProcessInfo[]): void {
    this.#over = true;
    this.#resolve(survivors);
  }
}
