/** How the reader of a byte stream governs its writer; RxJS has no demand of its own. */
export interface Demand {
  /** Read no more for now: the writer blocks once its pipe is full. */
  pause(): void;
  /** Read on. */
  resume(): void;
  /** The reader wants no more: end the writer. Idempotent. */
  end(): void;
}

/** One of the two outputs of a command. */
export type OutputStream = "stdout" | "stderr";

/** Where the bytes of one command go. */
export interface ByteSink {
  /**
   * Take a chunk, which is valid only during this call: a sink that keeps bytes copies them.
   *
   * @param stream Where it comes from, where the two are kept apart.
   */
  write(chunk: Uint8Array, stream?: OutputStream): void;
  /** No byte follows. Idempotent. */
  end(): void;
}

/** Opens the sink of each command; execution writes, output keeps. */
export interface ByteSinks {
  /**
   * Open the sink of a command, before its first byte.
   *
   * @param commandId The command that writes them.
   * @param demand How the sink slows or ends the command.
   */
  open(commandId: string, demand: Demand): ByteSink;
}
