import type { CommandId } from "../event/command.ts";
import type { OutputAppended } from "../event/output.ts";
import type { ByteLog } from "./byte-log.ts";
import type { ByteLogs } from "./byte-logs.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import type { SpillEvent } from "./spill/spill.ts";
import { edgeAfter } from "../text/decode/edges.ts";
import { inlined } from "../text/decode/inline.ts";

/** What is announced of a command, and how. */
export interface AnnouncerOptions {
  readonly commandId: CommandId;
  readonly logs: ByteLogs;
  readonly clock: Clock;
  /** How long bytes are gathered for one event, in milliseconds. */
  readonly everyMs: number;
  /** How many of the command's first bytes go into its events. */
  readonly inlineBytes: number;
  readonly report: (event: OutputAppended | SpillEvent) => void;
}

/**
 * Announces the bytes of one command in ranges that leave none out, and what becomes of those beyond
 * memory; no timer runs while none come.
 */
export class Announcer {
  readonly #options: AnnouncerOptions;
  /** The log may be released, once the command has ended. Idempotent. */
  readonly release: () => void;
  /** End what was begun. */
  readonly #ends: (() => void)[] = [];
  #log: ByteLog | undefined;
  #announced = 0;
  #timer: CancelTimer | undefined;

  constructor(options: AnnouncerOptions) {
    this.#options = options;
    const { logs, commandId, report } = options;
    this.release = logs.retain(commandId);
    const unlisten = logs.whenOpen(commandId, (log) => {
      this.#log = log;
      this.#ends.push(log.onAppend((when) => this.#grown(when)), log.onSpill(report));
      if (log.total > 0) this.#grown("soon");
    });
    this.#ends.push(unlisten, () => this.#cancel(), this.release);
  }

  /** Announce every byte that is not announced yet, at once. */
  flush(): void {
    this.#cancel();
    if (this.#log !== undefined) this.#announce(this.#log, this.#log.total);
  }

  /** Announce the rest, and stop once nothing more can happen to the file. */
  leave(left: () => void): void {
    this.flush();
    const end = () => {
      this.stop();
      left();
    };
    if (this.#log?.path === undefined) return end();
    void this.#log.flushed().then(end);
  }

  /** Announce no more. */
  stop(): void {
    for (const end of this.#ends) end();
  }

  #grown(when: "soon" | "now"): void {
    if (when === "now") return this.flush();
    const { clock, everyMs } = this.#options;
    this.#timer ??= clock.after(everyMs, () => this.#tick());
  }

  #cancel(): void {
    this.#timer?.();
    this.#timer = undefined;
  }

  #tick(): void {
    this.#timer = undefined;
    const log = this.#log;
    if (log === undefined) return;
    let to = log.total;
    const bytes = to > this.#options.inlineBytes ? undefined : log.peek(this.#announced, to);
    // The rest of a character comes with the next bytes, or is announced at the end.
    const cut = bytes === undefined ? 0 : edgeAfter(bytes);
    if (cut < (bytes?.length ?? 0)) to -= cut;
    this.#announce(log, to);
  }

  #announce(log: ByteLog, to: number): void {
    const from = this.#announced;
    if (to === from) return;
    this.#announced = to;
    const inline = log.peek(from, Math.min(to, Math.max(from, this.#options.inlineBytes)));
    let size = inline?.length ?? 0;
    if (inline !== undefined && from + size < to) size = size - edgeAfter(inline) || size;
    if (inline !== undefined && size > 0) {
      this.#emit(from, from + size, inline.subarray(0, size));
    }
    if (from + size < to) this.#emit(from + size, to);
  }

  #emit(from: number, to: number, inline?: Uint8Array): void {
    const { commandId, report } = this.#options;
    const stderr = this.#log?.takeStderr(to) ?? [];
    report({
      type: "output.appended",
      commandId,
      from,
      to,
      ...(inline !== undefined && { inline: inlined(inline) }),
      ...(stderr.length > 0 && { stderr }),
    });
  }
}
