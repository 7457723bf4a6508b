import type * as v from "valibot";
import type { Clock } from "../../platform/clock.ts";
import type { NatsConnection } from "./jet-stream.ts";
import { readMessage, type Reply, reply, writeMessage } from "./messages.ts";

/** How long an answer may take, in milliseconds, before it counts as lost. */
const ANSWER_MS = 5_000;
/** How soon a message without an answer is sent again at least, in milliseconds. */
const RETRY_MS = 500;

/** How a mailbox sends. */
export interface MailboxOptions {
  readonly connection: NatsConnection;
  readonly pool: string;
  readonly clock: Clock;
}

/**
 * Gets the messages of a host or worker, and sends others theirs.
 *
 * Sending never throws: the client of NATS stops reading when a callback does.
 */
export class Mailbox {
  readonly #options: MailboxOptions;
  #subscription: { unsubscribe(): void } | undefined;

  constructor(options: MailboxOptions) {
    this.#options = options;
  }

  /** Get what is sent to an id from now on; what is not of the schema is left out. */
  open<T>(
    id: string,
    schema: v.GenericSchema<unknown, T>,
    receive: (message: T, bytes: Uint8Array, answer: Answer) => void,
  ): void {
    this.#subscription ??= this.#options.connection.subscribe(this.#addressOf(id), {
      callback: (failure, message) => {
        const read = failure === null ? readMessage(schema, message.data) : undefined;
        if (read === undefined) return;
        receive(
          read.message,
          read.bytes,
          (reply) => attempt(() => message.respond(writeMessage(reply))),
        );
      },
    });
  }

  close(): void {
    this.#subscription?.unsubscribe();
  }

  /** How many bytes may go with a message: by default a server takes a megabyte at most. */
  get pieceSize(): number {
    const most = this.#options.connection.info?.max_payload ?? 1024 * 1024;
    return Math.min(256 * 1024, most >> 1);
  }

  /** Send a message that may be lost, as when the server is away. */
  send(to: string, message: object): void {
    attempt(() => this.#options.connection.publish(this.#addressOf(to), writeMessage(message)));
  }

  /** Send a message and wait for its answer; `undefined` where none comes in time. */
  async ask(to: string, message: object, bytes?: Uint8Array): Promise<Reply | undefined> {
    const address = this.#addressOf(to);
    const options = { timeout: ANSWER_MS };
    try {
      const data = writeMessage(message, bytes);
      const answer = await this.#options.connection.request(address, data, options);
      return readMessage(reply, answer.data)?.message;
    } catch {
      return undefined;
    }
  }

  /** Ask until there is an answer; `undefined` once it is no longer wanted. */
  async insist(
    to: string,
    message: object,
    { bytes, isWanted }: { readonly bytes?: Uint8Array; readonly isWanted: () => boolean },
  ): Promise<Reply | undefined> {
    while (isWanted()) {
      const answer = await this.ask(to, message, bytes);
      if (answer !== undefined) return answer;
      await new Promise<void>((resolve) => void this.#options.clock.after(RETRY_MS, resolve));
    }
    return undefined;
  }

  #addressOf(id: string): string {
    return `shellflow.${this.#options.pool}.to.${id}`;
  }
}

/** Answers a message; what prevented that, as its size, is returned. */
export type Answer = (reply: Reply) => unknown;

function attempt(send: () => unknown): unknown {
  try {
    send();
  } catch (cause) {
    return cause;
  }
  return undefined;
}
