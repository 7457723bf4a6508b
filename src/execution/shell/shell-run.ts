import type { Subscriber } from "rxjs";
import type { Invocation, ShellInvocation } from "../../event/env.ts";
import type { ExecutionEvent, ExecutionExited, Outcome } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { CancelTimer } from "../../platform/clock.ts";
import type { ExitStatus, ProcessInfo } from "../../platform/process/processes.ts";
import type { CommandOutput, Shells } from "../../platform/shell/shells.ts";
import { CommandRun, type CommandRunOptions } from "../run/command-run.ts";
import { statusOf } from "../run/outcome.ts";
import { ProcessTree } from "../tree/process-tree.ts";
import type { SessionShell } from "./session-shell.ts";
import type { ShellEnd, ShellPlace, ShellTenant } from "./tenant.ts";

/** Until then, in milliseconds, the output of a command is read at its end only. */
const SHORT_MS = 3;
/** How much longer than its processes a shell gets to obey, in milliseconds, before it is ended itself. */
const SHELL_GRACE_MS = 500;

/** What a shell that is told to end by SIGTERM exits with. */
const GAVE_UP = 143;
/** What that is told as, and the end of what was stopped before the shell had heard of it. */
const STOPPED: ExitStatus = { code: null, signal: "SIGTERM" };

/** What a run in a shell that lives on needs from outside. */
export interface ShellRunOptions extends CommandRunOptions {
  readonly invocation: Invocation & { readonly shell: ShellInvocation };
  readonly shells: Shells;
  readonly shell: SessionShell;
  /** What the mark of this command is to be, after those of a runtime that this one runs in. */
  readonly mark: string;
}

/** A command in the shell of its session. */
export class ShellRun extends CommandRun implements ShellTenant {
  readonly #own: ShellRunOptions;
  #output: CommandOutput | undefined;
  #place: ShellPlace | undefined;
  #end: ShellEnd | undefined;
  #childrenLeft = false;
  #takenBack = false;
  #cancelFollow: CancelTimer = () => {};
  #cancelGrace: CancelTimer = () => {};
  #calm: () => void = () => {};

  constructor(subscriber: Subscriber<ExecutionEvent>, options: ShellRunOptions) {
    super(subscriber, options);
    this.#own = options;
  }

  get invocation(): ShellRunOptions["invocation"] {
    return this.#own.invocation;
  }

  get mark(): string {
    return this.#own.mark;
  }

  get stopping(): boolean {
    return this.stopped !== undefined;
  }

  start(): void {
    if (this.open()) this.#own.shell.begin(this);
  }

  ready(place: ShellPlace): string | undefined {
    const { shells, processes, mark } = this.#own;
    if (this.subscriber.closed) {
      this.giveUp();
      return undefined;
    }
    this.#place = place;
    const { host } = place;
    let output: CommandOutput;
    try {
      output = shells.output({
        data: (chunk) => this.data(chunk),
        end: () => this.outputEnded(),
      });
    } catch (cause) {
      this.failed(cause);
      return undefined;
    }
    this.#output = this.source = output;
    if (this.paused) output.pause();
    this.startClock();
    if (this.stopped !== undefined) {
      this.#tellStarted(place);
      output.release();
      this.exited(STOPPED);
      return undefined;
    }
    const own = mark.split(" ").at(-1);
    this.tree = new ProcessTree(processes, {
      host,
      children: () => this.#children(),
      isMark: (word) => word === own,
      isOutput: (link) => link === output.name,
    });
    return output.path;
  }

  underWay(): void {
    const output = this.#output;
    if (this.#place === undefined || output === undefined) return;
    this.#tellStarted(this.#place);
    // Whoever heard of it has stopped it before the shell heard of it.
    if (this.#takenBack) {
      output.release();
      this.exited(STOPPED);
    }
    // Or has signalled it, and was told of its end instead.
    if (this.status !== undefined) return;
    this.#cancelFollow = this.#own.clock.after(SHORT_MS, () => output.follow());
    this.begun();
  }

  #tellStarted({ host, reset }: ShellPlace): void {
    this.subscriber.next({
      type: "execution.started",
      commandId: this.#own.commandId,
      executor: "shell",
      ...host,
      group: host.pid,
      ...(reset !== undefined && { reset }),
    });
  }

