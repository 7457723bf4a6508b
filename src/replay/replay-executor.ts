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
  readonly executor: ReplayExecutor;
}

/** Answers commands from recordings. */
export interface ReplayExecutor extends Executor {
  /** The lines of the recordings that no command has asked for yet, in their order. */
  unplayed(): string[];
  /** The lines that commands have asked for and no recording was left for, in their order. */
  unrecorded(): string[];
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
 * with a message that says which ones are left; {@linkcode ReplayExecutor.unplayed} has them, too.
 *
 * @throws {TypeError} When an option cannot be used, with its name and value.
 */
export function replayExecutor(options: ReplayExecutorOptions): ReplayExecutor {
  checkFields(schema, options, "Cannot play back with");
  const { recordings, clock } = options;
  for (const { command, steps } of recordings) {
    const problem = problemOf(steps);
    if (problem !== undefined) throw new TypeError(`Cannot play back "${command}": ${problem}`);
  }
  const left = new Set(recordings);
  const missed: string[] = [];
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
          missed.push(line);
          const reason = unmatched(line, { recordings, left });
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
    unplayed: () => [...left].map(lineOf),
    unrecorded: () => [...missed],
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

function unmatched(
  line: string,
  { recordings, left }: {
    readonly recordings: readonly Recording[];
    readonly left: ReadonlySet<Recording>;
  },
): string {
  const times = recordings.filter((recording) => lineOf(recording) === line).length;
  const why = times === 0
    ? "it was not recorded"
    : `it was recorded ${times === 1 ? "once" : `${times} times`}, and asked for more often`;
  // A line that was changed is found by its beginning.
  const nearest = [...left].map(lineOf)
    .sort((a, b) => commonLength(b, line) - commonLength(a, line));
  const others = nearest.slice(0, 5).map((each) => `"${each}"`).join(", ");
  const rest = nearest.length > 5 ? `, and ${nearest.length - 5} more` : "";
  const remaining = nearest.length === 0 ? "none is left" : `what is left: ${others}${rest}`;
  return `Cannot replay "${line}": ${why}; ${remaining}`;
}

/** How many characters two texts have in common at their beginning. */
function commonLength(a: string, b: string): number {
  let length = 0;
  while (length < a.length && a[length] === b[length]) length++;
  return length;
}
