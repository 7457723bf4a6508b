import type { ArrivalTime, OutputAppended } from "../event/output.ts";
import type { ByteLog } from "./byte-log.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import { edgeAfter } from "../text/decode/edges.ts";
import { inlined } from "../text/decode/inline.ts";

/** How ranges are announced. */
export interface AnnouncerOptions {
  readonly log: ByteLog;
  readonly clock: Clock;
  /** How long bytes are gathered for one event, in milliseconds. */
  readonly everyMs: number;
  /** How many of the command's first bytes go into its events. */
  readonly inlineBytes: number;
  readonly announce: (event: OutputAppended) => void;
}

/** Of the time in which bytes are gathered, what comes within such a part counts as one arrival. */
const ARRIVAL_SHARE = 0.1;

/** Announces the bytes of one command in ranges that leave none out; no timer runs while none come. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  readonly #arrivals: ArrivalTimes;
  readonly #unlisten: () => void;
  #announced = 0;
  #timer: CancelTimer | undefined;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    const { log, clock, everyMs } = options;
    this.#arrivals = new ArrivalTimes(clock, everyMs * ARRIVAL_SHARE);
    this.#unlisten = log.onAppend(() => this.#grown());
    if (log.total > 0) this.#grown();
  }

  /** Announce every byte that is not announced yet, at once. */
  flush(): void {
    this.#cancel();
    this.#announce(this.#options.log.total);
  }

  /** Announce no more. */
  stop(): void {
    this.#cancel();
    this.#unlisten();
  }

  #grown(): void {
    const { log, clock, everyMs } = this.#options;
    this.#arrivals.note(log.total);
    this.#timer ??= clock.after(everyMs, () => this.#tick());
  }

  #cancel(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  #tick(): void {
    this.#timer = undefined;
    const { log, inlineBytes } = this.#options;
    let to = log.total;
    const bytes = to > inlineBytes ? undefined : log.peek(this.#announced, to);
    // The rest of a character comes with the next bytes, or is announced at the end.
    const cut = bytes === undefined ? 0 : edgeAfter(bytes);
    if (cut < (bytes?.length ?? 0)) to -= cut;
    this.#announce(to);
  }

  #announce(to: number): void {
    const { log, inlineBytes } = this.#options;
    const from = this.#announced;
    if (to === from) return;
    this.#announced = to;
    const inline = log.peek(from, Math.min(to, Math.max(from, inlineBytes)));
    let size = inline?.length ?? 0;
    if (inline !== undefined && from + size < to) size = size - edgeAfter(inline) || size;
    if (inline !== undefined && size > 0) {
      this.#emit(from, from + size, inline.subarray(0, size));
    }
    if (from + size < to) this.#emit(from + size, to);
  }

  #emit(from: number, to: number, inline?: Uint8Array): void {
    const { commandId } = this.#options.log;
    const times = this.#arrivals.take(to);
    this.#options.announce({
      type: "output.appended",
      commandId,
      from,
      to,
      ...(inline !== undefined && { inline: inlined(inline) }),
      ...(times !== undefined && { times }),
    });
  }
}

interface Arrival {
  readonly at: number;
  to: number;
}

/** Notes when the bytes of one command came, until an event takes the times. */
class ArrivalTimes {
  readonly #clock: Clock;
  readonly #stepMs: number;
  #notes: Arrival[] = [];

  /** @param stepMs What comes within so many milliseconds counts as one arrival, which bounds their number. */
  constructor(clock: Clock, stepMs: number) {
    this.#clock = clock;
    this.#stepMs = stepMs;
  }

  /** Bytes came: there are so many now. */
  note(total: number): void {
    const at = this.#clock.monotonic();
    const last = this.#notes.at(-1);
    if (last !== undefined && at - last.at < this.#stepMs) last.to = total;
    else this.#notes.push({ at, to: total });
  }

  /** Take the times of the bytes up to an offset; `undefined` where all of them came just now. */
  take(to: number): readonly ArrivalTime[] | undefined {
    const now = this.#clock.monotonic();
    const count = this.#notes.filter((note) => note.to < to).length + 1;
    const times = this.#notes.slice(0, count)
      .map((note): ArrivalTime => [Math.round(now - note.at), Math.min(note.to, to)]);
    this.#notes = this.#notes.filter((note) => note.to > to);
    return times.every(([msBefore]) => msBefore < this.#stepMs) ? undefined : times;
  }
}
