import type { Clock } from "../../platform/clock.ts";
import type { Processes, ProcessIdentity, ProcessInfo } from "../../platform/process/processes.ts";
import { lookUntil } from "../tree/look-until.ts";
import type { ProcessTree } from "../tree/process-tree.ts";

/** What signals to a command in a shell need. */
export interface SignalCommandOptions {
  readonly shell: ProcessIdentity;
  /** The processes of the command, the shell included while it runs the command. */
  readonly tree: ProcessTree;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Whether the shell has begun with the command. */
  readonly begun: () => boolean;
  /** Whether the command has ended. */
  readonly ended: () => boolean;
}

/** How long a signal waits for the shell to begin, and how often that is looked at, in milliseconds. */
const [BEGIN_MS, BEGIN_LOOK_MS] = [1_000, 5];
/** How long a process that was just forked may take to execute its program, in milliseconds; a subshell never does. */
const EXECUTES_MS = 1_000;
/** They are about jobs: a process that continues forgets the stop that it has not seen yet. */
const OF_JOBS = new Set(["SIGCONT", "SIGSTOP", "SIGTSTP", "SIGTTIN", "SIGTTOU"]);

/**
 * Sends signals to the processes of a command in a shell.
 *
 * Before the shell has begun with the command, a signal would end the shell alone, or be ignored by it: it
 * waits. While it is sent, the shell stands still, so that it starts nothing that would not get it.
 */
export function signalCommand(
  { shell, tree, processes, clock, begun, ended }: SignalCommandOptions,
): (name: string) => boolean {
  const start = clock.monotonic();
  const send = (name: string) => {
    const { state } = processes.table(true).all.find(({ pid }) => pid === shell.pid) ?? {};
    // One that was stopped by the command, or on request, stays so.
    const holds = state !== "T" && !OF_JOBS.has(name) && processes.signal(shell, "SIGSTOP");
    const members = tree.members(true);
    for (const member of members) processes.signal(member, name);
    if (holds) processes.signal(shell, "SIGCONT");
    const forked = members.filter((member) => member.forked);
    if (forked.length > 0) sendAgain(name, forked);
  };
  /** Between fork and exec a handler of the parent takes a signal, and loses it; the shell may end by its own. */
  const sendAgain = (name: string, forked: readonly ProcessInfo[]) => {
    const sent = clock.monotonic();
    let looks = 0;
    lookUntil(clock, () => {
      if (clock.monotonic() - sent > EXECUTES_MS) return true;
      if (looks++ === 0) return false;
      const wasForked = (found: ProcessInfo) =>
        forked.some(({ pid, startTime }) => pid === found.pid && startTime === found.startTime);
      const executed = tree.members(true).filter((found) => !found.forked && wasForked(found));
      for (const member of executed) processes.signal(member, name);
      forked = forked.filter(({ pid }) => !executed.some((member) => member.pid === pid));
      return forked.length === 0;
    }, { firstMs: 2, longestMs: 20 });
  };
  const sendOnceBegun = (name: string): void => {
    if (ended()) return;
    if (begun() || clock.monotonic() - start > BEGIN_MS) send(name);
    else clock.after(BEGIN_LOOK_MS, () => sendOnceBegun(name));
  };
  return (name) => {
    if (ended()) return false;
    sendOnceBegun(name);
    return true;
  };
}
