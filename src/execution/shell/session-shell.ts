import type { ShellState } from "../../event/command.ts";
import { SHELL_PARTS, type ShellPart, type ShellReset } from "../../event/execution.ts";
import type { ExitStatus, Processes, ProcessIdentity } from "../../platform/process/processes.ts";
import type { LiveShell, Shells } from "../../platform/shell/shells.ts";
import {
  END_OF_REPORT,
  type Persistence,
  readReport,
  type ShellReport,
} from "../../shell/persistent/persistence.ts";
import { complainedCode, isOwnComplaint } from "../../shell/persistent/own-complaint.ts";
import { MARK } from "../../platform/process/mark.ts";
import { ShellKnowledge } from "./shell-knowledge.ts";
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

/** A report, and all that it says. */
type ToldReport = ShellReport & { readonly text: string };

/** The shell of one session: started when a command comes, and anew after it ended. */
export class SessionShell {
  readonly #options: SessionShellOptions;
  readonly #knowledge: ShellKnowledge;
  #live: LiveShell | undefined;
  /** The shell has answered, and waits for orders. */
  #listens = false;
  #run: ShellTenant | undefined;
  #order = 0;
  /** Its command leaves it as it is. */
  #plain = false;
  #status = 0;
  #before: ReadonlySet<number> = new Set();
  #reset: ShellReset | undefined;
  /** Its order was sent in this turn. */
  #sending: ShellTenant | undefined;
  #rungTwice = false;
  /** It is to be stopped, and was signalled twice for that. */
  #askedAgain: ShellTenant | undefined;

  constructor(options: SessionShellOptions) {
    this.#options = options;
    this.#knowledge = new ShellKnowledge(options.persistence);
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
    // It may have ended by now.
    this.#live?.lookNow();
    if (this.#run !== run || this.#live === undefined) return;
    this.#options.processes.signal(this.#live, name);
    // A stopped one hears nothing else.
    if (name === "SIGTERM") this.#options.processes.signal(this.#live, "SIGCONT");
  }

  /**
   * Take the order of this command back; answers whether the shell had not heard of it.
   *
   * Only in the turn in which it was sent: a shell that has not heard of it later is one that has to
   * be woken or ended. After a bell that was rung twice, one that is unheard proves nothing.
   */
  withdraw(run: ShellTenant): boolean {
    if (this.#sending !== run || this.#rungTwice || this.#live?.unread() !== true) return false;
    this.#live.lookAway();
    this.#run = undefined;
    return true;
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
    this.#rungTwice = false;
    onGroup(live);
    this.#listens = false;
    this.#knowledge.restart(invocation.cwd);
    this.#order = 0;
    const { exports } = this.#knowledge;
    live.send(
      persistence.order({
        command: exports === undefined ? ":" : persistence.restore(exports),
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
      this.#knowledge.listens(live, text);
      this.#before = new Set(live.children());
      if (run !== undefined) this.#dispatch(live, run);
      return;
    }
    if (run === undefined || report.order !== this.#order) {
      // A signal for a command that had ended by then.
      if (report.kind !== "reborn") return;
      this.#knowledge.doubt();
      this.#reset = this.#rebirth("a late signal ended it");
      // It may have heard the bell before the signal came, and not have fetched its order.
      if (run !== undefined) this.#callAgain(live, run, { ...report, text });
      return;
    }
    this.#ended(live, run, { ...report, text });
  }

  #callAgain(live: LiveShell, run: ShellTenant, report: ToldReport): void {
    if (!run.stopping) {
      this.#rungTwice = true;
      return live.ring();
    }
    // Of two signals the first may have come before the order and the second within: another one tells.
    if (this.#askedAgain === run) {
      return this.#ended(live, run, { ...report, kind: "refused" });
    }
    this.#askedAgain = run;
    this.signal(run, "SIGTERM");
  }

  #dispatch(live: LiveShell, run: ShellTenant): void {
    const { persistence } = this.#options;
    const { command, cwd, shell: { overrides, returns } } = run.invocation;
    const reset = this.#reset;
    this.#reset = undefined;
    const from = this.#knowledge.place(live);
    const own = overrides?.reveal() ?? {};
    const stays = !returns && cwd === from;
    const plain = stays && Object.keys(own).length === 0 && this.#knowledge.isPlain(command);
    // A plain line starts nobody, and after one nobody was looked for.
    if (this.#plain && !plain) this.#before = new Set(live.children());
    this.#plain = plain;
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
    const { exitTrap, exportsOrFirst: exports } = this.#knowledge;
    const flag = plain ? live.raiseFlag(() => this.#succeeded(run)) : undefined;
    const order = persistence.order({
      command,
      number: ++this.#order,
      output,
      report: live.report,
      mark: run.mark,
      status: this.#status,
      returns,
      overrides: own,
      exports,
      ...(flag !== undefined && { flag }),
      ...(from !== undefined && { from }),
      ...(!stays && { cwd }),
      ...(exitTrap !== undefined && { exitTrap }),
    });
    try {
      live.send(order);
    } catch (cause) {
      live.lookAway();
      this.#run = undefined;
      this.#reset = reset;
      return run.failed(cause);
    }
    this.#sending = run;
    run.underWay();
    this.#sending = undefined;
  }

  /** A command that leaves the shell as it is has ended with code 0. */
  #succeeded(run: ShellTenant): void {
    if (run !== this.#run) return;
    const after = this.#knowledge.afterPlain(run.invocation.cwd);
    const reset = this.#reset;
    this.#run = undefined;
    this.#status = 0;
    this.#reset = undefined;
    run.over({
      status: { code: 0, signal: null },
      children: [],
      after: { ...after, ...(reset !== undefined && { reset }) },
    });
  }

  #ended(
    live: LiveShell,
    run: ShellTenant,
    { kind, code, text }: ToldReport,
  ): void {
    live.lookAway();
    this.#askedAgain = undefined;
    const after = this.#knowledge.after(live, text, run.mark);
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
      after: { ...after, ...(reset !== undefined && { reset }) },
      ...(kind === "refused" &&
        { refused: `Cannot start in "${run.invocation.cwd}" with its variables` }),
    });
  }

  #rebirth(reason: string): ShellReset {
    return { reason, lost: this.#options.persistence.lostByRebirth };
  }

  #exited(live: LiveShell | undefined, status: ExitStatus): void {
    if (live === undefined) return;
    // Bash and dash undo the redirections of a command before they run a trap on their end.
    const printed = live.strays();
    const said = new TextDecoder().decode(printed);
    const shows = this.#knowledge.quiet && !isOwnComplaint(said);
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
    const state: ShellState = { variables: this.#knowledge.variables };
    const told = run.over({
      status: complained === undefined ? status : { code: complained, signal: null },
      children: [],
      ...(unread && { refused: `The shell ended with ${how} before it took the command` }),
      strays,
      after: { cwd: this.#knowledge.cwd ?? run.invocation.cwd, state, ...(reset && { reset }) },
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
