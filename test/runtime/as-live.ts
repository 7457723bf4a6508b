import assert from "node:assert/strict";
import type { Recorded } from "../../src/event/event.ts";
import { openLog } from "../../src/runtime/history/open-log.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { recordedIn } from "./state/world.ts";

/**
 * Note what a runtime tells at every event.
 *
 * @returns Once it is closed, checks that its log tells the same, and answers what is in it.
 */
export function asLive(runtime: Runtime): (log: string) => Promise<readonly Recorded[]> {
  const seqs: number[] = [];
  const live: unknown[] = [];
  const toldBy = ({ tasks, sessions }: Pick<Runtime, "tasks" | "sessions">) => [
    [...tasks.current.byId],
    [...sessions.current.byId],
  ];
  runtime.events.subscribe(({ seq }) => {
    seqs.push(seq);
    live.push(toldBy(runtime));
  });
  return async (log) => {
    const replayed = await recordedIn(log);
    assert.deepEqual(replayed.map(({ seq }) => seq), seqs);
    await using opened = await openLog(log);
    for (const [i, told] of live.entries()) {
      assert.deepEqual(toldBy(opened.at(seqs[i] ?? 0)), told);
    }
    return replayed;
  };
}
