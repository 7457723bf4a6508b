/** Facts that late listeners hear of as well; whoever adds them keeps them few. */
export class Notices<T> {
  readonly #told: T[] = [];
  readonly #listeners = new Set<(fact: T) => void>();

  /** Tell everybody. */
  tell(fact: T): void {
    this.#told.push(fact);
    for (const listener of [...this.#listeners]) listener(fact);
  }

  /** Tell a listener what was told so far and what follows; answers how to stop. */
  listen(listener: (fact: T) => void): () => void {
    for (const fact of this.#told) listener(fact);
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }
}
