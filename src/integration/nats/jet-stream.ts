/**
 * The parts of NATS that are used, as its packages have them: the packages themselves are not needed.
 */

/** A connection, as `connect()` of `@nats-io/transport-node` makes it. */
export interface NatsConnection {
  /** What the server has said of itself. */
  readonly info?: { readonly max_payload: number } | undefined;
  publish(subject: string, payload: Uint8Array | string): void;
  request(
    subject: string,
    payload: Uint8Array | string,
    options: { timeout: number },
  ): Promise<NatsMessage>;
  subscribe(
    subject: string,
    options: { callback(failure: Error | null, message: NatsMessage): void },
  ): { unsubscribe(): void };
  flush(): Promise<void>;
}

/** A message that is kept nowhere. */
export interface NatsMessage {
  readonly data: Uint8Array;
  respond(payload?: Uint8Array | string): boolean;
}

/** What `jetstream(connection)` of `@nats-io/jetstream` makes. */
export interface JetStream {
  publish(
    subject: string,
    payload: Uint8Array | string,
    options?: { msgID?: string },
  ): Promise<unknown>;
  jetstreamManager(): Promise<JetStreamManager>;
  readonly consumers: {
    get(stream: string, name: string | { filter_subjects: string }): Promise<JetStreamConsumer>;
  };
}

/** Makes streams and consumers. */
export interface JetStreamManager {
  readonly streams: {
    add(config: {
      name: string;
      subjects: string[];
      retention: "limits" | "workqueue";
      storage: "file";
      max_age: number;
    }): Promise<unknown>;
    purge(name: string, options: { filter: string }): Promise<unknown>;
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
  consume(
    options: { expires: number; callback(message: JetStreamMessage): void },
  ): Promise<JetStreamMessages>;
}

/** Messages that are read until it is closed. */
export interface JetStreamMessages {
  close(): Promise<unknown>;
  closed(): Promise<unknown>;
}

/** A message of a stream. */
export interface JetStreamMessage {
  readonly subject: string;
  readonly data: Uint8Array;
  ack(): void;
  nak(): void;
  term(): void;
}
