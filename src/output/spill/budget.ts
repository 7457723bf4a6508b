/** What all spill files of a runtime may hold together. */
export class Budget {
  /** In bytes. */
  readonly limit: number;
  #used = 0;

  /** @param limit In bytes. */
  constructor(limit: number) {
    this.limit = limit;
  }

  /** In bytes. */
  get used(): number {
    return this.#used;
  }

  /** Take up to `bytes`; answers how many there were. */
  take(bytes: number): number {
    const granted = Math.max(0, Math.min(bytes, this.limit - this.#used));
    this.#used += granted;
    return granted;
  }

  /** Give bytes back. */
  free(bytes: number): void {
    this.#used -= bytes;
  }
}
