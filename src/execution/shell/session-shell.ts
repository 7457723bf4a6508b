import {
  SHELL_PARTS,
  type ShellAfter,
  type ShellPart,
  type ShellReset,
} from "../../event/execution.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ExitStatus, Processes, ProcessIdentity } from "../../platform/process/processes.ts";
import type { Clock } from "../../platform/clock.ts";
import type { LiveShell, Shells } from "../../platform/shell/shells.ts";
import type { Terminals } from "../../platform/terminal/terminals.ts";
import {
  type PersistentDialect,
  readReport,
  type ShellReport,
} from "../../shell/persistent/persistent-dialect.ts";
import type { OrderChannels } from "./command-channels.ts";
import { addedOnTerminal, endHolders, presentOnTerminal } from "./left-on-terminal.ts";
import { ShellRecord } from "./shell-record.ts";
import type { ShellRun } from "./shell-run.ts";
import { messageOf } from "../../platform/failure.ts";

/** What the shell of a session needs from outside. */
export interface SessionShellOptions {
  readonly dialect: PersistentDialect;
  readonly shells: Shells;
  readonly processes: Processes;
  readonly clock: Clock;
  /** Where terminals come from, once that is loaded. */
  readonly terminals: () => Terminals | undefined;
  /** The mark of the shell itself, after those of a runtime that this one runs in. */
  readonly mark: string;
  readonly onGroup: (leader: ProcessIdentity) => void;
  readonly onGroupGone: (group: number) => void;
}

/** All that a shell has beside its directory and its exported variables, which the next one gets. */
const LOST: readonly ShellPart[] = SHELL_PARTS.filter((part) => part !== "exports");

const ENDED_BY_ITSELF = "it ended by itself";
const ENDED_WITH_COMMAND = "it was ended with its command";

/** How long a shell on a terminal may take until it is ready, in milliseconds. */
const READY_MS = 5_000;

/** The shell of one session: started when a command comes, and again after it ended. */
export class SessionShell {
  readonly #options: SessionShellOptions;
  #live: LiveShell | undefined;
  /** It has reported for the first time, and waits for orders. */
  #ready = false;
  /** Another program starts it, and has to become it: the pid is to be that of the shell. */
  #hasPrefix = false;
  #run: ShellRun | undefined;
  #order = 0;
  #code = 0;
  #record: ShellRecord = new ShellRecord();
  #background = "";
  /** The children that were there before the command. */
  #before: ReadonlySet<number> = new Set();
  #reset: ShellReset | undefined;
  /** The session has another shell: this one ends with its command. */
  #retired = false;
  #preparing: Promise<string | undefined> | undefined;
  /** Called once it is ready, or with why it is not to be. */
  #prepared: ((problem?: string) => void) | undefined;

  constructor(options: SessionShellOptions) {
    this.#options = options;
  }

  /** For which lines it is. */
  get dialect(): PersistentDialect {
    return this.#options.dialect;
  }

  /** Whether a command has the shell. */
  get busy(): boolean {
    return this.#run?.isOver === false;
  }

  /** How many commands the shell has begun. */
  get begun(): number {
    return this.#order;
  }

  /** Whether it runs without any use: neither a command nor a background process would miss it. */
  get idle(): boolean {
    const live = this.#live;
    return live !== undefined && !live.ended && this.#ready && !this.busy &&
      live.children().length === 0;
  }

  /** Whether it runs, and where; `undefined`: it does not run. */
  get place(): "terminal" | "pipes" | undefined {
    if (this.#live === undefined || this.#live.ended) return undefined;
    return this.#live.terminal === undefined ? "pipes" : "terminal";
  }

  /** Wait until it is ready on a terminal; answers why it cannot be. */
  prepare(invocation: ShellRun["invocation"]): Promise<string | undefined> {
    this.#noticeEnd();
    if (this.#live !== undefined && this.#ready) return Promise.resolve(undefined);
    // A command that waited for it may have been cancelled meanwhile.
    if (this.#preparing !== undefined) return this.#preparing;
    const preparing = new Promise<string | undefined>((resolve) => {
      const cancel = this.#options.clock.after(READY_MS, () => {
        this.end();
        this.#failed(new Error(`it was not ready within ${READY_MS / 1_000} seconds`));
      });
      this.#prepared = (problem) => {
        cancel();
        this.#prepared = this.#preparing = undefined;
        resolve(problem && `Cannot keep "${invocation.file}" on a terminal: ${problem}`);
      };
    });
    this.#preparing = preparing;
    this.#start(invocation);
    return preparing;
  }

