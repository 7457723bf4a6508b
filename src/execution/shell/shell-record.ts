import type { ShellState } from "../../event/command.ts";
import type { LiveShell } from "../../platform/shell/shells.ts";
import {
  type PersistentDialect,
  placeOf,
  type ReportedState,
  type ShellReport,
} from "../../shell/persistent/persistent-dialect.ts";

/** What a state came with. */
export interface StateSource {
  readonly live: LiveShell;
  readonly kind: ShellReport["kind"];
  readonly dialect: PersistentDialect;
  /** The mark of the command: it changes with each. */
  readonly mark: string;
}

/** What the shells of a session have reported of themselves. */
export class ShellRecord {
  /** The first state of the first shell: what has changed since, commands have changed. */
  #first: readonly string[] | undefined;
  /** What the last state was read from. */
  #lastText = "";
  #last: ReportedState | undefined;
  #cwd: string | undefined;
  /** The variables that commands had set in shells of another kind, and that this one was given. */
  #given: readonly string[] = [];

  /** Absent before the first report. */
  get cwd(): string | undefined {
    return this.#cwd;
  }

  get state(): ShellState {
    return this.#last?.state ?? {};
  }

  /** What sets the trap on INT of the last report; `undefined`: there was none. */
  get interrupt(): string | undefined {
    return this.#last?.interrupt;
  }

  /** What gives another shell the directory and the exported variables; `undefined` when there is nothing to give. */
  restoredBy(dialect: PersistentDialect): string | undefined {
    if (this.#last === undefined || this.#cwd === undefined) return undefined;
    return dialect.restore({ cwd: this.#cwd, exports: this.#last.exports });
  }

  /** Take a state; most commands change nothing of it but their mark. */
  take(text: string, { live, kind, dialect, mark }: StateSource): void {
    this.#cwd = live.directory(placeOf(text));
    const lasting = text.replace(mark, "");
    if (lasting === this.#lastText) return;
    this.#lastText = lasting;
    const fields = text.split("\0");
    this.#first ??= fields;
    this.#last = kind === "last"
      ? { state: this.state, exports: fields[0] ?? "" }
      : this.#withGiven(dialect.read(fields, this.#first));
  }

  /** The shell is gone; exported variables outlive it. */
  shellEnded(): void {
    this.#lastText = "";
    const { variables = [] } = this.state;
    if (this.#last !== undefined) {
      this.#last = { exports: this.#last.exports, state: { variables } };
    }
  }

  #withGiven(reported: ReportedState): ReportedState {
    if (this.#given.length === 0) return reported;
    const variables = [...new Set([...reported.state.variables ?? [], ...this.#given])];
    return { ...reported, state: { ...reported.state, variables } };
  }

  /** For a shell that starts with other variables than those before it: it gets those that commands have exported. */
  forOtherPlace(): ShellRecord {
    const { variables = [] } = this.state;
    const other = new ShellRecord();
    const before = new Set(this.#first?.[0]?.split("\n"));
    const lines = (this.#last?.exports ?? "").split("\n").filter((line) => !before.has(line));
    other.#cwd = this.#cwd;
    other.#given = variables;
    other.#last = { state: { variables }, exports: lines.join("\n") };
    return other;
  }

  copy(): ShellRecord {
    const copy = new ShellRecord();
    copy.#first = this.#first;
    copy.#cwd = this.#cwd;
    copy.#last = this.#last;
    copy.#given = this.#given;
    copy.shellEnded();
    return copy;
  }
}
