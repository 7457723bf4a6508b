import { Observable } from "rxjs";
import * as v from "valibot";
import { checkFields } from "../value/check-fields.ts";
import type { CommandId } from "../event/command.ts";
import type { Executor } from "../execution/executor.ts";
import type { Clock } from "../platform/clock.ts";
import { Play } from "./play.ts";
import { problemOf, type Recording } from "./recording.ts";
import { VirtualClock } from "../platform/virtual-clock.ts";

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

/** What the replay executor needs. */
export interface ReplayExecutorOptions {
  readonly recordings: readonly Recording[];
  /** The time of the steps; with a {@linkcode VirtualClock} they follow at once. */
  readonly clock: Clock;
}

/**
 * Answer commands from a recording, without any process.
 *
 * A command is matched by its line as it was asked for, and by nothing else, as checkouts move; the
 * same line again gets the next recording of it. One that was never recorded, or not as often, fails
 * with a message that says which ones are left.
 *
 * @throws {TypeError} When an option cannot be used, with its name and value.
 */
export function replayExecutor(options: ReplayExecutorOptions): Executor {
  checkFields(schema, options, "Cannot play back with");
  const { recordings, clock } = options;
  for (const { command, steps } of recordings) {
    const problem = problemOf(steps);
    if (problem !== undefined) throw new TypeError(`Cannot play back "${command}": ${problem}`);
  }
  const left = new Set(recordings);
  const plays = new Map<CommandId, Play>();

  return {
    name: "replay",
    // What a command left in its shell, and what was typed into it, is in the recording.
    capabilities: { terminal: true, input: true, persistent: true, detaches: false, splits: true },
    // Nothing runs there: a recording plays where its directories are not.
    checkDirectory: () => undefined,
    run: (commandId, invocation, sinks) =>
      new Observable((subscriber) => {
        const line = lineOf(invocation);
        const recording = [...left].find((recording) => lineOf(recording) === line);
        if (recording === undefined) {
          const reason = unmatched(line, left);
          subscriber.next({ type: "execution.failed", commandId, reason });
          subscriber.complete();
          return;
        }
        left.delete(recording);
        const over = () => void plays.delete(commandId);
        const play = new Play(recording, { commandId, invocation, clock, sinks, subscriber, over });
        plays.set(commandId, play);
        play.advance();
        return () => play.finish();
      }),
    // Without words: those of the line.
    readers: (commandId) => plays.has(commandId) ? [[]] : undefined,
    send: (commandId, message) => plays.get(commandId)?.take(message) ?? false,
    close: () => {
      for (const play of [...plays.values()]) play.stop({ by: "close" });
      return Promise.resolve();
    },
  };
}

const atMs = v.number();
const streamName = v.picklist(["stdout", "stderr"]);
/** Of another realm as well, as in a test that has a document. */
const bytes = v.custom<Uint8Array>(
  ArrayBuffer.isView,
  "it must be a Uint8Array, which JSON cannot hold",
);

const step = v.variant("type", [
  v.looseObject({ type: v.literal("bytes"), atMs, bytes, stream: v.optional(streamName) }),
  v.looseObject({ type: v.literal("input"), atMs }),
  v.looseObject({ type: v.literal("event"), atMs, event: v.looseObject({ type: v.string() }) }),
]);

const schema = v.strictObject({
  recordings: v.array(v.looseObject({
    command: v.string(),
    steps: v.array(step),
  })),
  clock: v.looseObject({ after: v.function(), deadline: v.function(), monotonic: v.function() }),
});

/** The line as it was asked for: whether a leading `cd` is left out depends on the machine. */
function lineOf(
  { command, requested = command }: Pick<Recording, "command" | "requested">,
): string {
  return requested;
}

function unmatched(line: string, left: ReadonlySet<Recording>): string {
  const others = [...left].slice(0, 5).map((recording) => `"${lineOf(recording)}"`);
  const rest = left.size > others.length ? `, and ${left.size - others.length} more` : "";
  const remaining = left.size === 0 ? "none is left" : `what is left: ${others.join(", ")}${rest}`;
  return `Cannot replay "${line}": it was not recorded, or not as often; ${remaining}`;
}
