import type { JetStream, NatsConnection } from "./jet-stream.ts";

/** A connection and the pool of workers that is meant. */
export interface NatsPool {
  /** From `connect()` of `@nats-io/transport-node`; it stays open. */
  readonly connection: NatsConnection;
  /** From `jetstream(connection)` of `@nats-io/jetstream`. */
  readonly jetstream: JetStream;
  /** Names the workers that share the commands: letters, digits, `-` and `_`; default `default`. */
  readonly pool?: string;
  /** After so long without a message, in milliseconds, the other side counts as gone; default 15 000, at least 2 000. */
  readonly silenceMs?: number;
}
