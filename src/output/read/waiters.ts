/** Calls that are made once, when something happens. */
export class Waiters {
  #calls = new Set<() => void>();

  /** Add a call; answers how to take it back. */
  add(call: () => void): () => void {
    const calls = this.#calls;
    calls.add(call);
    return () => calls.delete(call);
  }

  /** Make all calls; those that are added meanwhile wait for the next time. */
  wake(): void {
    if (this.#calls.size === 0) return;
    const calls = this.#calls;
    this.#calls = new Set();
    for (const call of calls) call();
  }
}
