/**
 * Run an agent's tests without a process: record a runtime once, or write down what commands do, and
 * play it back in virtual time.
 *
 * @module
 */
export { readCassette } from "./replay/recording.ts";
export { RECORD, type RecordedStep, type Recording, recordingsOf } from "./replay/recording.ts";
export { type Script, scripted } from "./replay/scripted.ts";
export {
  type ReplayExecutor,
  replayExecutor,
  type ReplayExecutorOptions,
} from "./replay/replay-executor.ts";
export { type Playback, playback } from "./replay/replay-executor.ts";
export { VirtualClock, type VirtualClockOptions } from "./platform/virtual-clock.ts";
export { countingIds } from "./platform/ids.ts";
