import assert from "node:assert/strict";
import type { Recorded } from "../../src/event/event.ts";
import { fold } from "../../src/event/project.ts";
import type { Runtime } from "../../src/runtime/runtime.ts";
import { sessions } from "../../src/session/sessions.ts";
import { tasks } from "../../src/task/tasks.ts";
import { recordedIn } from "./state/world.ts";

/**
 * Note what a runtime tells at every event.
 *
 * @returns Once it is closed, checks that its log tells the same, and answers what is in it.
 */
export function asLive(runtime: Runtime): (log: string) => Promise<readonly Recorded[]> {
  const seqs: number[] = [];
  const live: unknown[] = [];
  runtime.events.subscribe(({ seq }) => {
    seqs.push(seq);
    live.push([[...runtime.tasks.current.byId], [...runtime.sessions.current.byId]]);
  });
  return async (log) => {
    const replayed = await recordedIn(log);
    assert.deepEqual(replayed.map(({ seq }) => seq), seqs);
    for (const [i, told] of live.entries()) {
      const until = replayed.slice(0, i + 1);
      assert.deepEqual([[...fold(tasks, until).byId], [...fold(sessions, until).byId]], told);
    }
    return replayed;
  };
}
