/** Calls that are made once, when something happens. */
export class Waiters {
  /** Absent while there are none: few outputs have readers that wait. */
  #calls: Set<() => void> | undefined;

  /** Add a call; answers how to take it back. */
  add(call: () => void): () => void {
    const calls = this.#calls ??= new Set();
    calls.add(call);
    return () => calls.delete(call);
  }

  /** Make all calls; those that are added meanwhile wait for the next time. */
  wake(): void {
    const calls = this.#calls ?? [];
    this.#calls = undefined;
    for (const call of calls) call();
  }
}
