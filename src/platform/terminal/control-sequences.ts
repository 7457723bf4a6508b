import { Buffer } from "node:buffer";
/** A control sequence: ESC [, parameters and intermediates, and a final byte that says what it does. */
export interface ControlSequence {
  readonly final: string;
  /** Where its parameters and intermediates stand; valid only during the call, as most are never read. */
  readonly bytes: Uint8Array;
  readonly from: number;
  readonly to: number;
}

/** What a {@linkcode ControlSequences} calls, in order, each with the offset in the stream behind what it found. */
export interface SequenceEvents {
  /** Any but those that change the style of what follows (SGR) or erase in their line (EL): these count as text. */
  readonly csi: (sequence: ControlSequence, end: number) => void;
  /** An operating system command, without ESC ] and its terminator, which is BEL or ESC \. */
  readonly osc: (command: OperatingSystemCommand, end: number) => void;
  /** ESC with intermediates and a final byte; `text` is without the ESC. */
  readonly escape: (text: string, end: number) => void;
  /** A shift of character sets, a cancelled sequence or a string of another kind: no text, and no mode is changed. */
  readonly other: (end: number) => void;
  /** Something that a terminal may take for any sequence: a C1 control, or a malformed sequence. */
  readonly unknown: (end: number) => void;
}

/** The text between ESC ] and its terminator; a reply is to end as the question did. */
export interface OperatingSystemCommand {
  readonly text: string;
  readonly terminator: "\x07" | "\x1b\\";
}

/** Longest control sequence and longest string that are taken for one; longer ones are passed over. */
const MOST_PARAMETERS = 256;
const MOST_TEXT = 8_192;

const ESC = 0x1b;
const BEL = 0x07;
const CAN = 0x18;
const SUB = 0x1a;
/** The first byte of C1 controls in UTF-8, and of some letters. */
const C2 = 0xc2;
const STRING_TERMINATOR = 0x9c;

/** Bytes that are not plain text or simple controls: ESC, the two shifts of character sets, and C2. */
const SPECIAL = new Uint8Array(256);
for (const byte of [ESC, 0x0e, 0x0f, C2]) SPECIAL[byte] = 1;

/**
 * Finds the escape sequences of a terminal's output, which may be split at any byte.
 *
 * It follows the parser for the DEC VT500 series by Paul Williams, as xterm.js does. Strings of other
 * kinds, C1 controls and malformed sequences it passes over until something that ends or cancels
 * every sequence there, so it never takes what may be inside a sequence for text.
 *
 * @see {@link https://vt100.net/emu/dec_ansi_parser}
 */
export class ControlSequences {
  readonly #events: SequenceEvents;
  /** A sequence of which the end is still to come. */
  #begun: Uint8Array | undefined;
  /** Inside something that only ESC, CAN, SUB or ST is sure to end. */
  #lost = false;
  #total = 0;
  #lastStyle = 0;

  constructor(events: SequenceEvents) {
    this.#events = events;
  }

  /** Whether the next byte is text, or continues a sequence that has begun. */
  get inText(): boolean {
    return !this.#lost;
  }

  /** The offset behind the last byte that is no part of a sequence with its end still to come. */
  get complete(): number {
    return this.#total - (this.#begun?.length ?? 0);
  }

  /** The offset behind the last of the sequences that count as text. */
  get lastStyle(): number {
    return this.#lastStyle;
  }

  /** Read on. */
  feed(chunk: Uint8Array): void {
    const bytes = this.#begun === undefined ? chunk : Buffer.concat([this.#begun, chunk]);
    const base = this.complete;
    this.#begun = undefined;
    this.#total += chunk.length;
    let at = 0;
    while (at < bytes.length) {
      const start = this.#lost ? at : this.#pastText(bytes, at, base);
      if (start === bytes.length) return;
      at = this.#lost ? this.#find(bytes, start, base) : this.#sequence(bytes, start, base);
      if (at === INCOMPLETE) {
        this.#begun = new Uint8Array(bytes.subarray(start)); // a slice of a Buffer is no copy
        return;
      }
    }
  }

