import type { Invocation, ShellInvocation } from "../../event/env.ts";
import type { ShellAfter, ShellReset } from "../../event/execution.ts";
import type { Leftover } from "../../event/leftover.ts";
import type { CancelTimer } from "../../platform/clock.ts";
import type { ExitStatus, InputPipe, ProcessInfo } from "../../platform/process/processes.ts";
import type {
  CommandInput,
  CommandOutput,
  LiveShell,
  Shells,
} from "../../platform/shell/shells.ts";
import { type AttachedOptions, markOf } from "../run/attached-options.ts";
import type { CommandRun } from "../run/command-run.ts";
import { outcomeOf, statusOf } from "../run/outcome.ts";
import type { RunBody } from "../run/run-body.ts";
import { lookUntil } from "../tree/look-until.ts";
import { ProcessTree, type TreeMarks } from "../tree/process-tree.ts";

/** Until then, in milliseconds, the output of a command is read at its end only. */
const SHORT_MS = 10;

/** What the shell executor needs. */
export interface ShellExecutorOptions extends AttachedOptions {
  readonly shells: Shells;
}

/** Where a command runs. */
export interface ShellPlace {
  readonly live: LiveShell;
  /** What was lost since the last command. */
  readonly reset?: ShellReset;
  /** The pids of the shell's children that were not there before the command. */
  readonly children: () => readonly number[];
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

/** The pipes of a command, and where it runs. */
interface Setting {
  place: ShellPlace;
  readonly output: CommandOutput;
  readonly input: CommandInput | undefined;
}

/** A command in the shell of its session. */
export class ShellRun {
  readonly invocation: Invocation & { readonly shell: ShellInvocation };
  /** Marks its processes. */
  readonly mark: string;
  readonly #run: CommandRun;
  readonly #options: ShellExecutorOptions;
  #setting: Setting | undefined;
  #tree: ProcessTree | undefined;
  #announced = false;
  #ended = false;
  #startedSome = false;
  #cancelFollow: CancelTimer = () => {};

  constructor(
    run: CommandRun,
    invocation: ShellRun["invocation"],
    options: ShellExecutorOptions,
  ) {
    this.#run = run;
    this.#options = options;
    this.invocation = invocation;
    this.mark = markOf(options, run.commandId);
  }

  /** Whether it is being stopped. */
  get stopping(): boolean {
    return this.#run.stopping;
  }

  /**
   * The shell is ready for it.
   *
   * @returns The paths of its output and its input; `undefined` when it is not to run any more.
   */
  begin(place: ShellPlace): { readonly output: string; readonly input: string } | undefined {
    // It may come here a second time, as its first shell ended before it began.
    if (this.#setting !== undefined) this.#setting.place = place;
    else this.#setting = this.#set(place);
    if (this.#setting === undefined) return undefined;
    const { output, input } = this.#setting;
    return { output: output.path, input: input?.path ?? "/dev/null" };
  }

  #set(place: ShellPlace): Setting | undefined {
    const { shells } = this.#options;
    if (!this.#run.wanted()) return undefined;
    let input: CommandInput | undefined;
    try {
      input = this.invocation.input && shells.input();
      const output = shells.output({
        data: (chunk) => this.#run.data(chunk),
        end: () => this.#run.outputEnded(),
      });
      return { place, output, input };
    } catch (cause) {
      input?.end();
      this.failed(cause);
      return undefined;
    }
  }

  /** The shell has its order. */
  underWay(): void {
    if (this.#announced || this.#setting === undefined) return;
    this.#announced = true;
    const { place: { live, reset }, output } = this.#setting;
    const { pid, startTime } = live;
    this.#cancelFollow = this.#options.clock.after(SHORT_MS, () => output.follow());
    this.#run.started(this.#body(this.#setting), {
      type: "execution.started",
      commandId: this.#run.commandId,
      executor: "shell",
      pid,
      ...(startTime !== undefined && { startTime }),
      group: pid,
      ...(reset !== undefined && { reset }),
    });
  }

  over({ status, refused, startedSome, after }: ShellEnd): void {
    this.#cancelFollow();
    const { output } = this.#setting ?? {};
    this.#startedSome = startedSome;
    // The children are known by pid and start from now on: a number alone may come to belong to others.
    if (startedSome) this.#tree?.members();
    this.#ended = true;
    if (output?.finish() === false) output.linger();
    this.#run.exited({
      status,
      ...(refused !== undefined && !this.stopping &&
        { outcome: { type: "spawnFailed", reason: refused } }),
      ...(after !== undefined && { shell: after }),
    });
  }

  /** The shell could not be started. */
  failed(cause: unknown): void {
    const { file, cwd } = this.invocation;
    const why = cause instanceof Error ? cause.message : String(cause);
    const reason = `Cannot start "${file}" in "${cwd}": ${why}`;
    this.#ended = true;
    this.#setting?.output.release();
    this.#setting?.input?.end();
    if (!this.#announced) return this.#run.failed(reason);
    const status = { code: null, signal: null };
    this.#run.exited({ status, outcome: { type: "spawnFailed", reason } });
  }

  #body(setting: Setting): RunBody {
    const { processes } = this.#options;
    const { output, input } = setting;
    const own = this.mark.split(" ").at(-1);
    const marks: TreeMarks = {
      get shell() {
        return setting.place.live;
      },
      inShell: () => !this.#ended,
      children: () => this.#ended ? [] : setting.place.children(),
      isMark: (word) => word === own,
      isOutput: (link) => link === output.name,
    };
    const tree = this.#tree = new ProcessTree(processes, marks);
    return {
      tree,
      output,
      input: input && this.#inputOf(setting, input),
      signal: (name) => {
        if (this.#ended) return false;
        for (const member of tree.membersNow()) processes.signal(member, name);
        return true;
      },
      mayHaveLeft: () => this.#startedSome,
      outcome: ({ code }, { stop, signals }) =>
        code === null || signals === undefined
          ? undefined
          : outcomeOf(statusOf(code, { signals }), { stop, signals }),
      describe: (members) => this.#describe(tree, members),
    };
  }

  /** Without a reader the bytes of a pipe are lost at its end: that waits until the shell has opened it. */
  #inputOf({ place }: Setting, input: CommandInput): InputPipe {
    const isOpen = () => place.live.input() === input.name;
    return {
      write: async (bytes) => {
        if (isOpen()) input.hasReader();
        await input.write(bytes);
      },
      end: () =>
        void lookUntil(this.#options.clock, () => {
          if (!this.#ended && !isOpen()) return false;
          input.end();
          return true;
        }, { firstMs: 1, longestMs: 20 }),
    };
  }

  #describe(tree: ProcessTree, members: readonly ProcessInfo[]): readonly Leftover[] {
    const { file, command: line } = this.invocation;
    // A part of the line that the shell runs in a copy of itself shows the arguments of the shell.
    const isCopy = (shown: string) => shown.startsWith(`${file} `) && shown.includes("__sf_");
    return tree.describe(members).map(({ command, ...identity }) => ({
      ...identity,
      command: isCopy(command) ? `${file} (${line})` : command,
    }));
  }
}
