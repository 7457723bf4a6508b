import type * as v from "valibot";
import type { NatsConnection } from "./jet-stream.ts";
import { readMessage } from "./messages.ts";
import type { PoolNames } from "./streams.ts";

/**
 * Gets the messages of a host or worker at its address, and sends others theirs.
 *
 * Sending never throws: the client of NATS stops reading when a callback does.
 */
export class Mailbox {
  readonly #connection: NatsConnection;
  readonly #names: PoolNames;
  #subscription: { unsubscribe(): void } | undefined;

  constructor(connection: NatsConnection, names: PoolNames) {
    this.#connection = connection;
    this.#names = names;
  }

  /** Get what is sent to an address, where that is not so already; what is not of the schema is left out. */
  async open<T>(
    id: string,
    schema: v.GenericSchema<unknown, T>,
    receive: (message: T, answer: Answer) => void,
  ): Promise<void> {
    this.#subscription ??= this.#connection.subscribe(this.#names.addressOf(id), {
      callback: (failure, message) => {
        const read = failure === null ? readMessage(schema, message.data) : undefined;
        if (read === undefined) return;
        receive(read, (reply) => attempt(() => message.respond(JSON.stringify(reply))));
      },
    });
    await this.#connection.flush();
  }

  close(): void {
    this.#subscription?.unsubscribe();
    this.#subscription = undefined;
  }

  /** Send a message that may be lost, as when the server is away. */
  send(to: string, message: object): void {
    attempt(() => this.#connection.publish(this.#names.addressOf(to), JSON.stringify(message)));
  }

  /** Send a message and wait for its answer; `undefined` where none comes in time. */
  async ask<T>(
    to: string,
    message: object,
    { schema, timeoutMs }: { schema: v.GenericSchema<unknown, T>; timeoutMs: number },
  ): Promise<T | undefined> {
    const text = JSON.stringify(message);
    try {
      const options = { timeout: timeoutMs };
      const { data } = await this.#connection.request(this.#names.addressOf(to), text, options);
      return readMessage(schema, data);
    } catch {
      return undefined;
    }
  }
}

/** Answers a message; what prevented that, as its size, is returned. */
export type Answer = (reply: object) => unknown;

function attempt(send: () => unknown): unknown {
  try {
    send();
  } catch (cause) {
    return cause;
  }
  return undefined;
}
