import { concatenated } from "../stream/concatenated.ts";
import { SEQUENCE } from "./view/escapes.ts";

const STAR = "*";
const ESCAPE = 0x1b;
/** So much of the beginning or the end of a text is hidden where the rest is not there. */
const MIN_PART = 8;

const NOTHING = new Uint8Array(0);

type Stretch = readonly [from: number, to: number];

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
  /** The texts in UTF-8, a character for each byte. */
  readonly #needles: readonly string[];
  /** Their ASCII in UTF-16, of either order. */
  readonly #wideNeedles: readonly string[];

  constructor(texts: readonly string[]) {
    // A text within another one must not leave the rest of that.
    this.#texts = [...texts].sort((one, other) => other.length - one.length);
    this.#needles = texts.map((text) => characters(new TextEncoder().encode(text)));
    this.#wideNeedles = this.#needles.map((needle) => [...needle].join("\0"));
    this.reach = Math.max(0, ...this.#wideNeedles.map(({ length }) => length - 1));
  }

  /** Hide the texts in a part of an output, also those with escape sequences in them. */
  bytes(
    part: Uint8Array,
    { from, before = NOTHING, after = NOTHING }: MaskedPart,
  ): Uint8Array {
    const all = concatenated([before, part, after]);
    const masked = all.slice();
    const isCut = before.length < from;
    const hide = (text: string, needles: readonly string[], places?: Uint32Array) => {
      for (const needle of needles) {
        for (const [start, end] of stretches(text, needle, isCut)) {
          for (let i = start; i < end; i++) {
            const at = places?.[i] ?? i;
            if (all[at] !== 0) masked[at] = STAR.charCodeAt(0);
          }
        }
      }
    };
    const text = characters(all);
    hide(text, this.#needles);
    if (all.includes(0)) hide(text, this.#wideNeedles);
    if (all.includes(ESCAPE)) {
      const { shown, places } = withoutSequences(text);
      hide(shown, this.#needles, places);
    }
    return masked.subarray(before.length, before.length + part.length);
  }

  /**
   * Hide the texts in the rows of a screen: those that go on in the next row, the end of one that has
   * scrolled off, and the beginning of one that ends with a row.
   */
  rows(rows: readonly string[]): readonly string[] {
    const all = rows.join("");
    const masked = all.split("");
    for (const text of this.#texts) {
      for (const stretch of stretches(all, text, true)) masked.fill(STAR, ...stretch);
      let end = 0;
      for (const { length } of rows) {
        end += length;
        for (const stretch of beginnings(all, text, end)) masked.fill(STAR, ...stretch);
      }
    }
    let at = 0;
    return rows.map(({ length }) => masked.slice(at, at += length).join(""));
  }

  /** Hide the texts in a text. */
  text(text: string): string {
    return this.#texts.reduce((all, each) => all.replaceAll(each, STAR.repeat(each.length)), text);
  }
}

/** Where a text stands, or the beginning of it at the end, or the end of it where bytes were cut. */
function* stretches(all: string, text: string, isCut: boolean): Generator<Stretch> {
  if (isCut) {
    for (let length = Math.min(text.length - 1, all.length); length >= MIN_PART; length--) {
      if (all.startsWith(text.slice(-length))) yield [0, length];
    }
  }
  yield* beginnings(all, text, all.length);
  for (let from = all.indexOf(text); from >= 0; from = all.indexOf(text, from + 1)) {
    yield [from, from + text.length];
  }
}

/** Where the beginning of a text stands in front of a place. */
function* beginnings(all: string, text: string, end: number): Generator<Stretch> {
  for (let length = Math.min(text.length - 1, end); length >= MIN_PART; length--) {
    if (all.startsWith(text.slice(0, length), end - length)) yield [end - length, end];
  }
}

const ONE_BYTE = new TextDecoder("latin1");

/** Strings of one character for each byte are searched many times as fast as bytes. */
function characters(bytes: Uint8Array): string {
  return ONE_BYTE.decode(bytes);
}

/** What a terminal shows of bytes, and the place of each of those. */
function withoutSequences(text: string): { readonly shown: string; readonly places: Uint32Array } {
  const places = new Uint32Array(text.length);
  const pieces: string[] = [];
  let count = 0;
  let at = 0;
  const keep = (to: number) => {
    pieces.push(text.slice(at, to));
    while (at < to) places[count++] = at++;
  };
  for (const { index, 0: sequence } of text.matchAll(SEQUENCE)) {
    keep(index);
    at += sequence.length;
  }
  keep(text.length);
  return { shown: pieces.join(""), places };
}
