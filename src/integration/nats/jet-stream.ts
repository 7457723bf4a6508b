/**
 * The parts of NATS that are used, as its packages have them: the packages themselves are not needed.
 */

/** A connection, as `connect()` of `@nats-io/transport-node` makes it. */
export interface NatsConnection {
  /** What the server has said of itself. */
  readonly info?: { readonly max_payload: number } | undefined;
  publish(subject: string, payload: Uint8Array): void;
  request(
    subject: string,
    payload: Uint8Array,
    options: { timeout: number },
  ): Promise<NatsMessage>;
  subscribe(
    subject: string,
    options: { callback(failure: Error | null, message: NatsMessage): void },
  ): { unsubscribe(): void };
}

/** A message that is kept nowhere. */
export interface NatsMessage {
  readonly data: Uint8Array;
  respond(payload?: Uint8Array): boolean;
}

/** What `jetstream(connection)` of `@nats-io/jetstream` makes. */
export interface JetStream {
  publish(subject: string, payload: string): Promise<unknown>;
  jetstreamManager(): Promise<JetStreamManager>;
  readonly consumers: {
    get(stream: string, name: string): Promise<JetStreamConsumer>;
  };
}

/** Makes streams and consumers. */
export interface JetStreamManager {
  readonly streams: {
    add(config: {
      name: string;
      subjects: string[];
      retention: "workqueue";
      storage: "file";
      max_age: number;
    }): Promise<unknown>;
  };
  readonly consumers: {
    add(
      stream: string,
      config: { durable_name: string; ack_policy: "explicit"; ack_wait: number },
    ): Promise<unknown>;
  };
}

/** Reads a stream. */
export interface JetStreamConsumer {
  next(options: { expires: number }): Promise<JetStreamMessage | null>;
}

/** A message of a stream. */
export interface JetStreamMessage {
  readonly data: Uint8Array;
  ack(): void;
  nak(): void;
  term(): void;
}
