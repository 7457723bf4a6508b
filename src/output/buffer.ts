import { Observable } from "rxjs";
import type { CommandId } from "../event/command.ts";
import type { ExecutionStarted } from "../event/execution.ts";
import type { OutputEvent } from "../event/output.ts";
import { type Clock, systemClock } from "../platform/clock.ts";
import type { Happened, Stage } from "../stream/stage.ts";
import { Announcer } from "./announcer.ts";
import type { ByteLog } from "./byte-log.ts";
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
export function buffer(options: BufferOptions): Stage<ExecutionStarted, OutputEvent> {
  return <E extends Happened>(events: Observable<E>) =>
    new Observable<E | OutputEvent>((subscriber) => {
      const watches = new Map<CommandId, Watch>();
      const report = (event: OutputEvent) => subscriber.next(event);
      let completed = false;
      const leave = (commandId: CommandId) => {
        const watch = watches.get(commandId);
        if (watch === undefined) return;
        watch.flush();
        watch.leave(() => {
          if (watches.get(commandId) === watch) watches.delete(commandId);
          if (completed && watches.size === 0) subscriber.complete();
        });
      };
      subscriber.add(() => {
        for (const watch of watches.values()) watch.stop();
      });
      subscriber.add(events.subscribe({
        next: (event) => {
          const commandId = executed(event);
          if (commandId === undefined) return subscriber.next(event);
          watches.get(commandId)?.flush();
          subscriber.next(event);
          switch (event.type) {
            case "execution.started":
              if (subscriber.closed) return;
              watches.set(commandId, new Watch({ ...options, commandId, report }));
              return;
            case "execution.exited":
              return watches.get(commandId)?.release();
            case "execution.closed":
            case "execution.failed":
              return leave(commandId);
          }
        },
        error: (cause) => subscriber.error(cause),
        complete: () => {
          completed = true;
          for (const commandId of [...watches.keys()]) leave(commandId);
          if (watches.size === 0) subscriber.complete();
        },
      }));
    });
}

/** The command of an event of `execution`; every other event passes as it came. */
function executed(event: Happened): CommandId | undefined {
  if (!event.type.startsWith("execution.") || !("commandId" in event)) return undefined;
  return typeof event.commandId === "string" ? event.commandId : undefined;
}

interface WatchOptions extends BufferOptions {
  readonly commandId: CommandId;
  readonly report: (event: OutputEvent) => void;
}

/** What this stage does for one command. */
class Watch {
  #log: ByteLog | undefined;
  #announcer: Announcer | undefined;
  /** The log may be released, once the command has ended. Idempotent. */
  readonly release: () => void;
  readonly #unlisten: () => void;
  #unlistenSpill: () => void = () => {};

  constructor({ commandId, report, logs, clock = systemClock, ...options }: WatchOptions) {
    const { inlineBytes = logs.inlineBytes, everyMs = 100 } = options;
    this.release = logs.retain(commandId);
    this.#unlisten = logs.whenOpen(commandId, (log) => {
      this.#log = log;
      this.#announcer = new Announcer({ log, clock, everyMs, inlineBytes, announce: report });
      this.#unlistenSpill = log.onSpill(report);
    });
  }

  /** Announce every byte so far. */
  flush(): void {
    this.#announcer?.flush();
  }

  /** Stop, once nothing more can happen to the file. */
  leave(left: () => void): void {
    const end = () => {
      this.stop();
      left();
    };
    if (this.#log?.path === undefined) return end();
    void this.#log.flushed().then(end);
  }

  stop(): void {
    this.#announcer?.stop();
    this.#unlistenSpill();
    this.#unlisten();
    this.release();
  }
}
