/**
 * Run an agent's tests without a process: record a runtime once, and play it back in virtual time.
 *
 * @module
 */
export { readCassette } from "./replay/cassette.ts";
export { RECORD, type RecordedStep, type Recording, recordingsOf } from "./replay/recording.ts";
export { replayExecutor, type ReplayExecutorOptions } from "./replay/replay-executor.ts";
export { type Playback, playback } from "./replay/playback.ts";
export { VirtualClock } from "./platform/virtual-clock.ts";
export { countingIds } from "./platform/ids.ts";
