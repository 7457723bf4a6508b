/** What was asked for cannot begin any more: the runtime is closed, or closes. */
export class ClosedError extends Error {
  /** @param what What cannot be done, as in `run "ls"`. */
  constructor(what: string) {
    super(`Cannot ${what}: the runtime is closed`);
  }
}
