import type { Executor } from "../../execution/executor.ts";
import type { Clock } from "../../platform/clock.ts";
import { randomIds } from "../../platform/ids.ts";
import { Beats } from "./beats.ts";
import type { JetStreamConsumer, JetStreamMessage } from "./jet-stream.ts";
import { type Answer, Mailbox } from "./mailbox.ts";
import { readMessage, ticket, type ToWorker, toWorker } from "./messages.ts";
import type { NatsPool } from "./pool.ts";
import { openTickets } from "./tickets.ts";
import { WorkerRun } from "./worker-run.ts";

/** How long the server may hold a request for a ticket, in milliseconds. */
const PULL_MS = 5_000;
/** How long after a failure the server is asked again, in milliseconds. */
const RETRY_MS = 1_000;

/** What a worker needs. */
export interface WorkerOptions extends Required<NatsPool> {
  readonly atOnce: number;
  readonly executor: Executor;
  readonly clock: Clock;
}

/** Takes commands of hosts, and runs them. */
export class Worker {
  readonly id: string = randomIds.next("worker");
  readonly #options: WorkerOptions;
  readonly #runs = new Map<string, WorkerRun>();
  readonly #beats: Beats;
  readonly #mailbox: Mailbox;
  #closing = false;
  #roomMade: () => void = () => {};

  constructor(options: WorkerOptions) {
    this.#options = options;
    this.#mailbox = new Mailbox(options);
    this.#beats = new Beats({ ...options, mailbox: this.#mailbox, runs: this.#runs });
  }

  /** Begin to take commands. */
  async begin(): Promise<void> {
    const tickets = await this.#open();
    await this.#mailbox.open(this.id, toWorker, (...it) => this.#receive(...it));
    void this.#pull(tickets);
  }

  async close(): Promise<void> {
    this.#closing = true;
    await this.#options.executor.close();
    await Promise.all([...this.#runs.values()].map(({ ended }) => ended));
    this.#roomMade();
    this.#beats.end();
    this.#mailbox.close();
  }

  [Symbol.asyncDispose](): Promise<void> {
    return this.close();
  }

  #open(): Promise<JetStreamConsumer> {
    return openTickets(this.#options.jetstream, this.#options.pool);
  }

  async #pull(first: JetStreamConsumer): Promise<void> {
    const { atOnce, clock } = this.#options;
    let tickets: JetStreamConsumer | undefined = first;
    while (!this.#closing) {
      if (this.#runs.size >= atOnce) {
        await new Promise<void>((resolve) => this.#roomMade = resolve);
        continue;
      }
      try {
        tickets ??= await this.#open();
        const message = await tickets.next({ expires: PULL_MS });
        if (this.#closing) message?.nak();
        else if (message) this.#take(message);
      } catch {
        // The server is away, or has lost its streams.
        tickets = undefined;
        if (!this.#closing) await new Promise<void>((done) => void clock.after(RETRY_MS, done));
      }
    }
  }

  #take(message: JetStreamMessage): void {
    const { run: id, host } = readMessage(ticket, message.data)?.message ?? {};
    if (id === undefined || host === undefined) return message.term();
    if (this.#runs.has(id)) return message.ack(); // the server gave it again
    const run = new WorkerRun({
      ...{ id, host, worker: this.id, mailbox: this.#mailbox },
      executor: this.#options.executor,
      isOpen: () => !this.#closing,
    });
    this.#runs.set(id, run);
    void run.begun.then(() => message.ack());
    void run.ended.then(() => {
      this.#runs.delete(id);
      this.#roomMade();
    });
    this.#beats.begin();
  }

  #receive(message: ToWorker, bytes: Uint8Array, answer: Answer): void {
    if (message.type === "beat") return this.#beats.receive(message);
    const run = this.#runs.get(message.run);
    if (run === undefined) answer({ failure: "it has ended" });
    else run.deliver(message, bytes, answer);
  }
}
