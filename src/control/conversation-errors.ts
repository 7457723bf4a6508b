/** The other side answered that it cannot do what it was asked for. */
export class RefusedError extends Error {
  override readonly name = "RefusedError";
  /** It is about to end, and the request had no effect: another process may take it. */
  readonly closing: boolean;

  constructor(message: string, { closing = false }: { readonly closing?: boolean } = {}) {
    super(message);
    this.closing = closing;
  }
}

/** The conversation ended before the answer. */
export class DisconnectedError extends Error {
  override readonly name = "DisconnectedError";

  constructor() {
    super("it disconnected without an answer");
  }
}
