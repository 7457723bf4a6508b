import { Observable, type Subscriber } from "rxjs";
import type { CommandId, StopCause } from "../event/command.ts";
import { endsCommand } from "../event/event.ts";
import type { ExecutionEvent } from "../event/execution.ts";
import type { Executor } from "../execution/executor.ts";
import { outcomeOf } from "../execution/run/outcome.ts";
import type { CancelTimer, Clock } from "../platform/clock.ts";
import type { ByteSinks } from "../stream/bytes.ts";
import type { Recording } from "./recording.ts";

/** What the replay executor needs. */
export interface ReplayExecutorOptions {
  readonly recordings: readonly Recording[];
  /** The time of the steps; with a {@linkcode VirtualClock} they follow at once. */
  readonly clock: Clock;
}

/**
 * Answer commands from a recording, without any process.
 *
 * A command is matched by its text alone, as checkouts move; the same text again gets the next
 * recording of it. One that was never recorded, or not as often, fails with a message that says
 * which ones are left.
 */
export function replayExecutor(options: ReplayExecutorOptions): Executor {
  const { recordings, clock } = options;
  const left = new Set(recordings);
  const stops = new Map<CommandId, (event: ExecutionEvent) => void>();

  const match = (command: string): Recording | undefined => {
    for (const recording of left) {
      if (command !== recording.command && command !== recording.requested) continue;
      left.delete(recording);
      return recording;
    }
    return undefined;
  };

  return {
    name: "replay",
    // What a command left in its shell is in the recording.
    capabilities: { terminal: false, input: false, persistent: true, detaches: false },
    run: (commandId, { command }, sinks) =>
      new Observable((subscriber) => {
        const recording = match(command);
        if (recording === undefined) {
          const reason = unmatched(command, left);
          subscriber.next({ type: "execution.failed", commandId, reason });
          subscriber.complete();
          return;
        }
        return play(recording, commandId, { clock, sinks, stops, subscriber });
      }),
    send: (commandId, message) => {
      const stop = stops.get(commandId);
      if (stop === undefined) return false;
      if (message.type === "stop") stop(stoppedBy(commandId, message.by));
      return true;
    },
    close: () => {
      for (const [commandId, stop] of [...stops]) stop(stoppedBy(commandId, "close"));
      return Promise.resolve();
    },
  };
}

/** The end of a command that was stopped before its recorded one. */
function stoppedBy(commandId: CommandId, by: StopCause): ExecutionEvent {
  const outcome = outcomeOf({ code: null, signal: "SIGTERM" }, { stop: { by } });
  return { type: "execution.exited", commandId, outcome, durationMs: 0, leftovers: [] };
}

interface Player {
  readonly clock: Clock;
  readonly sinks: ByteSinks;
  readonly subscriber: Subscriber<ExecutionEvent>;
  readonly stops: Map<CommandId, (event: ExecutionEvent) => void>;
}

/** Do step after step at its time; the first ones, which took no time, at once. */
function play(
  { steps }: Recording,
  commandId: CommandId,
  { clock, sinks, subscriber, stops }: Player,
): () => void {
  let paused = false;
  let waitsForDemand = false;
  let cancel: CancelTimer = () => {};
  let index = 0;
  const start = clock.monotonic();
  const sink = sinks.open(commandId, {
    pause: () => {
      paused = true;
    },
    resume: () => {
      paused = false;
      if (!waitsForDemand) return;
      waitsForDemand = false;
      advance();
    },
    end: () => {},
  });
  const finish = () => {
    cancel();
    stops.delete(commandId);
    sink.end();
  };
  const advance = () => {
    for (let step = steps[index]; step !== undefined; step = steps[index]) {
      const waitMs = start + step.atMs - clock.monotonic();
      if (waitMs > 0) {
        cancel = clock.after(waitMs, advance);
        return;
      }
      if (step.type === "bytes" && paused) {
        waitsForDemand = true;
        return;
      }
      index++;
      if (step.type === "bytes") sink.write(step.bytes);
      else subscriber.next({ ...asReplayed(step.event), commandId });
    }
    finish();
    subscriber.complete();
  };
  stops.set(commandId, (end) => {
    const past = steps.slice(0, index);
    const answered = past.some((step) => step.type === "event" && endsCommand(step.event));
    finish();
    if (!answered) subscriber.next(end);
    subscriber.next({ type: "execution.closed", commandId, leftovers: [] });
    subscriber.complete();
  });
  advance();
  return finish;
}

/** No process of the recording exists here: its pids would be those of strangers. */
function asReplayed(event: ExecutionEvent): ExecutionEvent {
  if (event.type !== "execution.started") return event;
  const { type, commandId, reset, terminal } = event;
  const shell = { ...(reset && { reset }), ...(terminal && { terminal }) };
  return { type, commandId, executor: "replay", pid: 0, ...shell };
}

function unmatched(command: string, left: ReadonlySet<Recording>): string {
  const others = [...left].slice(0, 5).map((recording) => `"${recording.command}"`);
  const rest = left.size > others.length ? `, and ${left.size - others.length} more` : "";
  const remaining = left.size === 0 ? "none is left" : `what is left: ${others.join(", ")}${rest}`;
  return `Cannot replay "${command}": it was not recorded, or not as often; ${remaining}`;
}
