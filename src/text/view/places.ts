/** Finds the places of a control in bytes by those in their text: both have as many of it, in the same order. */
export class Places {
  readonly #text: string;
  readonly #bytes: Uint8Array;
  readonly #control: string;
  /** What encodes the control: a byte that is never a part of something else, and what follows it. */
  readonly #encoded: readonly number[];
  #inText: number;
  #inBytes: number;

  /** @param split Whether the bytes begin with the end of a control that those before them began. */
  constructor(
    { text, bytes, split = false }: {
      readonly text: string;
      readonly bytes: Uint8Array;
      readonly split?: boolean;
    },
    control: string,
    encoded: readonly number[] = [control.charCodeAt(0)],
  ) {
    this.#text = text;
    this.#bytes = bytes;
    this.#control = control;
    this.#encoded = encoded;
    this.#inText = this.#inBytes = split ? 1 : 0;
  }

  /** The index in the bytes after the control that stands at an index of the text; indices may not decrease. */
  after(index: number): number {
    while (this.#inText <= index) {
      this.#inText = this.#text.indexOf(this.#control, this.#inText) + 1;
      this.#inBytes = this.#afterNext();
    }
    return this.#inBytes;
  }

  #afterNext(): number {
    const [first = 0, ...rest] = this.#encoded;
    let at = this.#bytes.indexOf(first, this.#inBytes);
    while (at >= 0 && rest.some((byte, i) => this.#bytes[at + 1 + i] !== byte)) {
      at = this.#bytes.indexOf(first, at + 1);
    }
    return at < 0 ? this.#bytes.length : at + this.#encoded.length;
  }
}
