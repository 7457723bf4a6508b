import { readLog, type ReadLogOptions } from "../../event/log/read-log.ts";
import { detachedExecutor } from "../../execution/detached/detached-executor.ts";
import { systemClock } from "../../platform/clock.ts";
import { hostProcesses } from "../../platform/process/host-processes.ts";
import type { TaskTable } from "../../task/tasks.ts";
import { projections } from "./projections.ts";
import { recoveryOf } from "./recovery.ts";
import type { RuntimeEvent } from "../../event/event.ts";

/** The tasks of a directory without an owner, as the next owner would find them; changes nothing. */
export async function readState(
  directory: string,
  options: ReadLogOptions = {},
): Promise<TaskTable> {
  let seq = 0;
  let state = projections.initial;
  for await (const recorded of readLog(directory, options)) {
    seq = recorded.seq;
    state = projections.evolve(state, recorded);
  }
  const happened = (event: RuntimeEvent) => {
    state = projections.evolve(state, { seq: ++seq, at: systemClock.now(), event });
  };
  const { events, adoptions } = recoveryOf(state);
  for (const event of events) happened(event);
  const executor = detachedExecutor({
    processes: hostProcesses(),
    startDetached: () => undefined,
    clock: systemClock,
    intend: () => Promise.reject(new Error("nothing is started here")),
  });
  // Tasks that have ended emit their end at once; running ones are left alone.
  for (const adoption of adoptions) executor.adopt(adoption).subscribe(happened).unsubscribe();
  await executor.close();
  return state.tasks;
}