  /** Run a command as soon as the shell is ready. */
  begin(run: ShellRun): void {
    this.#noticeEnd();
    this.#run = run;
    if (this.#live === undefined) this.#start(run.invocation);
    else if (this.#ready) this.#dispatch(this.#live, run);
  }

  /** The next shell of the session, which is to have a terminal; this one goes on until then. */
  moveToTerminal(): SessionShell {
    const next = new SessionShell(this.#options);
    next.#record = this.#record.forOtherPlace();
    next.#reset = { reason: "a command asked for its terminal, and it had none", lost: LOST };
    return next;
  }

  /**
   * Leave the shell to its command.
   *
   * @returns The next shell of the session.
   */
  retire(): SessionShell {
    const next = new SessionShell(this.#options);
    next.#record = this.#record.copy();
    next.#reset = { reason: "its command went on in the background, and keeps it", lost: LOST };
    this.#retired = true;
    return next;
  }

  /** End the shell, unless a command has it; another one starts when a command comes. */
  release(reason: string): void {
    if (this.busy) return;
    this.#replace(reason);
  }

  /** End the shell, whatever it does. */
  end(): void {
    if (this.#live !== undefined) this.#options.processes.signal(this.#live, "SIGKILL");
  }

  #start({ file, cwd, shell, executor, terminal: size }: ShellRun["invocation"]): void {
    const { dialect, shells, terminals, mark, onGroup } = this.#options;
    let live: LiveShell | undefined;
    const { leading = [] } = shell;
    this.#hasPrefix = leading.length > 0;
    const from = executor === "terminalShell" ? terminals() : undefined;
    const interactive = dialect.terminal;
    const onTerminal = from && size && interactive && {
      args: interactive.args,
      ...(interactive.variables && { channelVariables: interactive.variables }),
      terminal: { terminals: from, size },
    };
    const args = onTerminal?.args ?? dialect.start;
    try {
      if (typeof args === "string") throw new Error(args);
      live = shells.start({
        file,
        cwd,
        env: { ...shell.env.reveal(), [MARK]: mark },
        ...onTerminal,
        args: (channels) => [...leading, ...args(channels)],
      }, {
        report: (line, state) => this.#reported(live, line, state),
        exit: (status) => this.#exited(live, status),
        error: (cause) => this.#failed(cause),
      });
    } catch (cause) {
      return this.#failed(cause);
    }
    if (live === undefined) return;
    onGroup(live);
    this.#live = live;
    this.#ready = false;
    this.#order = 0;
    this.#background = "";
    const order = {
      command: [(onTerminal && interactive.setUp) ?? ":", this.#record.restoredBy(dialect) ?? ":"]
        .join("\n"),
      number: 0,
      reports: live.reports,
      output: "/dev/null",
      mark,
      code: 0,
      overrides: {},
    };
    try {
      live.send(dialect.order(order), order.number);
    } catch (cause) {
      // As where there is no room for orders: it would wait for this one for ever.
      this.end();
      this.#failed(cause);
    }
  }

  /** It could not be started. */
  #failed(cause: unknown): void {
    const run = this.#run;
    this.#live = this.#run = undefined;
    // Where the command that asked for it was cancelled, another one may wait for it.
    this.#prepared?.(messageOf(cause));
    run?.failed(cause);
  }

  #dispatch(live: LiveShell, run: ShellRun): void {
    const { processes } = this.#options;
    const reset = this.#reset;
    this.#reset = undefined;
    const onTerminal = live.terminal !== undefined;
    const before = onTerminal ? presentOnTerminal(live, processes) : this.#before;
    run.begin({
      live,
      send: (channels) => this.#send(live, run, channels),
      leave: () => {
        this.#run = undefined;
        // The next command reports it.
        this.#reset = reset;
      },
      failed: this.#code !== 0,
      children: () =>
        onTerminal
          ? addedOnTerminal(live, before, processes)
          : live.children().filter((pid) => !before.has(pid)),
      ...(reset !== undefined && { reset }),
    });
  }

  #send(live: LiveShell, run: ShellRun, { terminal, ...paths }: OrderChannels): void {
    const { command, cwd, shell: { overrides, returns } } = run.invocation;
    const order = {
      ...paths,
      command,
      number: ++this.#order,
      reports: live.reports,
      mark: run.mark,
      code: this.#code,
      overrides: overrides?.reveal() ?? {},
      // A trap may have led it elsewhere since its report, and another process renamed its directory.
      ...((returns !== undefined || cwd !== this.#record.cwd || live.moved()) && { cwd }),
      ...(returns !== undefined && { returns }),
    };
    const more = live.terminal && { terminal, interrupt: this.#record.interrupt };
    live.send(this.#options.dialect.order(order, more), order.number);
  }

  #reported(live: LiveShell | undefined, line: string, state: string): void {
    if (live === undefined || live !== this.#live) return;
    const report = readReport(line);
    if (report === undefined) return;
    const remember = () => {
      const { dialect, mark: own } = this.#options;
      this.#record.take(state, {
        live,
        kind: report.kind,
        dialect,
        mark: this.#run?.mark ?? own,
      });
    };
    if (report.kind === "last") {
      // A directory and variables of the command alone are not the session's.
      const { shell: { returns, overrides } = {} } = this.#run?.invocation ?? {};
      if (returns === undefined && overrides === undefined) remember();
      return;
    }
    // A shell that does not know its order any more cannot be kept.
    if (report.number !== this.#order) return this.end();
    if (this.#ready && this.#run === undefined) return;
    remember();
    if (this.#ready && this.#run !== undefined) return this.#ended(live, this.#run, report);
    this.#ready = true;
    this.#before = new Set(live.children());
    if (this.#hasPrefix && this.#before.size > 0) {
      this.end();
      return this.#failed(
        new Error("the prefix has to become the shell (exec), not to wait for it"),
      );
    }
    this.#prepared?.();
    if (this.#run !== undefined) this.#dispatch(live, this.#run);
  }

  #ended(live: LiveShell, run: ShellRun, report: ShellReport): void {
    const { kind, background } = report;
    const code = kind === "refused" ? 1 : report.code;
    const startedSome = background !== this.#background;
    this.#background = background;
    if (startedSome) this.#before = new Set(live.children());
    this.#run = undefined;
    this.#code = code;
    if (this.#retired) this.end();
    else if (live.terminal?.full) this.#replace("more was typed than its command has read");
    // As after `enable -n eval`, or with a variable for it in posix mode.
    else if (kind === "refused" && (live.terminal || run.invocation.shell.overrides)) {
      this.#replace("it could not begin a command");
    }
    run.over({
      status: { code, signal: null },
      startedSome,
      ...(kind === "refused" && { refused: refusal(run.invocation.cwd, live) }),
      ...this.#after(run),
    });
  }

  #exited(live: LiveShell | undefined, status: ExitStatus): void {
    if (live === undefined) return;
    const begun = !live.takeBack();
    endHolders(live, this.#options.processes);
    live.close();
    this.#options.onGroupGone(live.pid);
    if (live !== this.#live) return;
    const run = this.#run;
    const how = status.signal ?? `code ${status.code}`;
    if (!this.#ready) return this.#failed(new Error(`it ended with ${how} before it was ready`));
    if (run === undefined) return this.#gone(`${ENDED_BY_ITSELF} with ${how}`);
    const why = begun ? `it ended with ${how} in its command` : `${ENDED_BY_ITSELF} with ${how}`;
    this.#gone(run.stopping ? ENDED_WITH_COMMAND : why);
    run.over({
      status,
      startedSome: true,
      ...(!begun && { refused: `The shell ended with ${how} before it took the command` }),
      ...this.#after(run),
    });
  }

  /** Where the session is after a command, and what that cost its shell. */
  #after({ invocation }: ShellRun): { readonly after?: ShellAfter } {
    const { state } = this.#record;
    // Where the shell could not return, the session has its directory all the same.
    const cwd = invocation.shell.returns ?? this.#record.cwd;
    if (this.#retired || cwd === undefined) return {};
    const reset = this.#reset;
    this.#reset = undefined;
    return { after: { cwd, state, ...(reset !== undefined && { reset }) } };
  }

  #noticeEnd(): void {
    if (this.#live?.ended) this.#gone(ENDED_BY_ITSELF);
  }

  /** End the shell: the next command finds another one. */
  #replace(reason: string): void {
    this.end();
    this.#gone(reason);
  }

  /** There is no shell any more; the next one gets back what can be restored. */
  #gone(reason: string): void {
    if (this.#live === undefined) return;
    this.#live = undefined;
    this.#run = undefined;
    this.#code = 0;
    this.#reset = { reason, lost: LOST };
    this.#record.shellEnded();
    this.#prepared?.(reason);
  }
}

/** Why a shell did not begin a command. */
function refusal(cwd: string, { terminal }: LiveShell): string {
  const why = `Cannot start in "${cwd}" with its variables`;
  // As after `setopt posixargzero`: on a terminal more of the shell's own state is needed.
  return terminal === undefined
    ? why
    : `${why}, or in a shell whose options or aliases an earlier command has changed`;
}
