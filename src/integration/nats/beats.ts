import type { CancelTimer, Clock } from "../../platform/clock.ts";

/** From one beat to the next, in milliseconds: the same for all, however long they bear silence. */
export const BEAT_MS = 1_000;

/**
 * Tells the other side again and again which runs are meant, and notices those of which it says nothing.
 *
 * Beats are counted, not time: after a stall of this process, one alone is missing.
 */
export class Beats<Run extends { silentBeats: number }> {
  readonly #clock: Clock;
  /** How many beats may be missing. */
  readonly #patience: number;
  readonly #runs: ReadonlyMap<string, Run>;
  readonly #peerOf: (run: Run) => string | undefined;
  readonly #send: (peer: string, runs: readonly string[]) => void;
  readonly #silent: (run: Run) => void;
  #cancel: CancelTimer | undefined;

  constructor(options: {
    readonly clock: Clock;
    readonly silenceMs: number;
    readonly runs: ReadonlyMap<string, Run>;
    /** The other side of a run; absent: it has none yet. */
    readonly peerOf: (run: Run) => string | undefined;
    readonly send: (peer: string, runs: readonly string[]) => void;
    readonly silent: (run: Run) => void;
  }) {
    this.#clock = options.clock;
    this.#patience = Math.ceil(options.silenceMs / BEAT_MS);
    this.#runs = options.runs;
    this.#peerOf = options.peerOf;
    this.#send = options.send;
    this.#silent = options.silent;
  }

  /** Begin, where it has not begun: there is a run. */
  begin(): void {
    this.#cancel ??= this.#clock.after(BEAT_MS, () => this.#beat());
  }

  /** The other side means these runs. */
  heard(runs: readonly string[]): void {
    for (const id of runs) {
      const run = this.#runs.get(id);
      if (run !== undefined) run.silentBeats = 0;
    }
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #beat(): void {
    this.#cancel = undefined;
    const byPeer = new Map<string, string[]>();
    for (const [id, run] of this.#runs) {
      const peer = this.#peerOf(run);
      if (peer === undefined) continue;
      byPeer.set(peer, [...byPeer.get(peer) ?? [], id]);
      if (++run.silentBeats > this.#patience) this.#silent(run);
    }
    for (const [peer, runs] of byPeer) this.#send(peer, runs);
    if (this.#runs.size > 0) this.begin();
  }
}
