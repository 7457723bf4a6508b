import type { ShellState } from "../../event/command.ts";
import type { ShellPart, ShellReset } from "../../event/execution.ts";
import type { ExitStatus, Processes, ProcessIdentity } from "../../platform/process/processes.ts";
import type { LiveShell, Shells } from "../../platform/shell/shells.ts";
import {
  END_OF_REPORT,
  type Persistence,
  readReport,
  type ReportedState,
  type ShellReport,
} from "../../shell/persistent/persistence.ts";
import { MARK } from "../process-tree.ts";
import type { ShellRun } from "./shell-run.ts";

/** All that a shell has beside its directory and what it exports, which another one gets back. */
const BESIDES: readonly ShellPart[] = [
  "variables",
  "functions",
  "aliases",
  "options",
  "traps",
  "jobs",
  "descriptors",
];

/** Where a command runs. */
export interface ShellPlace {
  /** The shell itself. */
  readonly host: ProcessIdentity;
  /** What was lost since the last command. */
  readonly reset?: ShellReset;
  /** The pids of those children of the shell that were not there before the command. */
  readonly children: () => readonly number[];
}

/** What the shell of a session needs from outside. */
export interface SessionShellOptions {
  readonly persistence: Persistence;
  readonly shells: Shells;
  readonly processes: Processes;
  /** The mark of the shell itself, after those of a runtime that this one runs in. */
  readonly mark: string;
  readonly onGroup: (group: number) => void;
  readonly onGroupGone: (group: number) => void;
}

/** The shell of one session: started when a command comes, and anew after it ended. */
export class SessionShell {
  readonly #options: SessionShellOptions;
  #live: LiveShell | undefined;
  /** The shell has answered, and waits for orders. */
  #listens = false;
  #run: ShellRun | undefined;
  #order = 0;
  /** What the first shell told of itself before any command: what has changed since, commands have changed. */
  #first: string | undefined;
  #last: ReportedState | undefined;
  #cwd: string | undefined;
  #status = 0;
  #before: ReadonlySet<number> = new Set();
  #reset: ShellReset | undefined;

  constructor(options: SessionShellOptions) {
    this.#options = options;
  }

  /** A command has the shell. */
  get busy(): boolean {
    return this.#run !== undefined;
  }

