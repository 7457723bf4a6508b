import type { OutputAppended } from "../event/output.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import type { ByteLog } from "./byte-log.ts";
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
  readonly tell: (event: OutputAppended) => void;
}

/** Tells of the bytes of one command in ranges that leave none out; no timer runs while none come. */
export class Announcer {
  readonly #options: AnnouncerOptions;
  #told = 0;
  #timer: CancelTimer | undefined;
  #unlisten: () => void = () => {};
  readonly #listen = () => this.#wait();

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    this.#wait();
  }

  /** Tell of every byte that is not told yet, at once. */
  flush(): void {
    // It listens, or there is nothing to listen for.
    if (this.#timer === undefined && this.#options.log.total === this.#told) return;
    this.#timer?.();
    this.#timer = undefined;
    this.#unlisten();
    this.#tell(this.#options.log.total);
    this.#wait();
  }

  /** Tell no more. */
  stop(): void {
    this.#timer?.();
    this.#unlisten();
  }

  #wait(): void {
    const { log, clock, everyMs } = this.#options;
    if (log.total > this.#told) this.#timer ??= clock.after(everyMs, () => this.#tick());
    else if (!log.ended) this.#unlisten = log.onChange(this.#listen);
  }

  #tick(): void {
    this.#timer = undefined;
    const { log, inlineBytes } = this.#options;
    let to = log.total;
    if (to <= inlineBytes) {
      const bytes = log.peek(this.#told, to);
      const whole = bytes === undefined ? 0 : bytes.length - edgeAfter(bytes);
      // The rest of the character comes with its next bytes, unless it never does.
      if (whole > 0) to = this.#told + whole;
    }
    const cut = to < log.total;
    this.#tell(to);
    if (cut) this.#unlisten = log.onChange(this.#listen);
    else this.#wait();
  }

  #tell(to: number): void {
    const { log, inlineBytes, tell } = this.#options;
    const { commandId } = log;
    const from = this.#told;
    if (to === from) return;
    this.#told = to;
    const first = log.peek(from, Math.min(to, Math.max(from, inlineBytes)));
    let size = first?.length ?? 0;
    if (first !== undefined && from + size < to) size = first.length - edgeAfter(first) || size;
    if (first !== undefined && size > 0) {
      const inline = inlined(first.subarray(0, size));
      tell({ type: "output.appended", commandId, from, to: from + size, inline });
    }
    if (from + size < to) tell({ type: "output.appended", commandId, from: from + size, to });
  }
}
