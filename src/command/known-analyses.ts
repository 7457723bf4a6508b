import type { Analysis, Order, ShellState } from "../event/command.ts";

/** How many lines are kept, and up to which length, in UTF-16 code units. */
const KEPT = 256;
const LONGEST = 1_000;

/** The analyses of the last lines: agents repeat themselves, and an analysis is a pure function. */
export class KnownAnalyses {
  readonly #entries = new Map<
    string,
    { readonly state: ShellState | undefined; readonly analysis: Analysis }
  >();

  /** The analysis of a line, made where it is not known. */
  get(order: Order, analyse: () => Analysis): Analysis {
    const { command, cwd, state, env } = order;
    const key = [cwd, ...env?.names ?? [], command].join("\0");
    const entry = this.#entries.get(key);
    if (entry !== undefined && entry.state === state) return entry.analysis;
    const analysis = analyse();
    if (command.length > LONGEST) return analysis;
    this.#entries.delete(key);
    this.#entries.set(key, { state, analysis });
    const [oldest] = this.#entries.keys();
    if (this.#entries.size > KEPT && oldest !== undefined) this.#entries.delete(oldest);
    return analysis;
  }
}
