import { Observable } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { Runtime } from "../runtime/runtime.ts";

/** How long one look at an output takes that nothing reports of, in milliseconds. */
const LOOK_MS = 250;

/** Emits when an output has grown: by its log, or by looks at its file where there is none. */
export function growthOf(
  runtime: Runtime,
  taskId: CommandId,
  { from, ...rate }: { readonly from: number; readonly everyMs?: number },
): Observable<unknown> {
  return new Observable((subscriber) => {
    const follow = async () => {
      for (let at = from; !subscriber.closed;) {
        const log = runtime.output(taskId);
        if (log !== undefined) {
          return void subscriber.add(log.follow({ from: at, ...rate }).subscribe(subscriber));
        }
        const looked = { from: at, maxBytes: 1, waitMs: LOOK_MS };
        const { total, ended } = await runtime.read(taskId, looked);
        if (total > at) {
          at = total;
          subscriber.next(total);
        }
        if (ended) return subscriber.complete();
      }
    };
    follow().catch(() => subscriber.complete());
  });
}
