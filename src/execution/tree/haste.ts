/** That what is being ended gets no grace any more, as somebody cannot wait. */
export class Haste {
  readonly #calls = new Set<() => void>();
  #begun = false;

  /** From now on. Idempotent. */
  begin(): void {
    this.#begun = true;
    for (const call of this.#calls) call();
    this.#calls.clear();
  }

  /**
   * Call once as soon as there is haste.
   *
   * @returns Forgets the call.
   */
  once(call: () => void): () => void {
    if (this.#begun) {
      call();
      return () => {};
    }
    this.#calls.add(call);
    return () => void this.#calls.delete(call);
  }
}
