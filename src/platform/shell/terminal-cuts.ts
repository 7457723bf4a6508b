import { Buffer } from "node:buffer";
import { randomBytes } from "node:crypto";
import type { Terminal } from "../terminal/terminals.ts";
import type { PipeEvents, PipeReader } from "../pipe/pipe-reader.ts";

/** What holds a terminal back, lets it go on, and prints on it. */
export type TerminalFlow = Pick<Terminal, "pause" | "resume" | "print">;

/** The output of one command on the terminal of its shell. */
export interface TerminalOutput extends PipeReader {
  /** What the shell is to print before it. */
  readonly mark: string;
  /** Its reader holds it back. */
  readonly held: boolean;
  /** Resolves once the command has begun, or cannot any more. */
  readonly begun: Promise<void>;
  /**
   * The command has ended, and none of its processes is left: `events.end` follows once what they
   * printed was read. Until then it is read until the next command, or the end of the terminal.
   *
   * @returns Whether the terminal took the mark of that; it may be full.
   */
  close(): boolean;
}

/** A mark of one command in the output of its terminal, with the letters that shells use. */
interface Mark {
  readonly cut: Cut;
  /** The command begins; all of its processes have ended. */
  readonly type: "C" | "D";
  readonly bytes: Uint8Array;
}

const ESC = 0x1b;
const encoder = new TextEncoder();

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
  /** The marks of both. */
  #marks: readonly Mark[] = [];
  /** The beginning of one of these. */
  #held: Uint8Array = new Uint8Array();
  #ended = false;

  constructor(flow: TerminalFlow) {
    this.#flow = flow;
  }

  /** The output of the next command. */
  output(events: PipeEvents): TerminalOutput {
    this.#next?.release();
    // The reader of the last command must not hold this one back.
    this.#current?.holdNoLonger();
    const next = this.#next = new Cut(events, this.#flow);
    this.#marks = [...next.parts, ...this.#current?.parts ?? []];
    if (this.#ended) next.release();
    return next;
  }

  /** The chunk is valid only during this call. */
  feed(chunk: Uint8Array): void {
    const bytes = this.#held.length === 0 ? chunk : Buffer.concat([this.#held, chunk]);
    this.#held = new Uint8Array();
    let given = 0;
    for (let at = bytes.indexOf(ESC); at >= 0; at = bytes.indexOf(ESC, at + 1)) {
      const mark = this.#marks.find((mark) => isBeginning(bytes, at, mark.bytes));
      if (mark === undefined) continue;
      this.#current?.write(bytes.subarray(given, at));
      given = at + mark.bytes.length;
      if (given > bytes.length) this.#held = Uint8Array.from(bytes.subarray(at));
      else this.#marked(mark);
    }
    if (given < bytes.length) this.#current?.write(bytes.subarray(given));
  }

  /** The terminal has ended. */
  end(): void {
    this.#ended = true;
    if (this.#held.length > 0) this.#current?.write(this.#held);
    this.#current?.release();
    this.#next?.release();
  }

  #marked({ cut, type }: Mark): void {
    if (cut === this.#next) {
      // What background processes of the command before print from now on belongs to the next one.
      const before = this.#current;
      before?.release();
      this.#current = cut;
      this.#next = undefined;
      // The last mark of that command may have been printed behind the first one of this.
      this.#marks = [...cut.parts, ...before?.parts ?? []];
      cut.hasBegun();
    }
    if (type === "D") cut.release();
  }
}

/** The output of one command on the terminal of its shell. */
class Cut implements TerminalOutput {
  readonly mark: string;
  readonly parts: readonly Mark[];
  readonly begun: Promise<void>;
  hasBegun: () => void = () => {};
  readonly #events: PipeEvents;
  readonly #flow: TerminalFlow;
  /** What is still to be printed of its last mark. */
  #closing: Uint8Array;
  #over = false;
  #held = false;
  #mayHold = true;

  constructor(events: PipeEvents, flow: TerminalFlow) {
    // Upper case passes a terminal that is set to it.
    const nonce = randomBytes(16).toString("hex").toUpperCase();
    const mark = (type: Mark["type"]) => `\x1b]633;${type};${nonce}\x07`;
    this.mark = mark("C");
    this.#closing = encoder.encode(mark("D"));
    this.parts = [
      { cut: this, type: "C", bytes: encoder.encode(this.mark) },
      { cut: this, type: "D", bytes: this.#closing },
    ];
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

  close(): boolean {
    const taken = this.#over ? undefined : this.#flow.print(this.#closing);
    if (taken === undefined) this.release();
    this.#closing = this.#closing.subarray(taken);
    return this.#over || this.#closing.length === 0;
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

/** Whether the bytes from a place on, as many as there are, are those of a mark. */
function isBeginning(bytes: Uint8Array, at: number, mark: Uint8Array): boolean {
  const length = Math.min(mark.length, bytes.length - at);
  for (let i = 1; i < length; i++) if (bytes[at + i] !== mark[i]) return false;
  return true;
}
