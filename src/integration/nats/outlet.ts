import type { Clock } from "../../platform/clock.ts";
import type { ByteSink, Demand } from "../../stream/bytes.ts";
import { type Frame, writeFrame } from "./frames.ts";

/** Bytes that may wait to be sent before the command has to wait. */
const MAX_WAITING = 1024 * 1024;
/** How long after a failure a frame is sent again, in milliseconds. */
const RETRY_MS = 500;

interface Waiting {
  readonly type: Frame["type"];
  readonly parts: Uint8Array[];
  size: number;
}

/** How an outlet sends. */
export interface OutletOptions {
  readonly clock: Clock;
  /** How many bytes of output one frame has at most. */
  readonly pieceSize: number;
  /** Rejects when the server has not taken the frame; it is then sent again under its number. */
  readonly send: (frame: Uint8Array, number: number) => Promise<unknown>;
}

/**
 * Sends what a run prints and does, in order: one frame at a time, in which all that came meanwhile
 * is gathered. A command that prints faster waits.
 */
export class Outlet implements ByteSink {
  readonly #options: OutletOptions;
  readonly #queue: Waiting[] = [];
  readonly #holds = new Set<"host" | "backlog">();
  #demand: Demand | undefined;
  #waiting = 0;
  #number = 0;
  #abandoned = false;
  #isSending = false;
  #sent: Promise<void> = Promise.resolve();

  constructor(options: OutletOptions) {
    this.#options = options;
  }

  /** How the command is slowed down. */
  follow(demand: Demand): void {
    this.#demand = demand;
    if (this.#holds.size > 0) demand.pause();
  }

  write(chunk: Uint8Array): void {
    const { pieceSize } = this.#options;
    for (let at = 0; at < chunk.length; at += pieceSize) {
      this.#push("output", Uint8Array.from(chunk.subarray(at, at + pieceSize)));
    }
  }

  end(): void {
    this.#push("end", new Uint8Array());
  }

  /** Report an event after what was written before. */
  event(event: object): void {
    this.#push("event", new TextEncoder().encode(JSON.stringify(event)));
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

  #push(type: Frame["type"], bytes: Uint8Array): void {
    if (this.#abandoned) return;
    const last = this.#queue.at(-1);
    const room = this.#options.pieceSize - bytes.length;
    if (type === "output" && last?.type === type && last.size <= room) {
      last.parts.push(bytes);
      last.size += bytes.length;
    } else this.#queue.push({ type, parts: [bytes], size: bytes.length });
    this.#waiting += bytes.length;
    if (this.#waiting > MAX_WAITING) this.hold("backlog", true);
    if (!this.#isSending) this.#sent = this.#send();
  }

  async #send(): Promise<void> {
    this.#isSending = true;
    for (let next = this.#queue.shift(); next !== undefined; next = this.#queue.shift()) {
      const number = this.#number++;
      const frame = writeFrame(number, next.type, next.parts);
      while (!this.#abandoned && !await this.#isTaken(frame, number)) await this.#pause();
      this.#waiting -= next.size;
      if (this.#waiting < MAX_WAITING / 4) this.hold("backlog", false);
    }
    this.#isSending = false;
  }

  #isTaken(frame: Uint8Array, number: number): Promise<boolean> {
    return this.#options.send(frame, number).then(() => true, () => false);
  }

  #pause(): Promise<void> {
    return new Promise((resolve) => this.#options.clock.after(RETRY_MS, resolve));
  }
}
