import type { ShellState } from "../../event/command.ts";
import type { ShellAfter } from "../../event/execution.ts";
import type { LiveShell } from "../../platform/shell/shells.ts";
import type { Persistence, ReportedState } from "../../shell/persistent/persistence.ts";

/** What is known of the shell of a session: what it reported, and what the system tells of it. */
export class ShellKnowledge {
  readonly #persistence: Persistence;
  /** What the first shell told of itself before any command: what has changed since, commands have changed. */
  #first: string | undefined;
  #last: ReportedState | undefined;
  /** What `#last` was read from. */
  #lastText = "";
  /** What was loaded into it before any command. */
  #objects: readonly string[] = [];
  #cwd: string | undefined;
  #state: ShellState = {};
  /** It is as it reported last, and a line of words that are not expanded means what it says there. */
  #literal = false;

  constructor(persistence: Persistence) {
    this.#persistence = persistence;
  }

  /** What it exports, in its own language; absent before the first command. */
  get exports(): string | undefined {
    return this.#last?.exports;
  }

  /** As it stood before any command, as long as nothing else is known. */
  get exportsOrFirst(): string {
    return this.#last?.exports ?? this.#first ?? "";
  }

  get exitTrap(): string | undefined {
    return this.#last?.exitTrap;
  }

  get quiet(): boolean {
    return this.#last?.quiet !== false;
  }

  /** Names of variables outlive a shell, as its exports do. */
  get variables(): readonly string[] {
    return this.#last?.state.variables ?? [];
  }

  get cwd(): string | undefined {
    return this.#cwd;
  }

  /** Another shell was started there. */
  restart(cwd: string): void {
    this.#cwd = cwd;
    this.#literal = false;
  }

  /** It may be another than it reported. */
  doubt(): void {
    this.#literal = false;
  }

  /** It listens, and no command has run in it. */
  listens(live: LiveShell, text: string): void {
    this.#first ??= text;
    this.#objects = live.objects();
  }

  /**
   * Where it stands: a trap may have led it elsewhere since it reported, and somebody may have renamed
   * its directory. Absent when that was removed and has another in its place: no path leads there.
   */
  place(live: LiveShell): string | undefined {
    if (this.#cwd === undefined) return undefined;
    const { path, replaced } = live.directory(this.#cwd);
    return replaced ? undefined : path;
  }

  /** Whether a line leaves the shell as it is. */
  isPlain(line: string): boolean {
    return this.#literal && this.#persistence.isPlain?.(line) === true;
  }

  /** What a shell is after a command, by a report that tells all; `mark` is what it tells of the command alone. */
  after(live: LiveShell, text: string, mark: string): ShellAfter {
    const { cwd, state, literal = false } = this.#read(text, mark);
    const modules = this.#modules(live);
    this.#literal = literal && modules.length === 0;
    this.#state = modules.length === 0
      ? state
      : { ...state, modifiers: [...state.modifiers ?? [], ...modules] };
    this.#cwd = live.directory(cwd).path;
    return { cwd: this.#cwd, state: this.#state };
  }

  /** What it is after a plain line: as before, in the directory in which that began. */
  afterPlain(cwd: string): ShellAfter {
    return { cwd, state: this.#state };
  }

  /** Most commands change nothing of what is reported but their mark. */
  #read(text: string, mark: string): ReportedState {
    const lasting = text.slice(0, text.lastIndexOf("\0")).replace(mark, "");
    if (this.#last !== undefined && lasting === this.#lastText) return this.#last;
    this.#lastText = lasting;
    return this.#last = this.#persistence.read(text, this.#first ?? "");
  }

  /** A builtin that was loaded has the name of a program, or of another builtin, and no list tells of it. */
  #modules(live: LiveShell): readonly string[] {
    const paths = this.#persistence.modules?.(live.objects(), this.#objects) ?? [];
    return paths.map((path) => `the code loaded from "${path}"`);
  }
}
