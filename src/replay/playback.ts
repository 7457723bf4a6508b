import { VirtualClock } from "../platform/virtual-clock.ts";
import type { Clock } from "../platform/clock.ts";
import type { Executor } from "../execution/executor.ts";
import type { Recording } from "./recording.ts";
import { replayExecutor } from "./replay-executor.ts";

/** What a runtime needs to play recordings back; spread it into its options. */
export interface Playback {
  readonly clock: Clock;
  readonly executor: Executor;
}

/**
 * Play recordings back in virtual time: hours pass in milliseconds, and no process runs.
 *
 * @throws {TypeError} When a recording cannot be used, with its value.
 *
 * @example Record once, play back in a test
 * ```ts
 * import { createRuntime } from "shellflow";
 * import { playback, RECORD, recordingsOf } from "shellflow/testing";
 * import { firstValueFrom, toArray } from "rxjs";
 *
 * const recorder = await createRuntime({ mode: "bypass", output: RECORD });
 * const events = firstValueFrom(recorder.events.pipe(toArray()));
 * const recorded = await recorder.run("echo hi; sleep 0.1");
 * await recorder.close();
 *
 * const recordings = recordingsOf(await events);
 * await using player = await createRuntime({ mode: "bypass", ...playback(recordings) });
 * const played = await player.run("echo hi; sleep 0.1");
 * if (played.output !== recorded.output) throw new Error("unexpected");
 * ```
 */
export function playback(recordings: readonly Recording[]): Playback {
  const clock = new VirtualClock(0, { automatic: true });
  return { clock, executor: replayExecutor({ recordings, clock }) };
}
