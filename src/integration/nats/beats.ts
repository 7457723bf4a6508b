import type { CancelTimer, Clock } from "../../platform/clock.ts";

/** From one beat to the next, in milliseconds: the same for all, however long they bear silence. */
export const BEAT_MS = 1_000;

/**
 * Sends the other side again and again which runs are meant, and notices those that it says nothing of.
 *
 * Beats are counted, not time: after a stall of this process, one alone is missing.
 */
export class Beats<Run extends { silentBeats: number }> {
  readonly #options: BeatsOptions<Run>;
  #cancel: CancelTimer | undefined;

  constructor(options: BeatsOptions<Run>) {
    this.#options = options;
  }

  /** Begin, where it has not begun: there is a run. */
  begin(): void {
    this.#cancel ??= this.#options.clock.after(BEAT_MS, () => this.#beat());
  }

  end(): void {
    this.#cancel?.();
    this.#cancel = undefined;
  }

  #beat(): void {
    const { silenceMs, runs, peerOf, send, silent } = this.#options;
    this.#cancel = undefined;
    const byPeer = new Map<string, Run[]>();
    for (const run of runs.values()) {
      const peer = peerOf(run);
      if (peer === undefined) continue;
      byPeer.set(peer, [...byPeer.get(peer) ?? [], run]);
      if (++run.silentBeats > silenceMs / BEAT_MS) silent(run);
    }
    for (const [peer, meant] of byPeer) send(peer, meant);
    if (runs.size > 0) this.begin();
  }
}

/** What beats are for. */
export interface BeatsOptions<Run> {
  readonly clock: Clock;
  readonly silenceMs: number;
  readonly runs: ReadonlyMap<string, Run>;
  /** The other side of a run; absent: it has none yet. */
  readonly peerOf: (run: Run) => string | undefined;
  readonly send: (peer: string, runs: readonly Run[]) => void;
  readonly silent: (run: Run) => void;
}
