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
  #demand: Demand | undefined;
  #held = false;
  #paused = false;
  #waiting = 0;
  #number = 0;
  #abandoned = false;
  /** Resolves when all was sent, or is wanted no more. */
  sent: Promise<void> = Promise.resolve();

  constructor(ticket: Ticket, mailbox: Mailbox) {
    this.#ticket = ticket;
    this.#mailbox = mailbox;
  }

  /** How the command is slowed down. */
  follow(demand: Demand): void {
    this.#demand = demand;
    if (this.#paused) demand.pause();
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
    this.#balance();
  }

  end(): void {
    this.#push({ frame: { end: true }, parts: [], size: 0 });
  }

  /** Report an event after what was written before. */
  event(event: ExecutionEvent): void {
    this.#push({ frame: { event }, parts: [], size: 0 });
  }

  /** Let the command wait, or go on. */
  hold(held: boolean): void {
    this.#held = held;
    this.#balance();
  }

  /** Its host is gone: send nothing more, and let the command go on to its end. */
  abandon(): void {
    this.#abandoned = true;
    this.#queue.length = 0;
    this.#balance();
  }

  #push(next: Waiting): void {
    if (this.#abandoned) return;
    this.#queue.push(next);
    this.sent = this.sent.then(() => this.#sendNext());
  }

  async #sendNext(): Promise<void> {
    const next = this.#queue.shift();
    if (next === undefined) return; // abandoned
    const { host, run } = this.#ticket;
    const message: Frame = { type: "frame", run, number: this.#number++, ...next.frame };
    const isWanted = () => !this.#abandoned;
    await this.#mailbox.insist(host, message, { bytes: concatenated(next.parts), isWanted });
    this.#waiting -= next.size;
    this.#balance();
  }

  /** It goes on when three quarters of what waited were sent. */
  #balance(): void {
    const isFull = this.#waiting > (this.#paused ? MAX_WAITING / 4 : MAX_WAITING);
    const paused = !this.#abandoned && (this.#held || isFull);
    if (paused === this.#paused) return;
    this.#paused = paused;
    if (paused) this.#demand?.pause();
    else this.#demand?.resume();
  }
}

function isOutput(frame: Waiting["frame"], stream: OutputStream | undefined): boolean {
  return frame.event === undefined && !frame.end && frame.stream === stream;
}
