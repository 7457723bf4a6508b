import { concatenated } from "../stream/concatenated.ts";

const STAR = "*";
/** So much of the beginning or the end of a text is hidden where the rest is not there. */
const LEAST = 8;

const NOTHING = new Uint8Array(0);

/** Where a part of an output stands. */
export interface MaskedPart {
  /** Its offset. */
  readonly from: number;
  /** What is known to stand on either side of it. */
  readonly before?: Uint8Array;
  readonly after?: Uint8Array;
}

/** Hides texts in what is shown of an output: each of their bytes becomes a star, so that offsets stay. */
export class Mask {
  /** So many bytes on either side of a part say whether one of the texts reaches into it. */
  readonly reach: number;
  readonly #texts: readonly string[];
  readonly #needles: readonly Uint8Array[];

  constructor(texts: readonly string[]) {
    // A text within another one must not leave the rest of that.
    this.#texts = [...texts].sort((one, other) => other.length - one.length);
    this.#needles = texts.map((text) => new TextEncoder().encode(text));
    this.reach = Math.max(0, ...this.#needles.map(({ length }) => length - 1));
  }

  /** Hide the texts in a part of an output. */
  bytes(
    part: Uint8Array,
    { from, before = NOTHING, after = NOTHING }: MaskedPart,
  ): Uint8Array {
    const all = concatenated([before, part, after]);
    const masked = all.slice();
    for (const needle of this.#needles) {
      for (const [start, end] of places(all, needle, before.length < from)) {
        masked.fill(STAR.charCodeAt(0), start, end);
      }
    }
    return masked.subarray(before.length, before.length + part.length);
  }

  /** Hide the texts in what follows each other, also where one begins in one part and ends in another. */
  parts(parts: readonly string[]): readonly string[] {
    const all = this.text(parts.join(""));
    let at = 0;
    return parts.map(({ length }) => all.slice(at, at += length));
  }

  /** Hide the texts in a text. */
  text(text: string): string {
    return this.#texts.reduce((all, each) => all.replaceAll(each, STAR.repeat(each.length)), text);
  }
}

/** Where a text stands, or the beginning of it at the end, or the end of it where bytes were cut. */
function* places(
  bytes: Uint8Array,
  text: Uint8Array,
  isCut: boolean,
): Generator<readonly [number, number]> {
  const most = Math.min(text.length - 1, bytes.length);
  for (let length = most; length >= LEAST; length--) {
    if (isCut && isSame(text.subarray(-length), bytes)) yield [0, length];
    const from = bytes.length - length;
    if (isSame(text.subarray(0, length), bytes.subarray(from))) yield [from, bytes.length];
  }
  // Strings of one character for each byte are searched many times as fast as bytes.
  const [all, wanted] = [ONE_BYTE.decode(bytes), ONE_BYTE.decode(text)];
  for (let from = all.indexOf(wanted); from >= 0; from = all.indexOf(wanted, from + 1)) {
    yield [from, from + text.length];
  }
}

const ONE_BYTE = new TextDecoder("latin1");

/** Whether bytes begin with others. */
function isSame(wanted: Uint8Array, bytes: Uint8Array): boolean {
  return wanted.every((byte, at) => byte === bytes[at]);
}
