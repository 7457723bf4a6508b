import type { Subscriber } from "rxjs";
import type { CommandId, Limits } from "../../event/command.ts";
import type { ExecutionEvent, Outcome, ShellAfter } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { CancelTimer } from "../../platform/clock.ts";
import type { ExitStatus, Processes } from "../../platform/process/processes.ts";
import type { KillOptions, KillProtocol } from "../tree/kill-protocol.ts";
import { lookUntil } from "../tree/look-until.ts";
import { drain } from "./drain.ts";
import { outcomeOf, type Sent } from "./outcome.ts";
import type { OutputFlow } from "./output-flow.ts";
import type { RunBody } from "./run-body.ts";

/** How a command ended. */
export interface RunExit {
  readonly status: ExitStatus;
  /** Where the status alone does not say how it ended. */
  readonly outcome?: Outcome;
  /** From start to end, in milliseconds; absent: until the answer. */
  readonly durationMs?: number;
  readonly shell?: ShellAfter;
  /** The log has its `execution.exited`. */
  readonly announced?: true;
}

/** What each run needs from outside. */
export interface CommandRunOptions extends Omit<KillOptions, "onSignal"> {
  readonly commandId: CommandId;
  readonly limits: Limits;
  readonly subscriber: Subscriber<ExecutionEvent>;
  readonly processes: Processes;
  /** What becomes of the processes that a command leaves behind; default `keep`. */
  readonly background?: "keep" | "end" | undefined;
}

/** What the end of a command depends on. */
export interface EndingOptions extends CommandRunOptions {
  readonly output: OutputFlow;
  /** What ends its processes, once that has begun. */
  readonly kill: () => KillProtocol | undefined;
  readonly sent: () => Sent;
  /** End what is left, by the kill protocol. */
  readonly endRest: () => void;
}

/** The end of one command: its exit, the answer once its output is quiet, and the close when nothing is left. */
export class Ending {
  /** Resolves when the run is over. */
  readonly finished: Promise<void>;
  readonly #options: EndingOptions;
  #body: RunBody | undefined;
  #hadLeftovers = false;
  #startedAt = 0;
  #exit: RunExit | undefined;
  #answered = false;
  #closed = false;
  #cancelWait: CancelTimer = () => {};
  #finish: () => void = () => {};

