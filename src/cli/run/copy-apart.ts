import { BehaviorSubject, filter, firstValueFrom } from "rxjs";
import type { TaskOutput } from "../../output/byte-log.ts";
import type { Stdio } from "../../platform/stdio.ts";
import type { Running, Runtime } from "../../runtime/runtime.ts";
import type { ByteRange } from "../../stream/byte-range.ts";

/** Copy the output of a command with `split` as it comes, each stream to one of our own. */
export async function copyApart(
  log: TaskOutput,
  { taskId, result }: Running,
  { runtime, stdio }: { readonly runtime: Runtime; readonly stdio: Pick<Stdio, "out" | "err"> },
): Promise<void> {
  /** Up to where it is known which bytes came from standard error. */
  const known = new BehaviorSubject(0);
  let stderr: readonly ByteRange[] = [];
  const watching = runtime.events.subscribe(({ event }) => {
    if (event.type !== "output.appended" || event.commandId !== taskId) return;
    stderr = [...stderr, ...event.stderr ?? []];
    known.next(event.to);
  });
  try {
    for await (const { from, to, bytes } of log.pieces({ hold: true, until: result })) {
      await firstValueFrom(known.pipe(filter((at) => at >= to)));
      let at = from;
      const upTo = (end: number) => bytes.subarray(at - from, (at = Math.min(end, to)) - from);
      for (const range of [...stderr, { from: to, to }]) {
        if (range.from > at) await stdio.out(upTo(range.from));
        if (range.to > at) await stdio.err(upTo(range.to));
      }
      stderr = stderr.filter((range) => range.to > to);
    }
  } finally {
    watching.unsubscribe();
  }
}
