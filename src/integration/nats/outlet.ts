import type { ExecutionEvent } from "../../event/execution.ts";
import type { ByteSink, Demand, OutputStream } from "../../stream/bytes.ts";
import { concatenated } from "../../stream/concatenated.ts";
import type { Mailbox } from "./mailbox.ts";
import type { Frame, Ticket } from "./messages.ts";

/** Bytes that may wait to be sent before the command has to wait. */
const MAX_WAITING = 1024 * 1024;

interface Waiting {
  readonly frame: Pick<Frame, "event" | "end" | "stream">;
  /** Of output alone. */
  readonly parts: Uint8Array[];
  size: number;
}

/**
 * Sends what a run prints and does, in order: one frame at a time, until its host has it, and
 * gathers meanwhile all that comes. A command that prints faster waits.
 */
export class Outlet implements ByteSink {
  readonly #ticket: Ticket;
  readonly #mailbox: Mailbox;
  readonly #queue: Waiting[] = [];
  readonly #holds = new Set<"host" | "backlog">();
  #demand: Demand | undefined;
  #waiting = 0;
  #number = 0;
  #abandoned = false;
  #isSending = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(ticket: Ticket, mailbox: Mailbox) {
    this.#ticket = ticket;
    this.#mailbox = mailbox;
  }

  /** How the command is slowed down. */
  follow(demand: Demand): void {
    this.#demand = demand;
    if (this.#holds.size > 0) demand.pause();
  }

  write(chunk: Uint8Array, stream?: OutputStream): void {
    const { pieceSize } = this.#mailbox;
    for (let at = 0; at < chunk.length; at += pieceSize) {
      const bytes = Uint8Array.from(chunk.subarray(at, at + pieceSize));
      const last = this.#queue.at(-1);
      if (last && isOutput(last.frame, stream) && last.size + bytes.length <= pieceSize) {
        last.parts.push(bytes);
        last.size += bytes.length;
      } else this.#push({ frame: { stream }, parts: [bytes], size: bytes.length });
      this.#waiting += bytes.length;
    }
    if (this.#waiting > MAX_WAITING) this.hold("backlog", true);
  }

  end(): void {
    this.#push({ frame: { end: true }, parts: [], size: 0 });
  }

  /** Report an event after what was written before. */
  event(event: ExecutionEvent): void {
    this.#push({ frame: { event }, parts: [], size: 0 });
  }

  /** Let the command wait, or go on, for a reason. */
  hold(why: "host" | "backlog", held: boolean): void {
    const before = this.#holds.size > 0;
    if (held && !this.#abandoned) this.#holds.add(why);
    else this.#holds.delete(why);
    const after = this.#holds.size > 0;
    if (before !== after) after ? this.#demand?.pause() : this.#demand?.resume();
  }

  /** Resolves when all was sent, or is wanted no more. */
  sent(): Promise<void> {
    return this.#sent;
  }

  /** Its host is gone: send nothing more, and let the command go on to its end. */
  abandon(): void {
    this.#abandoned = true;
    this.#queue.length = 0;
    this.hold("host", false);
    this.hold("backlog", false);
  }

  #push(next: Waiting): void {
    if (this.#abandoned) return;
    this.#queue.push(next);
    if (!this.#isSending) this.#sent = this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    const { host, run } = this.#ticket;
    const isWanted = () => !this.#abandoned;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const message: Frame = { type: "frame", run, number: this.#number++, ...next.frame };
      await this.#mailbox.insist(host, message, { bytes: concatenated(next.parts), isWanted });
      this.#waiting -= next.size;
      if (this.#waiting < MAX_WAITING / 4) this.hold("backlog", false);
    }
    this.#isSending = false;
  }
}

function isOutput(frame: Waiting["frame"], stream: OutputStream | undefined): boolean {
  return frame.event === undefined && !frame.end && frame.stream === stream;
}