  /** Run a command as soon as the shell is ready. */
  begin(run: ShellRun): void {
    this.#run = run;
    if (this.#live === undefined) this.#start(run);
    else if (this.#listens) this.#dispatch(this.#live, run);
  }

  /** Send a signal to the shell itself, while it runs this command. */
  signal(run: ShellRun, name: string): void {
    if (this.#run !== run || this.#live === undefined) return;
    this.#options.processes.signal(this.#live, name);
    // A stopped one hears nothing else.
    if (name === "SIGTERM") this.#options.processes.signal(this.#live, "SIGCONT");
  }

  /** End the shell, as it does not give up this command. */
  kill(run: ShellRun): void {
    if (this.#run === run && this.#live !== undefined) {
      this.#options.processes.signal(this.#live, "SIGKILL");
    }
  }

  /** End the shell; it starts again when a command comes. */
  release(reason: string): void {
    if (this.#live === undefined || this.busy) return;
    this.#options.processes.signal(this.#live, "SIGKILL");
    this.#gone(reason);
  }

  #start(run: ShellRun): void {
    const { persistence, shells, mark, onGroup } = this.#options;
    const { invocation } = run;
    const { file, shell } = invocation;
    const environment = { ...shell.env.reveal(), [MARK]: mark };
    let live: LiveShell | undefined;
    const events = {
      report: (text: string) => this.#reported(live, text),
      exit: (status: ExitStatus) => this.#exited(live, status),
      error: (cause: unknown) => {
        this.#live = undefined;
        this.#run = undefined;
        run.failed(cause);
      },
    };
    try {
      live = shells.start({
        file,
        args: (paths) => persistence.start({ ...paths, file, mark }),
        cwd: invocation.cwd,
        env: environment,
        endOfReport: END_OF_REPORT,
      }, events);
    } catch (cause) {
      return events.error(cause);
    }
    this.#live = live;
    if (live === undefined) return;
    onGroup(live.pid);
    this.#listens = false;
    this.#cwd = invocation.cwd;
    this.#order = 0;
    live.send(
      persistence.order({
        command: this.#last === undefined ? ":" : persistence.restore(this.#last.exports),
        output: "/dev/null",
        report: live.report,
        mark,
        status: 0,
        returns: false,
        overrides: {},
      }),
      0,
    );
  }

  #reported(live: LiveShell | undefined, text: string): void {
    const report = readReport(text);
    if (report === undefined || live === undefined || live !== this.#live) return;
    const run = this.#run;
    if (!this.#listens) {
      this.#listens = true;
      this.#first ??= text;
      this.#before = new Set(live.children());
      if (run !== undefined) this.#dispatch(live, run);
      return;
    }
    if (run === undefined || report.order !== this.#order) {
      // A signal for a command that had ended by then.
      if (report.kind === "reborn") this.#reset = this.#rebirth("a late signal ended it");
      return;
    }
    this.#ended(live, run, { ...report, text });
  }

  #dispatch(live: LiveShell, run: ShellRun): void {
    const { persistence } = this.#options;
    const { command, cwd, shell: { overrides, returns } } = run.invocation;
    const reset = this.#reset;
    this.#reset = undefined;
    const before = this.#before;
    const output = run.ready({
      host: { pid: live.pid, ...(live.startTime !== undefined && { startTime: live.startTime }) },
      children: () => live.children()?.filter((pid) => !before.has(pid)) ?? [],
      ...(reset !== undefined && { reset }),
    });
    if (output === undefined) {
      if (this.#run === run) this.#run = undefined;
      return;
    }
    const exitTrap = this.#last?.exitTrap;
    const order = persistence.order({
      command,
      output,
      report: live.report,
      mark: run.mark,
      status: this.#status,
      returns,
      overrides: overrides?.reveal() ?? {},
      ...((returns || cwd !== this.#cwd) && { cwd }),
      ...(exitTrap !== undefined && { exitTrap }),
    });
    live.send(order, ++this.#order);
  }

  #ended(
    live: LiveShell,
    run: ShellRun,
    { kind, code, text }: ShellReport & { readonly text: string },
  ): void {
    const { persistence } = this.#options;
    const reported = persistence.read(text, this.#first ?? "");
    this.#last = reported;
    this.#cwd = live.directory(reported.cwd);
    this.#run = undefined;
    this.#status = code;
    const before = this.#before;
    const children = live.children() ?? [];
    this.#before = new Set(children);
    const reset = kind === "reborn"
      ? this.#rebirth(`the command ended it with ${code}`)
      : undefined;
    run.over({
      status: { code, signal: null },
      children: children.filter((pid) => !before.has(pid)),
      after: {
        cwd: this.#cwd,
        state: reported.state,
        ...(reset !== undefined && { reset }),
      },
      ...(kind === "refused" &&
        { refused: `Cannot start in "${run.invocation.cwd}" with its variables` }),
    });
  }

  #rebirth(reason: string): ShellReset {
    return { reason, lost: this.#options.persistence.lostByRebirth };
  }

  #exited(live: LiveShell | undefined, status: ExitStatus): void {
    if (live === undefined) return;
    live.close();
    this.#options.onGroupGone(live.pid);
    if (live !== this.#live) return;
    const how = status.signal ?? `code ${status.code}`;
    const run = this.#run;
    if (run === undefined) return this.#gone(`it ended by itself with ${how}`);
    this.#gone(`the command ended it with ${how}`);
    if (!this.#listens) return run.failed(new Error(`it ended with ${how} before it was ready`));
    const reset = this.#reset;
    this.#reset = undefined;
    const state: ShellState = { variables: this.#last?.state.variables ?? [] };
    run.over({
      status,
      children: [],
      after: { cwd: this.#cwd ?? run.invocation.cwd, state, ...(reset && { reset }) },
    });
  }

  /** There is no shell any more; the next one gets back what can be restored. */
  #gone(reason: string): void {
    this.#live = undefined;
    this.#run = undefined;
    this.#status = 0;
    this.#reset = { reason, lost: BESIDES };
  }
}