  /** Where text ends; the ends of styles are found here as well, since most sequences are styles. */
  #pastText(bytes: Uint8Array, from: number, base: number): number {
    let style = from;
    let i = nextSpecial(bytes, from);
    while (bytes[i] === ESC && bytes[i + 1] === 0x5b) {
      let end = i + 2;
      while (isParameter(bytes[end])) end++;
      if (bytes[end] !== 0x6d && bytes[end] !== 0x4b) break;
      style = end + 1;
      i = nextSpecial(bytes, style);
    }
    if (style > from) this.#lastStyle = base + style;
    return i;
  }

  /** Read what is not text; answers where it ends, or that it does not end here. */
  #sequence(bytes: Uint8Array, at: number, base: number): number {
    const next = bytes[at + 1];
    if (bytes[at] === ESC) return this.#escape(bytes, at, base);
    if (bytes[at] !== C2) return this.#other(at + 1, base);
    if (next === undefined) return INCOMPLETE;
    return isC1(next) ? this.#lose(at + 2, base, "unknown") : at + 1;
  }

  #escape(bytes: Uint8Array, at: number, base: number): number {
    let i = at + 1;
    if (bytes[i] === 0x5b) return this.#control(bytes, i + 1, base);
    if (bytes[i] === 0x5d) return this.#command(bytes, i + 1, base);
    while (isIntermediate(bytes[i]) && i - at < MOST_PARAMETERS) i++;
    const final = bytes[i];
    if (final === undefined) return INCOMPLETE;
    if (final === ESC) return i;
    if (final === CAN || final === SUB) return i + 1;
    if (final < 0x30 || final > 0x7e) return this.#lose(i, base, "unknown");
    if (i === at + 1 && opensString(final)) return this.#lose(i + 1, base, "other");
    this.#events.escape(ascii(bytes, at + 1, i + 1), base + i + 1);
    return i + 1;
  }

  #control(bytes: Uint8Array, from: number, base: number): number {
    let i = from;
    if (isPrefix(bytes[i])) i++;
    while (isParameter(bytes[i])) i++;
    while (isIntermediate(bytes[i])) i++;
    const final = bytes[i];
    if (i - from > MOST_PARAMETERS) return this.#lose(i, base, "unknown");
    if (final === undefined) return INCOMPLETE;
    if (final === ESC) return i;
    if (final === CAN || final === SUB) return i + 1;
    if (final < 0x40 || final > 0x7e) return this.#lose(i, base, "unknown");
    this.#events.csi({ final: String.fromCharCode(final), bytes, from, to: i }, base + i + 1);
    return i + 1;
  }

  #command(bytes: Uint8Array, from: number, base: number): number {
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i];
      const next = bytes[i + 1];
      if (byte === BEL) return this.#commanded(bytes, { from, to: i, end: i + 1, base });
      if (byte === CAN || byte === SUB) return this.#other(i + 1, base);
      if (byte !== ESC && byte !== C2) continue;
      if (next === undefined) return INCOMPLETE;
      if (byte === ESC) {
        return this.#commanded(bytes, { from, to: i, end: next === 0x5c ? i + 2 : i, base });
      }
      if (next === STRING_TERMINATOR) {
        return this.#commanded(bytes, { from, to: i, end: i + 2, base });
      }
      if (isC1(next)) return this.#lose(i + 2, base, "unknown");
    }
    return bytes.length - from > MOST_TEXT ? this.#lose(bytes.length, base, "other") : INCOMPLETE;
  }

  #commanded(
    bytes: Uint8Array,
    { from, to, end, base }: {
      readonly from: number;
      readonly to: number;
      readonly end: number;
      readonly base: number;
    },
  ): number {
    if (to - from > MOST_TEXT) return this.#other(end, base);
    // A terminal ignores other controls inside.
    const text = new TextDecoder().decode(bytes.subarray(from, to).filter((byte) => byte >= 0x20));
    const terminator = bytes[to] === BEL ? "\x07" : "\x1b\\";
    this.#events.osc({ text, terminator }, base + end);
    return end;
  }

  /** Find what ends everything; answers where text or a sequence begins, or that it is not here. */
  #find(bytes: Uint8Array, from: number, base: number): number {
    for (let i = from; i < bytes.length; i++) {
      const byte = bytes[i];
      const next = bytes[i + 1];
      if (byte === ESC || byte === CAN || byte === SUB) {
        this.#lost = false;
        return byte === ESC ? i : this.#other(i + 1, base);
      }
      if (byte !== C2) continue;
      if (next === undefined) return i === from ? INCOMPLETE : i;
      if (next === STRING_TERMINATOR) {
        this.#lost = false;
        return this.#other(i + 2, base);
      }
      if (isC1(next)) this.#events.unknown(base + i + 2);
    }
    return bytes.length;
  }

  #lose(at: number, base: number, why: "other" | "unknown"): number {
    this.#lost = true;
    this.#events[why](base + at);
    return at;
  }

  #other(end: number, base: number): number {
    this.#events.other(base + end);
    return end;
  }
}

/** The parameters and intermediates of a control sequence. */
export function parametersOf({ bytes, from, to }: ControlSequence): string {
  return ascii(bytes, from, to);
}

const INCOMPLETE = -1;

function nextSpecial(bytes: Uint8Array, from: number): number {
  let i = from;
  while (i < bytes.length && SPECIAL[bytes[i] ?? 0] === 0) i++;
  return i;
}

function isC1(byte: number): boolean {
  return byte >= 0x80 && byte <= 0x9f;
}

function isPrefix(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x3c && byte <= 0x3f;
}

function isParameter(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x30 && byte <= 0x3b;
}

function isIntermediate(byte: number | undefined): boolean {
  return byte !== undefined && byte >= 0x20 && byte <= 0x2f;
}

/** P is DCS, X is SOS, ^ is PM, _ is APC. */
function opensString(byte: number): boolean {
  return byte === 0x50 || byte === 0x58 || byte === 0x5e || byte === 0x5f;
}

function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