  over(end: ShellEnd): boolean {
    this.#cancelFollow();
    this.#cancelGrace();
    this.#calm();
    const output = this.#output;
    // What survived the kill protocol held the shell, and the answer was given without it.
    const late = this.status !== undefined;
    if (output === undefined) return false;
    this.#childrenLeft = end.children.length > 0;
    // Known by pid and start from now on: the number alone may come to belong to others.
    if (this.#childrenLeft) this.tree?.members();
    this.#end = end;
    // While its reader holds it back, what is left waits in the pipe, unless something comes after it.
    const { strays } = end;
    const waits = this.paused && (strays === undefined || strays.length === 0);
    if (waits || !output.finish(strays)) output.linger();
    this.exited(end.status);
    return !late;
  }

  failed(cause: unknown): void {
    // The children of the shell are not its own.
    this.tree = undefined;
    this.#output?.release();
    const { file, cwd } = this.#own.invocation;
    const why = cause instanceof Error ? cause.message : String(cause);
    this.fail(`Cannot start "${file}" in "${cwd}": ${why}`);
  }

  protected override sendSignal(name: string): boolean {
    const { processes, shell } = this.#own;
    if (this.#place === undefined || this.#end !== undefined) return false;
    // The shell first: it would go on with the line when it saw a process of it end.
    shell.signal(this, name);
    if (this.#end !== undefined) return false;
    // Who is left out would be waited for by a shell that was asked to end.
    for (const member of this.tree?.membersNow() ?? []) processes.signal(member, name);
    return true;
  }

  protected override takenBack(): boolean {
    return this.#takenBack ||= this.#own.shell.withdraw(this);
  }

  /** The shell is asked to give it up before the kill protocol ends what it runs: else it would go on with the line. */
  protected override askToEnd(): void {
    if (this.#end !== undefined) return;
    const { clock, graceMs, haste, shell, processes } = this.#own;
    shell.signal(this, "SIGTERM");
    // As was seen just before that.
    if (this.#end !== undefined) return;
    const kill = () => {
      // What it started as the signal came was not asked, and it waits for that before it obeys.
      for (const member of this.tree?.members() ?? []) processes.signal(member, "SIGKILL");
      this.#cancelGrace = clock.after(SHELL_GRACE_MS / 2, () => shell.kill(this));
    };
    const killIn = (ms: number) => {
      this.#cancelGrace = clock.after(ms + SHELL_GRACE_MS / 2, kill);
    };
    killIn(graceMs);
    this.#calm = haste?.once(() => {
      this.#cancelGrace();
      killIn(0);
    }) ?? this.#calm;
  }

  protected override mayHaveLeft(): boolean {
    return this.#childrenLeft;
  }

  protected override outcome(status: ExitStatus): Outcome {
    const reason = this.#end?.refused;
    // What was stopped while it began is told as stopped.
    if (reason !== undefined && this.stopped === undefined) return { type: "spawnFailed", reason };
    const { code } = status;
    // The shell gives a command up by an exit of its own, with the code that stands for our signal.
    const gaveUp = this.stopped !== undefined && (code === GAVE_UP || reason !== undefined);
    if (gaveUp) return super.outcome(STOPPED);
    return super.outcome(code === null ? status : statusOf(code, { sent: this.sent }));
  }

  protected override describe(members: readonly ProcessInfo[]): readonly Leftover[] {
    const { file } = this.#own.invocation;
    // A part of the line that the shell runs in a copy of itself shows the arguments of the shell.
    const shown = (line: string) => line.startsWith(`${file} `) && line.includes("__sf_");
    return super.describe(members).map(({ command, ...identity }) => ({
      ...identity,
      command: shown(command) ? `${file} (${this.#own.invocation.command})` : command,
    }));
  }

  protected override more(): Pick<ExecutionExited, "shell"> {
    return this.#end === undefined ? {} : { shell: this.#end.after };
  }

  #children(): readonly number[] {
    return this.#end === undefined ? this.#place?.children() ?? [] : [];
  }
}
