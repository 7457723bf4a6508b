import { EMPTY, fromEvent, type Observable, of } from "rxjs";

/** Emits when a signal aborts, or at once when it has. */
export function abortOf(signal: AbortSignal | undefined): Observable<unknown> {
  if (signal === undefined) return EMPTY;
  return signal.aborted ? of(signal) : fromEvent(signal, "abort");
}
