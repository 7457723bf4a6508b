import type { ShellState } from "../../event/command.ts";
import { SHELL_PARTS, type ShellPart, type ShellReset } from "../../event/execution.ts";
import type { ExitStatus, Processes, ProcessIdentity } from "../../platform/process/processes.ts";
import type { LiveShell, Shells } from "../../platform/shell/shells.ts";
import {
  END_OF_REPORT,
  type Persistence,
  readReport,
  type ReportedState,
  type ShellReport,
} from "../../shell/persistent/persistence.ts";
import { complainedCode, isOwnComplaint } from "../../shell/persistent/own-complaint.ts";
import { MARK } from "../../platform/process/mark.ts";
import type { ShellTenant } from "./tenant.ts";

/** All that a shell has beside its directory and what it exports, which another one gets back. */
const BESIDES: readonly ShellPart[] = SHELL_PARTS.filter((part) => part !== "exports");

const ENDED_BY_ITSELF = "it ended by itself";

/** What the shell of a session needs from outside. */
export interface SessionShellOptions {
  readonly persistence: Persistence;
  readonly shells: Shells;
  readonly processes: Processes;
  /** The mark of the shell itself, after those of a runtime that this one runs in. */
  readonly mark: string;
  readonly onGroup: (leader: ProcessIdentity) => void;
  readonly onGroupGone: (group: number) => void;
}

/** The shell of one session: started when a command comes, and anew after it ended. */
export class SessionShell {
  readonly #options: SessionShellOptions;
  #live: LiveShell | undefined;
  /** The shell has answered, and waits for orders. */
  #listens = false;
  #run: ShellTenant | undefined;
  #order = 0;
  /** What the first shell told of itself before any command: what has changed since, commands have changed. */
  #first: string | undefined;
  #last: ReportedState | undefined;
  /** What `#last` was read from. */
  #lastText = "";
  /** What was loaded into it before any command. */
  #objects: readonly string[] = [];
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
  begin(run: ShellTenant): void {
    if (this.#live?.ended) this.#gone(ENDED_BY_ITSELF);
    this.#run = run;
    if (this.#live === undefined) this.#start(run);
    else if (this.#listens) this.#dispatch(this.#live, run);
  }

  /** Send a signal to the shell itself, while it runs this command. */
  signal(run: ShellTenant, name: string): void {
    if (this.#run !== run || this.#live === undefined) return;
    this.#options.processes.signal(this.#live, name);
    // A stopped one hears nothing else.
    if (name === "SIGTERM") this.#options.processes.signal(this.#live, "SIGCONT");
  }

  /** End the shell, as it does not give up this command. */
  kill(run: ShellTenant): void {
    if (this.#run === run) this.end();
  }

  /** End the shell, unless a command has it; it starts again when a command comes. */
  release(reason: string): void {
    if (this.busy) return;
    this.end();
    this.#gone(reason);
  }

  /** End the shell, whatever it does. */
  end(): void {
    if (this.#live !== undefined) this.#options.processes.signal(this.#live, "SIGKILL");
  }

  #start(run: ShellTenant): void {
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
    onGroup(live);
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
        exports: "",
        number: 0,
      }),
    );
  }

  #reported(live: LiveShell | undefined, text: string): void {
    const report = readReport(text);
    if (report === undefined || live === undefined || live !== this.#live) return;
    const run = this.#run;
    if (!this.#listens) {
      // It never took a command: its end tells.
      if (live.ended) return;
      this.#listens = true;
      this.#first ??= text;
      this.#objects = live.objects();
      this.#before = new Set(live.children());
      if (run !== undefined) this.#dispatch(live, run);
      return;
    }
    if (run === undefined || report.order !== this.#order) {
      // A signal for a command that had ended by then.
      if (report.kind !== "reborn") return;
      this.#reset = this.#rebirth("a late signal ended it");
      // It may have heard the bell before the signal came, and not have fetched its order.
      if (run !== undefined) live.ring();
      return;
    }
    this.#ended(live, run, { ...report, text });
  }

  #dispatch(live: LiveShell, run: ShellTenant): void {
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
    const from = this.#place(live);
    const order = persistence.order({
      command,
      number: ++this.#order,
      output,
      report: live.report,
      mark: run.mark,
      status: this.#status,
      returns,
      overrides: overrides?.reveal() ?? {},
      exports: this.#last?.exports ?? this.#first ?? "",
      ...(from !== undefined && { from }),
      ...((returns || cwd !== from) && { cwd }),
      ...(exitTrap !== undefined && { exitTrap }),
    });
    live.send(order);
  }

  #ended(
    live: LiveShell,
    run: ShellTenant,
    { kind, code, text }: ShellReport & { readonly text: string },
  ): void {
    const reported = this.#read(text, run.mark);
    this.#cwd = live.directory(reported.cwd);
    this.#run = undefined;
    this.#status = code;
    const before = this.#before;
    const children = live.children() ?? [];
    this.#before = new Set(children);
    if (kind === "last") this.#gone("the command left it without a way to go on");
    const reset = kind === "reborn"
      ? this.#rebirth(`the command ended it with ${code}`)
      : this.#reset;
    this.#reset = undefined;
    run.over({
      status: { code, signal: null },
      children: children.filter((pid) => !before.has(pid)),
      after: {
        cwd: this.#cwd,
        state: this.#withModules(live, reported.state),
        ...(reset !== undefined && { reset }),
      },
      ...(kind === "refused" &&
        { refused: `Cannot start in "${run.invocation.cwd}" with its variables` }),
    });
  }

