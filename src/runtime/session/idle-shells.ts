import type { CommandId, SessionId } from "../../event/command.ts";
import { closesCommand, type RuntimeEvent } from "../../event/event.ts";
import type { CancelTimer, Clock } from "../../platform/clock.ts";

/** What is needed to free shells. */
export interface IdleShellsOptions {
  readonly clock: Clock;
  /** How long a shell is kept that nobody uses, in milliseconds; 0: for as long as its session. */
  readonly idleMs: number;
  /** Tell a session that nobody has used its shell for long. */
  readonly rest: (sessionId: SessionId) => void;
}

/** Frees the shells of sessions in which nothing has run for long, and in which nothing goes on. */
export class IdleShells {
  readonly #options: IdleShellsOptions;
  #closed = false;
  readonly #timers = new Map<SessionId, CancelTimer>();
  /** Commands whose output is open, so that something of them may still run. */
  readonly #open = new Map<SessionId, Set<CommandId>>();

  constructor(options: IdleShellsOptions) {
    this.#options = options;
  }

  /** Take an event of a session's command into account. */
  next(sessionId: SessionId, event: RuntimeEvent): void {
    if (this.#closed || this.#options.idleMs === 0 || !("commandId" in event)) return;
    const { commandId } = event;
    if (event.type === "command.requested") this.#stop(sessionId);
    if (event.type === "execution.started") {
      const open = this.#open.get(sessionId) ?? new Set();
      this.#open.set(sessionId, open.add(commandId));
    }
    if (!closesCommand(event)) return;
    const open = this.#open.get(sessionId);
    open?.delete(commandId);
    if (open !== undefined && open.size > 0) return;
    this.#open.delete(sessionId);
    this.#wait(sessionId);
  }

  /** The session has closed. */
  forget(sessionId: SessionId): void {
    this.#stop(sessionId);
    this.#open.delete(sessionId);
  }

  /** Free nothing any more. */
  close(): void {
    this.#closed = true;
    for (const sessionId of [...this.#timers.keys()]) this.#stop(sessionId);
  }

  #wait(sessionId: SessionId): void {
    this.#stop(sessionId);
    const { clock, idleMs, rest } = this.#options;
    const free = () => {
      this.#timers.delete(sessionId);
      rest(sessionId);
    };
    this.#timers.set(sessionId, clock.after(idleMs, free));
  }

  #stop(sessionId: SessionId): void {
    this.#timers.get(sessionId)?.();
    this.#timers.delete(sessionId);
  }
}
