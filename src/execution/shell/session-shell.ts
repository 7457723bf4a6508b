import {
  SHELL_PARTS,
  type ShellAfter,
  type ShellPart,
  type ShellReset,
} from "../../event/execution.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ExitStatus, Processes, ProcessIdentity } from "../../platform/process/processes.ts";
import type { LiveShell, Shells } from "../../platform/shell/shells.ts";
import {
  type PersistentDialect,
  readReport,
  type ShellReport,
} from "../../shell/persistent/persistent-dialect.ts";
import { ShellRecord } from "./shell-record.ts";
import type { ShellRun } from "./shell-run.ts";

/** What the shell of a session needs from outside. */
export interface SessionShellOptions {
  readonly dialect: PersistentDialect;
  readonly shells: Shells;
  readonly processes: Processes;
  /** The mark of the shell itself, after those of a runtime that this one runs in. */
  readonly mark: string;
  readonly onGroup: (leader: ProcessIdentity) => void;
  readonly onGroupGone: (group: number) => void;
}

/** All that a shell has beside its directory and its exported variables, which the next one gets. */
const LOST: readonly ShellPart[] = SHELL_PARTS.filter((part) => part !== "exports");

const ENDED_BY_ITSELF = "it ended by itself";

/** The shell of one session: started when a command comes, and again after it ended. */
export class SessionShell {
  readonly #options: SessionShellOptions;
  #live: LiveShell | undefined;
  /** It has reported for the first time, and waits for orders. */
  #ready = false;
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
  /** A command whose first shell ended before it began. */
  #retried: ShellRun | undefined;

  constructor(options: SessionShellOptions) {
    this.#options = options;
  }

  /** Whether a command has the shell. */
  get busy(): boolean {
    return this.#run !== undefined;
  }

  /** Run a command as soon as the shell is ready. */
  begin(run: ShellRun): void {
    if (this.#live?.ended) this.#gone(ENDED_BY_ITSELF);
    this.#run = run;
    if (this.#live === undefined) this.#start(run);
    else if (this.#ready) this.#dispatch(this.#live, run);
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
    this.end();
    this.#gone(reason);
  }

  /** End the shell, whatever it does. */
  end(): void {
    if (this.#live !== undefined) this.#options.processes.signal(this.#live, "SIGKILL");
  }

  #start(run: ShellRun): void {
    const { dialect, shells, mark, onGroup } = this.#options;
    const { file, cwd, shell } = run.invocation;
    let live: LiveShell | undefined;
    const failed = (cause: unknown) => {
      this.#live = this.#run = undefined;
      run.failed(cause);
    };
    try {
      live = shells.start({
        file,
        args: dialect.start,
        cwd,
        env: { ...shell.env.reveal(), [MARK]: mark },
      }, {
        report: (line, state) => this.#reported(live, line, state),
        exit: (status) => this.#exited(live, status),
        error: failed,
      });
    } catch (cause) {
      return failed(cause);
    }
    if (live === undefined) return;
    onGroup(live);
    this.#live = live;
    this.#ready = false;
    this.#order = 0;
    this.#background = "";
    const order = {
      command: this.#record.restoredBy(dialect) ?? ":",
      number: 0,
      reports: live.reports,
      output: "/dev/null",
      input: "/dev/null",
      mark,
      code: 0,
      from: cwd,
      returns: false,
      overrides: {},
    };
    live.send(dialect.order(order), order.number);
  }

  #dispatch(live: LiveShell, run: ShellRun): void {
    const { dialect } = this.#options;
    const { command, cwd, shell: { overrides, returns } } = run.invocation;
    // What a second shell has lost is reported at the end of the command, as its start was.
    const reset = this.#retried === run ? undefined : this.#reset;
    if (reset !== undefined) this.#reset = undefined;
    const before = this.#before;
    const paths = run.begin({
      live,
      children: () => live.children().filter((pid) => !before.has(pid)),
      ...(reset !== undefined && { reset }),
    });
    if (paths === undefined) {
      this.#run = undefined;
      return;
    }
    const from = this.#record.cwd ?? cwd;
    const order = {
      ...paths,
      command,
      number: ++this.#order,
      reports: live.reports,
      mark: run.mark,
      code: this.#code,
      from,
      returns,
      overrides: overrides?.reveal() ?? {},
      // A trap may have led it elsewhere since its report, and another process renamed its directory.
      ...((returns || cwd !== from || live.moved()) && { cwd }),
    };
    try {
      live.send(dialect.order(order), order.number);
    } catch (cause) {
      this.#run = undefined;
      if (reset !== undefined) this.#reset = reset;
      return run.failed(cause);
    }
    run.underWay();
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
      const { shell: { returns = false, overrides } = {} } = this.#run?.invocation ?? {};
      if (!returns && overrides === undefined) remember();
      return;
    }
    // A shell that does not know its order any more cannot be kept.
    if (report.number !== this.#order) return this.end();
    if (this.#ready && this.#run === undefined) return;
    remember();
    if (this.#ready && this.#run !== undefined) return this.#ended(live, this.#run, report);
    this.#ready = true;
    this.#before = new Set(live.children());
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
    run.over({
      status: { code, signal: null },
      startedSome,
      ...(kind === "refused" && {
        refused: `Cannot start in "${run.invocation.cwd}" with its variables`,
      }),
      ...this.#after(),
    });
  }

  #exited(live: LiveShell | undefined, status: ExitStatus): void {
    if (live === undefined) return;
    const begun = !live.takeBack();
    live.close();
    this.#options.onGroupGone(live.pid);
    if (live !== this.#live) return;
    const run = this.#run;
    const how = status.signal ?? `code ${status.code}`;
    if (run === undefined) return this.#gone(`${ENDED_BY_ITSELF} with ${how}`);
    if (!this.#ready) {
      this.#live = this.#run = undefined;
      return run.failed(new Error(`it ended with ${how} before it was ready`));
    }
    this.#gone(begun ? `the command ended it with ${how}` : `${ENDED_BY_ITSELF} with ${how}`);
    if (!begun && !run.stopping && this.#retried !== run) {
      // Nothing of the command has run: another shell takes it.
      this.#retried = run;
      return this.begin(run);
    }
    run.over({
      status,
      startedSome: true,
      ...(!begun && { refused: `The shell ended with ${how} before it took the command` }),
      ...this.#after(),
    });
  }

  /** Where the session is after a command, and what that cost its shell. */
  #after(): { readonly after?: ShellAfter } {
    const { cwd, state } = this.#record;
    if (this.#retired || cwd === undefined) return {};
    const reset = this.#reset;
    this.#reset = undefined;
    return { after: { cwd, state, ...(reset !== undefined && { reset }) } };
  }

  /** There is no shell any more; the next one gets back what can be restored. */
  #gone(reason: string): void {
    if (this.#live === undefined) return;
    this.#live = undefined;
    this.#run = undefined;
    this.#code = 0;
    this.#reset = { reason, lost: LOST };
    this.#record.shellEnded();
  }
}
