import { randomBytes } from "node:crypto";
import type { CommandOutputEvents, TerminalOutput } from "./shells.ts";

/** What holds a terminal back and lets it go on. */
export interface TerminalFlow {
  pause(): void;
  resume(): void;
}

/** ESC ] 633 ; and C before the output of a command or D after it, the nonce of the command, BEL. */
const BEGINNING = "\x1b]633;";
const NONCE_BYTES = 16;
// deno-lint-ignore no-control-regex -- marks have control characters
const MARK = /^\x1b\]633;[CD];[0-9A-F]{32}\x07$/;
/** What the beginning of a mark is completed by, to see whether it is one. */
const ANY_MARK = `${BEGINNING}C;${"0".repeat(2 * NONCE_BYTES)}\x07`;
const MARK_BYTES = ANY_MARK.length;
const ESC = 0x1b;
const BRACKET = 0x5d;

/**
 * Cuts what the terminal of a shell prints into the outputs of its commands, by marks with a nonce
 * that was made for the command. A mark with another nonce is output like any other.
 */
export class TerminalCuts {
  readonly #flow: TerminalFlow;
  /** Gets what comes: the command that runs, or the last one. */
  #current: Cut | undefined;
  /** The shell has its order, and its first mark is to come. */
  #next: Cut | undefined;
  /** The beginning of what may be a mark. */
  #held: Uint8Array = new Uint8Array();
  #ended = false;

  constructor(flow: TerminalFlow) {
    this.#flow = flow;
  }

  /** The output of the next command. */
  output(events: CommandOutputEvents): TerminalOutput {
    // Upper case passes a terminal that is set to it.
    const nonce = randomBytes(NONCE_BYTES).toString("hex").toUpperCase();
    this.#next?.release();
    // The reader of the last command must not hold this one back.
    this.#current?.holdNoLonger();
    const next = this.#next = new Cut(nonce, events, this.#flow);
    if (this.#ended) next.terminalEnded();
    return next;
  }

  /** The chunk is valid only during this call. */
  feed(chunk: Uint8Array): void {
    const bytes = this.#held.length === 0 ? chunk : joined(this.#held, chunk);
    this.#held = new Uint8Array();
    let given = 0;
    for (let at = bytes.indexOf(ESC); at >= 0; at = bytes.indexOf(ESC, at + 1)) {
      // Most sequences are others.
      if (at + 1 < bytes.length && bytes[at + 1] !== BRACKET) continue;
      const text = String.fromCharCode(...bytes.subarray(at, at + MARK_BYTES));
      if (!MARK.test(text + ANY_MARK.slice(text.length))) continue;
      if (text.length === MARK_BYTES && !this.#isOurs(text)) continue;
      this.#current?.write(bytes.subarray(given, at));
      given = at + text.length;
      if (text.length === MARK_BYTES) this.#marked(text);
      else this.#held = Uint8Array.from(bytes.subarray(at));
    }
    if (given < bytes.length) this.#current?.write(bytes.subarray(given));
  }

  /** The terminal has ended. */
  end(): void {
    this.#ended = true;
    if (this.#held.length > 0) this.#current?.write(this.#held);
    this.#current?.release();
    this.#next?.terminalEnded();
  }

  #isOurs(mark: string): boolean {
    const nonce = nonceOf(mark);
    return nonce === this.#next?.nonce || nonce === this.#current?.nonce;
  }

  #marked(mark: string): void {
    if (nonceOf(mark) === this.#next?.nonce) {
      // What background processes of the command before print from now on belongs to the next one.
      this.#current?.release();
      this.#current = this.#next;
      this.#next = undefined;
      this.#current.hasBegun();
    }
    if (mark[BEGINNING.length] === "D") this.#current?.ended();
  }
}

/** The output of one command on the terminal of its shell. */
class Cut implements TerminalOutput {
  readonly nonce: string;
  readonly marks: TerminalOutput["marks"];
  readonly begun: Promise<void>;
  hasBegun: () => void = () => {};
  readonly #events: CommandOutputEvents;
  readonly #flow: TerminalFlow;
  /** Its last mark has come. */
  #ended = false;
  /** The shell has reported its end, and that none of its processes is left. */
  #alone = false;
  #finished = false;
  /** The terminal ended before the first mark had come. */
  #orphan = false;
  #over = false;
  #held = false;
  #mayHold = true;

  constructor(nonce: string, events: CommandOutputEvents, flow: TerminalFlow) {
    this.nonce = nonce;
    this.marks = { begin: `${BEGINNING}C;${nonce}\x07`, end: `${BEGINNING}D;${nonce}\x07` };
    this.begun = new Promise((resolve) => (this.hasBegun = resolve));
    this.#events = events;
    this.#flow = flow;
  }

  get held(): boolean {
    return this.#held;
  }

  write(bytes: Uint8Array): void {
    if (!this.#over && bytes.length > 0) this.#events.data(bytes);
  }

  ended(): void {
    this.#ended = true;
    if (this.#alone) this.release();
  }

  /** Another shell may run its command, unless that is reported to have ended. */
  terminalEnded(): void {
    this.#orphan = true;
    this.hasBegun();
    if (this.#finished) this.release();
  }

  finish(startedSome: boolean): boolean {
    this.#finished = true;
    this.#alone = !startedSome;
    if (this.#orphan || (this.#ended && this.#alone)) this.release();
    return this.#over;
  }

  holdNoLonger(): void {
    this.resume();
    this.#mayHold = false;
  }

  pause(): void {
    if (this.#over || !this.#mayHold) return;
    this.#held = true;
    this.#flow.pause();
  }

  resume(): void {
    if (this.#over) return;
    this.#held = false;
    this.#flow.resume();
  }

  release(): void {
    if (this.#over) return;
    this.#flow.resume();
    this.#over = true;
    this.hasBegun();
    this.#events.end();
  }
}

function nonceOf(mark: string): string {
  return mark.slice(BEGINNING.length + 2, -1);
}

function joined(first: Uint8Array, second: Uint8Array): Uint8Array {
  const both = new Uint8Array(first.length + second.length);
  both.set(first);
  both.set(second, first.length);
  return both;
}
