import type { Observable } from "rxjs";
import type { Recorded, RuntimeEvent } from "../event.ts";

/** The append-only list of everything that happened in one runtime. */
export interface EventLog {
  /** Give the event its place and keep it; subscribers get events in order, also when one of them appends. */
  append(event: RuntimeEvent): Recorded;
  /** Each event from now on. */
  readonly appended: Observable<Recorded>;
  /** The newest place taken; 0 when empty. */
  readonly lastSeq: number;
  /** The events still held in memory from `after` (exclusive) on, then each new one. */
  read(after?: number): Observable<Recorded>;
  /** Write everything appended so far, where it is written at all, so that it survives this process. */
  writeNow(): void;
  /**
   * The same; rejects when something could not be written.
   *
   * @param options.sync Wait until it survives a loss of power, too.
   */
  flush(options?: { readonly sync?: boolean }): Promise<void>;
  /** Flush and release what the log holds. Idempotent. */
  close(): Promise<void>;
}