  /** Where it stands: as it reported last, unless a trap may have led it elsewhere since. */
  #place(live: LiveShell): string | undefined {
    const moves = (this.#last?.state.modifiers?.length ?? 0) > 0;
    return moves && this.#cwd !== undefined ? live.directory(this.#cwd) : this.#cwd;
  }

  /** Most commands change nothing of what is reported but their mark. */
  #read(text: string, mark: string): ReportedState {
    const lasting = text.slice(0, text.lastIndexOf("\0")).replace(mark, "");
    if (this.#last !== undefined && lasting === this.#lastText) return this.#last;
    this.#lastText = lasting;
    return this.#last = this.#options.persistence.read(text, this.#first ?? "");
  }

  /** A builtin that was loaded has the name of a program, or of another builtin, and no list tells of it. */
  #withModules(live: LiveShell, state: ShellState): ShellState {
    const modules = this.#options.persistence.modules?.(live.objects(), this.#objects) ?? [];
    if (modules.length === 0) return state;
    const told = modules.map((path) => `the code loaded from "${path}"`);
    return { ...state, modifiers: [...state.modifiers ?? [], ...told] };
  }

  #rebirth(reason: string): ShellReset {
    return { reason, lost: this.#options.persistence.lostByRebirth };
  }

  #exited(live: LiveShell | undefined, status: ExitStatus): void {
    if (live === undefined) return;
    // Bash and dash undo the redirections of a command before they run a trap on their end.
    const printed = live.strays();
    const said = new TextDecoder().decode(printed);
    const shows = this.#last?.quiet !== false && !isOwnComplaint(said);
    const strays = shows ? printed : new Uint8Array();
    const complained = complainedCode(said);
    const unread = live.unread();
    live.close();
    this.#options.onGroupGone(live.pid);
    if (live !== this.#live) return;
    const how = status.signal ?? `code ${status.code}`;
    const run = this.#run;
    if (run === undefined) return this.#gone(`${ENDED_BY_ITSELF} with ${how}`);
    this.#gone(`the command ended it with ${how}`);
    if (!this.#listens) return run.failed(new Error(`it ended with ${how} before it was ready`));
    const reset = this.#reset;
    const state: ShellState = { variables: this.#last?.state.variables ?? [] };
    const told = run.over({
      status: complained === undefined ? status : { code: complained, signal: null },
      children: [],
      ...(unread && { refused: `The shell ended with ${how} before it took the command` }),
      strays,
      after: { cwd: this.#cwd ?? run.invocation.cwd, state, ...(reset && { reset }) },
    });
    if (told) this.#reset = undefined;
  }

  /** There is no shell any more; the next one gets back what can be restored. */
  #gone(reason: string): void {
    if (this.#live === undefined) return;
    this.#live = undefined;
    this.#run = undefined;
    this.#status = 0;
    this.#reset = { reason, lost: BESIDES };
  }
}
