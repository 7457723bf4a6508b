/** What all spill files of a runtime may hold together. */
export class Budget {
  /** In bytes. */
  readonly limit: number;
  readonly #makeRoom: (bytes: number) => void;
  #used = 0;

  /**
   * @param limit In bytes.
   * @param makeRoom Called before less is granted than was asked for: frees so many bytes, if it can.
   */
  constructor(limit: number, makeRoom: (bytes: number) => void = () => {}) {
    this.limit = limit;
    this.#makeRoom = makeRoom;
  }

  /** In bytes. */
  get used(): number {
    return this.#used;
  }

  /** Take up to `bytes`; answers how many there were. */
  take(bytes: number): number {
    const missing = bytes - (this.limit - this.#used);
    if (missing > 0) this.#makeRoom(missing);
    const granted = Math.max(0, Math.min(bytes, this.limit - this.#used));
    this.#used += granted;
    return granted;
  }

  /** Give bytes back. */
  free(bytes: number): void {
    this.#used -= bytes;
  }
}
