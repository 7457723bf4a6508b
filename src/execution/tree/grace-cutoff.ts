/** Ends the grace of all processes that are being ended, when the caller cannot wait for it. */
export class GraceCutoff {
  readonly #calls = new Set<() => void>();
  #reached = false;

  /** End it now. Idempotent. */
  reach(): void {
    this.#reached = true;
    for (const call of this.#calls) call();
    this.#calls.clear();
  }

  /**
   * Call once when it is reached, or now if it was.
   *
   * @returns Cancels the call.
   */
  onReached(call: () => void): () => void {
    if (this.#reached) {
      call();
      return () => {};
    }
    this.#calls.add(call);
    return () => void this.#calls.delete(call);
  }
}
