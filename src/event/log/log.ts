import type { Observable } from "rxjs";
import type { Recorded, RuntimeEvent } from "../event.ts";

/** The append-only list of everything that happened in one runtime. */
export interface EventLog {
  /** Give the event its place and keep it; subscribers hear of it in order, also when one of them appends. */
  append(event: RuntimeEvent): Recorded;
  /** Each event from now on. */
  readonly appended: Observable<Recorded>;
  /** The newest place taken; 0 when empty. */
  readonly lastSeq: number;
  /** The events still held in memory from `after` (exclusive) on, then each new one. */
  read(after?: number): Observable<Recorded>;
  /** Resolves when everything appended so far is where it survives this process; rejects when it cannot be. */
  flush(): Promise<void>;
  /** Flush and release what the log holds. Idempotent. */
  close(): Promise<void>;
}