  constructor(options: EndingOptions) {
    this.#options = options;
    this.finished = new Promise((resolve) => (this.#finish = resolve));
  }

  /** Whether it has exited; its background processes may still write. */
  get exited(): boolean {
    return this.#exit !== undefined;
  }

  /** Whether the run is over. */
  get closed(): boolean {
    return this.#closed;
  }

  /** The command runs. */
  started(body: RunBody): void {
    this.#body = body;
    this.#startedAt = this.#options.clock.monotonic();
  }

  /** How the command ended. */
  exit(exit: RunExit): void {
    this.#exit = exit;
    this.#endsLate(this.#options.background === "end" ? this.#findLeftovers(true) : []);
    this.settle();
  }

  /** After the kill protocol, survivors hold the answer back no longer. */
  killed(survivors: number): void {
    if (survivors > 0) {
      this.#exit ??= { status: { code: null, signal: null } };
      this.#options.output.release();
    }
    this.settle();
  }

  /** Answer once the output has ended or is quiet, and nothing is being ended any more; then close. */
  settle(): void {
    const { clock, processes, output, kill } = this.#options;
    if (!this.exited || this.#closed || kill()?.over === false) return;
    this.#cancelWait();
    if (output.ended) return this.#answered ? this.#closeWhenGone() : this.#answer();
    // A table from before the exit does not show which processes the exit has woken.
    const earlier = processes.lastTable();
    this.#cancelWait = drain({
      clock,
      total: () => output.total,
      held: () => output.held,
      writersAtWork: () => {
        if (processes.table() === earlier) return true;
        const members = this.#body?.tree.members() ?? [];
        // Where none is left, the end of the output is on its way, with all that was not read yet.
        return members.length === 0 || members.some(({ state }) => state === "R" || state === "D");
      },
      done: () => this.#answered ? output.release() : this.#answer(),
    });
  }

  /** The run is over. */
  over(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#cancelWait();
    this.#body?.released?.();
    this.#finish();
  }

  #answer(): void {
    if (this.#answered || this.#exit === undefined) return;
    const { output, kill, subscriber } = this.#options;
    this.#cancelWait();
    const leftovers = this.#findLeftovers();
    if (this.#endsLate(leftovers)) return;
    this.#answered = true;
    // Before the event: its readers may let the same shell run the next command.
    const none = leftovers.length === 0 && !this.#body?.tree.changing;
    const over = output.ended && none && kill() === undefined;
    if (over) this.over();
    if (!this.#exit.announced) subscriber.next(this.#exitEvent(this.#exit, leftovers));
    if (over) this.#emitClosed(leftovers);
    else if (output.ended) this.#closeWhenGone();
    // All known processes were ended, and one that the system hides still holds the output, such as
    // a program that gives its user other rights.
    else if (kill()?.over) output.release();
  }

  #exitEvent({ status, shell, ...exit }: RunExit, leftovers: readonly Leftover[]): ExecutionEvent {
    const { commandId, clock } = this.#options;
    const sent = this.#options.sent();
    const outcome = exit.outcome ?? this.#body?.outcome?.(status, sent) ?? outcomeOf(status, sent);
    if (outcome.type === "lost") {
      return { type: "task.lost", commandId, reason: outcome.reason, leftovers };
    }
    const { durationMs = clock.monotonic() - this.#startedAt } = exit;
    return {
      type: "execution.exited",
      commandId,
      outcome,
      durationMs: Math.max(0, Math.round(durationMs)),
      leftovers,
      ...(shell !== undefined && { shell }),
    };
  }

  /** Background processes whose output is elsewhere belong to the command until they end. */
  #closeWhenGone(): void {
    const { clock, kill } = this.#options;
    this.#cancelWait();
    this.#cancelWait = lookUntil(clock, () => {
      if (this.#closed || kill()?.over === false) return true;
      const leftovers = this.#findLeftovers();
      if (leftovers.length > 0 && !kill()?.over) return this.#endsLate(leftovers);
      // One may have been missed, as it was just becoming another program.
      if (this.#body?.tree.changing) return false;
      this.over();
      this.#emitClosed(leftovers);
      return true;
    }, { firstMs: 10 });
  }

  /**
   * Where no process is to be left, end what was found only now: of one that just becomes another
   * program the system shows nothing for a moment. Answers whether that is under way.
   */
  #endsLate(leftovers: readonly Leftover[]): boolean {
    const { background, kill, endRest } = this.#options;
    if (background !== "end" || leftovers.length === 0 || kill() !== undefined) return false;
    endRest();
    return true;
  }

  /**
   * Find the processes that the command leaves behind, through the process table only where there may be some.
   *
   * @param surely Look in any case.
   */
  #findLeftovers(surely = false): readonly Leftover[] {
    const body = this.#body;
    if (body === undefined) return [];
    const { tree } = body;
    const sign = surely || !this.#options.output.ended || this.#hadLeftovers || tree.changing ||
      body.mayHaveLeft();
    if (!sign && !body.othersMayLive?.()) return [];
    const found = sign ? tree.survey() : tree.members();
    // A table some milliseconds old may show what has just ended.
    const members = found.length > 0 && !this.#hadLeftovers ? tree.members(true) : found;
    this.#hadLeftovers = members.length > 0;
    return body.describe(members);
  }

  #emitClosed(leftovers: readonly Leftover[]): void {
    const { commandId, subscriber } = this.#options;
    subscriber.next({ type: "execution.closed", commandId, leftovers });
    subscriber.complete();
  }
}
