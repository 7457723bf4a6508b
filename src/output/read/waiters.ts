/** Who is to be called once, when something comes. */
export class Waiters {
  #calls = new Set<() => void>();

  /** Add a call; answers how to take it back. */
  add(call: () => void): () => void {
    const calls = this.#calls;
    calls.add(call);
    return () => calls.delete(call);
  }

  /** Call all; who adds itself meanwhile waits for the next time. */
  wake(): void {
    if (this.#calls.size === 0) return;
    const calls = this.#calls;
    this.#calls = new Set();
    for (const call of calls) call();
  }
}
