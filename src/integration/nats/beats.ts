import type { CancelTimer, Clock } from "../../platform/clock.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Beat, Meant } from "./messages.ts";

/** From one beat to the next, in milliseconds: the same for all, however long they bear silence. */
export const BEAT_MS = 1_000;

/** A run, as one of its two sides has it. */
export interface BeatingRun {
  /** The other side; absent: it has none yet. */
  readonly peer: string | undefined;
  /** Beats of the other side that are missing. */
  silentBeats: number;
  /** What the other side is sent of it. */
  readonly meant: Meant;
  /** Do what the other side means. */
  follow?(meant: Meant): void;
  /** The other side is gone. */
  fallSilent(silenceMs: number): void;
}

/** What beats are for. */
export interface BeatsOptions {
  readonly clock: Clock;
  readonly silenceMs: number;
  readonly mailbox: Mailbox;
  readonly runs: ReadonlyMap<string, BeatingRun>;
}

/**
 * Sends the other side again and again which runs are meant, and notices those that it says nothing of.
 *
 * Beats are counted, not time: after a stall of this process, one alone is missing.
 */
export class Beats {
  readonly #options: BeatsOptions;
  #cancel: CancelTimer | undefined;

  constructor(options: BeatsOptions) {
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

  /** Take a beat of the other side. */
  receive({ runs }: Beat): void {
    for (const meant of runs) {
      const run = this.#options.runs.get(meant.run);
      if (run === undefined) continue;
      run.silentBeats = 0;
      run.follow?.(meant);
    }
  }

  #beat(): void {
    const { silenceMs, runs, mailbox } = this.#options;
    this.#cancel = undefined;
    const byPeer = new Map<string, Meant[]>();
    for (const run of runs.values()) {
      const { peer, meant } = run;
      if (peer === undefined) continue;
      byPeer.set(peer, [...byPeer.get(peer) ?? [], meant]);
      if (++run.silentBeats > silenceMs / BEAT_MS) run.fallSilent(silenceMs);
    }
    for (const [peer, runs] of byPeer) mailbox.send(peer, { type: "beat", runs });
    if (runs.size > 0) this.begin();
  }
}
