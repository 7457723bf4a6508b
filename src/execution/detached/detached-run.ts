import type { Outcome } from "../../event/execution.ts";
import type { Clock } from "../../platform/clock.ts";
import { bootId } from "../../platform/owner/boot.ts";
import {
  isDetachedOutput,
  readExit,
  readLastExit,
  takesSignals,
} from "../../platform/process/detached/detached-files.ts";
import type { ExitStatus, Processes } from "../../platform/process/processes.ts";
import type { Adoption } from "../executor.ts";
import type { CommandRun } from "../run/command-run.ts";
import { outcomeOf, type Sent, statusOf } from "../run/outcome.ts";
import type { RunBody } from "../run/run-body.ts";
import { lookUntil } from "../tree/look-until.ts";
import { DETACHED_MARK } from "../tree/marks.ts";
import { ProcessTree } from "../tree/process-tree.ts";

/** What following a detached process needs. */
export interface DetachedRunOptions {
  readonly processes: Processes;
  readonly clock: Clock;
}

/** Between the first two looks at the files of a process, in milliseconds. */
const FIRST_LOOK_MS = 200;

/** How long signals wait for the command to be started, and how often that is looked at, in milliseconds. */
const [START_MS, START_LOOK_MS] = [1_000, 20];

/** A detached process as this host sees it. */
export interface DetachedRun {
  /** What the run of the command needs. */
  readonly body: RunBody;
  /**
   * Whether its wrapper lives, as the process that was started: on this run of the machine, under this
   * pid, since this time, with this mark.
   */
  alive(): boolean;
  /** Look at its files, now and then. */
  follow(): void;
  /** Its wrapper ended. */
  wrapperEnded(status: ExitStatus): void;
}

/**
 * Follow a detached process: its end is read from what its wrapper recorded.
 *
 * @param options.own Whether this host started it, and is its parent.
 */
export function detachedRun(
  run: CommandRun,
  process: Adoption,
  { processes, clock, own }: DetachedRunOptions & { readonly own: boolean },
): DetachedRun {
  const { commandId, pid, startTime, bootId: boot, pidFile } = process;
  let status: ExitStatus | undefined;
  let ended = false;
  let cancelLook = () => {};
  let tree: ProcessTree | undefined;
  const alive = (): boolean => {
    if (ended) return false;
    if (own) return status === undefined;
    const table = processes.table();
    const found = table.all.find((process) => process.pid === pid);
    return boot === bootId() && found !== undefined && !/[ZX]/.test(found.state) &&
      found.startTime === startTime &&
      table.variable(pid, DETACHED_MARK)?.split(" ").includes(commandId) === true;
  };
  /** By its group as well, if it is still the process that was started when this is first asked. */
  const treeNow = () =>
    tree ??= new ProcessTree(processes, {
      ...(alive() && { root: process }),
      variable: DETACHED_MARK,
      isMark: (word) => word === commandId,
      isOutput: (link) => isDetachedOutput(pidFile, link),
    });
  /** Look whether it has ended; answers whether it has. */
  const look = (): boolean => {
    if (ended) return true;
    let recorded = readExit(pidFile);
    if (recorded === undefined && !process.ended) {
      if (alive()) return false;
      // The record is written before the wrapper ends.
      recorded = readLastExit(pidFile);
    }
    ended = true;
    run.exited({
      status: { code: recorded?.code ?? null, signal: status?.signal ?? null },
      durationMs: (recorded?.at ?? clock.now()) - process.startedAt,
      ...(process.ended && { announced: true }),
    });
    return true;
  };
  /** A signal that comes before its wrapper has started the command would be lost. */
  const signal = (name: string): boolean => {
    if (!alive()) return false;
    if (takesSignals(pidFile) || clock.now() - process.startedAt > START_MS) {
      return processes.signalGroup(pid, name);
    }
    clock.after(START_LOOK_MS, () => signal(name));
    return true;
  };
  return {
    body: {
      get tree() {
        return treeNow();
      },
      signal,
      mayHaveLeft: () => true,
      outcome: (status, sent) => outcomeOfWrapper(status, bySomeHost(sent, process.sent)),
      // Without the wrapper, and what it starts itself once the command has ended, as `sync`.
      describe: (members) =>
        treeNow().describe(
          members.filter((member) =>
            (member.pid !== pid || member.startTime !== startTime) &&
            !(ended && member.parent === pid)
          ),
        ),
      killed: () => void look(),
      released: () => cancelLook(),
    },
    alive,
    follow: () => {
      cancelLook = lookUntil(clock, look, { firstMs: FIRST_LOOK_MS });
    },
    wrapperEnded: (how) => {
      status = how;
      look();
    },
  };
}

/** What this host and an earlier one have sent. */
function bySomeHost({ stop, signals }: Sent, earlier: Adoption["sent"] = {}): Sent {
  const all = new Set([...earlier.signals ?? [], ...signals ?? []]);
  return { stop: stop ?? earlier.stop, signals: all };
}

function outcomeOfWrapper({ code, signal }: ExitStatus, sent: Sent): Outcome {
  if (code !== null) return outcomeOf(statusOf(code, sent), sent);
  if (signal !== null) return outcomeOf({ code, signal }, sent);
  // Nothing else keeps a wrapper from its record.
  const killed = sent.stop !== undefined || sent.signals?.has("SIGKILL");
  if (killed) return outcomeOf({ code, signal: "SIGKILL" }, sent);
  return { type: "lost", reason: "Its process is gone, and did not record how it ended" };
}
