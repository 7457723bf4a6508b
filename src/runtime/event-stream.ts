import { firstValueFrom, type Observable } from "rxjs";
import type { Recorded } from "../event/event.ts";
import type { EventLog } from "../event/log/log.ts";

/** Events to subscribe to, or to read one by one at the reader's own pace. */
export type EventStream = Observable<Recorded> & AsyncIterable<Recorded>;

/**
 * The events of a log: those that memory holds, then each new one.
 *
 * An iterator keeps its place in the log and no queue, so a slow reader costs no memory; it fails when
 * memory holds the next event no more.
 */
export function eventStream(log: EventLog): EventStream {
  return Object.assign(log.read(), { [Symbol.asyncIterator]: () => eventsOf(log) });
}

async function* eventsOf(log: EventLog): AsyncGenerator<Recorded> {
  for (let last = 0;;) {
    // The next event, when it happens; `undefined` when the log is closed.
    const recorded = await firstValueFrom(log.read(last), { defaultValue: undefined });
    if (recorded === undefined) return;
    if (last > 0 && recorded.seq !== last + 1) {
      throw new Error(
        `Cannot read event ${last + 1}: memory holds events from ${recorded.seq} on; read the log`,
      );
    }
    last = recorded.seq;
    yield recorded;
  }
}
