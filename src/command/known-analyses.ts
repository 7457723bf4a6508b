import type { Analysis, Order, ShellState } from "../event/command.ts";

/** How many lines are remembered, and up to which length, in UTF-16 code units. */
const KEPT = 256;
const LONGEST = 1_000;

/** A shell that brings nothing. */
const NOTHING: ShellState = {};

/**
 * The analyses of the last lines: agents repeat themselves, and an analysis follows from the line,
 * the directory and what the shell brings alone. What could not be told for sure is told anew, as
 * the time it took may have been the reason.
 */
export class KnownAnalyses {
  readonly #known: Map<string, { readonly state: ShellState; readonly analysis: Analysis }> =
    new Map();

  get({ command, cwd, state = NOTHING }: Order): Analysis | undefined {
    const found = this.#known.get(`${cwd}\0${command}`);
    return found?.state === state ? found.analysis : undefined;
  }

  add({ command, cwd, state = NOTHING }: Order, analysis: Analysis): void {
    if (analysis.certainty !== "complete" || command.length > LONGEST) return;
    const key = `${cwd}\0${command}`;
    this.#known.delete(key);
    this.#known.set(key, { state, analysis });
    if (this.#known.size <= KEPT) return;
    const [oldest] = this.#known.keys();
    if (oldest !== undefined) this.#known.delete(oldest);
  }
}
