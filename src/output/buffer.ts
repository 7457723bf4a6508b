import { Observable } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { ExecutionStarted } from "../event/execution.ts";
import type { OutputEvent } from "../event/output.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import { type Happened, hasCommand, type Stage } from "../stream/stage.ts";
import { Announcer } from "./announcer.ts";
import type { ByteLogs } from "./byte-logs.ts";

/** What the buffer stage needs. */
export interface BufferOptions {
  readonly logs: ByteLogs;
  /** Default: the time of this machine. */
  readonly clock?: Clock;
  /** How many of a command's first bytes go into its events; that of the logs when absent. */
  readonly inlineBytes?: number;
  /** How long bytes are gathered for one event, in milliseconds; 100 when absent. */
  readonly everyMs?: number;
}

/**
 * Announce the bytes that travel beside the events: in ranges, gathered over a moment, and always
 * before the event after which no more of them come. What a command wrote is retained until its end
 * was reported, however early it closes its output.
 *
 * Completes when the source has, and every file that was begun is complete or has failed.
 *
 * @returns A stage from `execution.started` to `output.*`.
 */
export function buffer(
  { logs, clock = systemClock, inlineBytes = logs.inlineBytes, everyMs = 100 }: BufferOptions,
): Stage<ExecutionStarted, OutputEvent> {
  return <E extends Happened>(events: Observable<E>) =>
    new Observable<E | OutputEvent>((subscriber) => {
      const announcers = new Map<CommandId, Announcer>();
      const report = (event: OutputEvent) => subscriber.next(event);
      let completed = false;
      const leave = (commandId: CommandId) => {
        const announcer = announcers.get(commandId);
        announcer?.leave(() => {
          if (announcers.get(commandId) === announcer) announcers.delete(commandId);
          if (completed && announcers.size === 0) subscriber.complete();
        });
      };
      subscriber.add(() => {
        for (const announcer of announcers.values()) announcer.stop();
      });
      subscriber.add(events.subscribe({
        next: (event) => {
          if (!hasCommand(event)) return subscriber.next(event);
          const { commandId } = event;
          announcers.get(commandId)?.flush();
          subscriber.next(event);
          switch (event.type) {
            case "execution.started": {
              if (subscriber.closed) return;
              const options = { commandId, logs, clock, inlineBytes, everyMs, report };
              const announcer = new Announcer(options);
              announcers.set(commandId, announcer);
              // Its reader may have left at a first event.
              if (subscriber.closed) announcer.stop();
              return;
            }
            case "execution.exited":
              return announcers.get(commandId)?.release();
            case "execution.closed":
            case "execution.failed":
              return leave(commandId);
          }
        },
        error: (cause) => subscriber.error(cause),
        complete: () => {
          completed = true;
          for (const commandId of [...announcers.keys()]) leave(commandId);
          if (announcers.size === 0) subscriber.complete();
        },
      }));
    });
}
