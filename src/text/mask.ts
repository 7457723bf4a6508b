import { concatenated } from "../stream/concatenated.ts";

const STAR = "*";
/** So much of the beginning of a text is hidden where the rest has not come yet. */
const LEAST = 8;

/** Hides texts in what is shown of an output: each of their bytes becomes a star, so that offsets stay. */
export class Mask {
  /** So many bytes on either side of a part say whether one of the texts reaches into it. */
  readonly reach: number;
  readonly #texts: readonly string[];
  readonly #needles: readonly Uint8Array[];

  constructor(texts: readonly string[]) {
    this.#texts = texts;
    this.#needles = texts.map((text) => new TextEncoder().encode(text));
    this.reach = Math.max(0, ...this.#needles.map(({ length }) => length - 1));
  }

  /** Hide the texts in a part of an output, with what stands on either side of it. */
  bytes(
    part: Uint8Array,
    { before, after }: { readonly before: Uint8Array; readonly after: Uint8Array },
  ): Uint8Array {
    const all = concatenated([before, part, after]);
    const masked = all.slice();
    for (const needle of this.#needles) {
      for (const [from, to] of places(all, needle)) masked.fill(STAR.charCodeAt(0), from, to);
    }
    return masked.subarray(before.length, before.length + part.length);
  }

  /** Hide the texts in a text. */
  text(text: string): string {
    return this.#texts.reduce((all, each) => all.replaceAll(each, STAR.repeat(each.length)), text);
  }
}

/** Where a text stands, or the beginning of it at the end. */
function* places(bytes: Uint8Array, text: Uint8Array): Generator<readonly [number, number]> {
  const [first = 0] = text;
  for (let from = bytes.indexOf(first); from >= 0; from = bytes.indexOf(first, from + 1)) {
    const to = Math.min(from + text.length, bytes.length);
    let at = from;
    while (at < to && bytes[at] === text[at - from]) at++;
    if (at === to && to - from >= Math.min(LEAST, text.length)) yield [from, to];
  }
}
