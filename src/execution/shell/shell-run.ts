import { defined } from "../../value/defined.ts";
import type { Invocation, ShellInvocation } from "../../event/env.ts";
import type { ShellAfter, ShellReset } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { ExitStatus, ProcessInfo } from "../../platform/process/processes.ts";
import type { LiveShell, Shells } from "../../platform/shell/shells.ts";
import { type AttachedOptions, markOf } from "../run/attached-options.ts";
import type { CommandRun } from "../run/command-run.ts";
import { outcomeOf, statusOf } from "../run/outcome.ts";
import { executionStarted } from "../run/execution-started.ts";
import type { RunBody } from "../run/run-body.ts";
import type { TerminalParts } from "../terminal/terminal-executor.ts";
import { ProcessTree } from "../tree/process-tree.ts";
import { type CommandChannels, type OrderChannels, pipedChannels } from "./command-channels.ts";
import { signalCommand } from "./signal-command.ts";
import { terminalChannels } from "./terminal-channels.ts";
import { cannotStart } from "../run/cannot-start.ts";

/** What the shell executor needs. */
export interface ShellExecutorOptions extends AttachedOptions {
  readonly shells: Shells;
  /** Load what opens terminals and shows their screens; absent: shells have no terminal. */
  readonly load?: () => Promise<TerminalParts>;
}

/** What a command in a shell needs. */
export interface ShellRunOptions extends AttachedOptions {
  readonly shells: Shells;
  readonly createEmulator: TerminalParts["createEmulator"];
}

/** Where a command runs. */
export interface ShellPlace {
  readonly live: LiveShell;
  /** What was lost since the last command. */
  readonly reset?: ShellReset;
  /** The pids of the shell's children that were not there before the command. */
  readonly children: () => readonly number[];
  /** The last command failed. */
  readonly failed: boolean;
  /** Send its order to the shell, which is to read and write by these channels. */
  readonly send: (channels: OrderChannels) => void;
  /** Leave the shell to the next command, as this one does not begin. */
  readonly leave: () => void;
}

/** How a command in a shell ended. */
export interface ShellEnd {
  readonly status: ExitStatus;
  /** Why it never began. */
  readonly refused?: string;
  /** Whether it may have left children behind. */
  readonly startedSome: boolean;
  /** Where the session's shell is; absent: the session has another one. */
  readonly after?: ShellAfter;
}

/** A command in the shell of its session. */
export class ShellRun {
  readonly invocation: Invocation & { readonly shell: ShellInvocation };
  /** Marks its processes. */
  readonly mark: string;
  readonly #run: CommandRun;
  readonly #options: ShellRunOptions;
  #channels: CommandChannels | undefined;
  #tree: ProcessTree | undefined;
  #ended = false;
  #startedSome = false;

  constructor(
    run: CommandRun,
    invocation: ShellRun["invocation"],
    options: ShellRunOptions,
  ) {
    this.#run = run;
    this.#options = options;
    this.invocation = invocation;
    this.mark = markOf(options, run.commandId);
  }

  /** Whether it is over, as when it was unsubscribed before its shell was ready. */
  get isOver(): boolean {
    return this.#channels === undefined && this.#run.over;
  }

  /** Whether it is being stopped. */
  get stopping(): boolean {
    return this.#run.stopping;
  }

  /** The shell is ready for it. */
  begin(place: ShellPlace): void {
    if (!this.#run.wanted()) return place.leave();
    let channels: CommandChannels;
    try {
      channels = this.#channels = this.#onTerminal(place) ?? pipedChannels(this.#options.shells, {
        data: (chunk) => this.#run.data(chunk),
        end: () => this.#run.outputEnded(),
      });
      place.send(channels.order);
    } catch (cause) {
      place.leave();
      return this.failed(cause);
    }
    const started = executionStarted(place.live, {
      commandId: this.#run.commandId,
      executor: this.invocation.executor,
      ...defined({ terminal: channels.body.screen?.size, reset: place.reset }),
    });
    this.#run.started(this.#body(place, channels), started);
  }

  #onTerminal({ live, failed }: ShellPlace): CommandChannels | undefined {
    const { executor, terminal: asked, file, args } = this.invocation;
    const { terminal } = live;
    if (executor !== "terminalShell" || asked === undefined) return undefined;
    if (terminal === undefined) throw new Error("the shell has no terminal");
    const cleared = terminal.typedInto() || failed;
    const words = [file, ...args];
    return terminalChannels(this.#run, { ...this.#options, live, terminal, asked, cleared, words });
  }

  over({ status, refused, startedSome, after }: ShellEnd): void {
    const hasTerminal = this.#channels?.body.screen !== undefined;
    // On a terminal the end of the output does not say that no process is left.
    this.#startedSome = startedSome || hasTerminal;
    // The children are known by pid and start from now on: a number alone may come to belong to others.
    if (this.#startedSome) this.#tree?.members(hasTerminal);
    this.#ended = true;
    this.#channels?.finish(() => this.#tree?.survey().length === 0);
    this.#run.exited({
      status,
      ...(refused !== undefined && !this.stopping &&
        { outcome: { type: "spawnFailed", reason: refused } }),
      ...(after !== undefined && { shell: after }),
    });
  }

  /** The shell could not be started. */
  failed(cause: unknown): void {
    this.#channels?.close();
    this.#run.failed(cannotStart(this.invocation, cause));
  }

  #body(place: ShellPlace, channels: CommandChannels): RunBody {
    const { processes, clock } = this.#options;
    const { live } = place;
    const own = this.mark.split(" ").at(-1);
    const tree = this.#tree = new ProcessTree(processes, {
      shell: live,
      inShell: () => !this.#ended,
      children: () => this.#ended ? [] : place.children(),
      isMark: (word) => word === own,
      isOutput: channels.isOutput,
    });
    return {
      ...channels.body,
      tree,
      signal: signalCommand({
        shell: live,
        tree,
        processes,
        clock,
        begun: () => channels.begun(processes, live),
        ended: () => this.#ended,
      }),
      mayHaveLeft: () => this.#startedSome,
      outcome: ({ code }, { stop, signals }) =>
        code === null || signals === undefined
          ? undefined
          : outcomeOf(statusOf(code, { signals }), { stop, signals }),
      describe: (members) => this.#describe(tree, live, members),
    };
  }

  #describe(
    tree: ProcessTree,
    { pid, terminal }: LiveShell,
    members: readonly ProcessInfo[],
  ): readonly Leftover[] {
    const { command: line, shell } = this.invocation;
    const file = shell.leading?.at(-1) ?? this.invocation.file;
    // A part of the line that the shell runs in a copy of itself shows the arguments of the shell.
    const words = terminal && this.#options.processes.commandLine(pid);
    const isCopy = (shown: string) =>
      shown === words || (shown.startsWith(`${file} `) && shown.includes("__sf_"));
    return tree.describe(members).map(({ command, ...identity }) => ({
      ...identity,
      command: isCopy(command) ? `${file} (${line})` : command,
    }));
  }
}
