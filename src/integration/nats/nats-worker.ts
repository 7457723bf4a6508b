import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import type { Executor } from "../../execution/executor.ts";
import { type Clock, systemClock } from "../../platform/clock.ts";
import { messageOf } from "../../platform/failure.ts";
import { randomIds } from "../../platform/ids.ts";
import { createExecutor } from "../../runtime/create-executor.ts";
import { Beats } from "./beats.ts";
import type { JetStreamConsumer, JetStreamMessage } from "./jet-stream.ts";
import { type Answer, Mailbox } from "./mailbox.ts";
import { readMessage, ticket, type ToWorker, toWorker } from "./messages.ts";
import type { NatsPool } from "./pool.ts";
import { poolFields } from "./pool-fields.ts";
import { openTickets } from "./tickets.ts";
import { WorkerRun } from "./worker-run.ts";

/** How long the server may hold a request for a ticket, in milliseconds. */
const PULL_MS = 5_000;
/** How long after a failure the server is asked again, in milliseconds. */
const RETRY_MS = 1_000;

/** What a worker runs commands for, and with. */
export interface NatsWorkerOptions extends NatsPool {
  /** How many commands run at once; default 16. */
  readonly atOnce?: number;
  /** Runs them, and is closed with the worker; default what `createExecutor()` makes. */
  readonly executor?: Executor;
  /** The time of beats; default that of this machine. */
  readonly clock?: Clock;
}

/** A worker that runs the commands of hosts. */
export interface NatsWorker extends AsyncDisposable {
  readonly id: string;
  /** Take no more commands, end those that run, and resolve when that is reported to their hosts. */
  close(): Promise<void>;
}

/**
 * Run commands for the hosts of a pool, over NATS JetStream, until it is closed.
 *
 * @throws {TypeError} When an option cannot be used, with its name and value.
 * @throws {Error} When the server has no JetStream, or this machine lacks what ends processes.
 */
export async function natsWorker(options: NatsWorkerOptions): Promise<NatsWorker> {
  const checked = checkFields(schema, options, "Cannot work with");
  const { jetstream, pool, atOnce } = checked;
  const { executor = await createExecutor(), clock = systemClock } = options;
  const worker = randomIds.next("worker");
  const runs = new Map<string, WorkerRun>();
  const mailbox = new Mailbox({ ...checked, clock });
  const beats = new Beats({ ...checked, clock, mailbox, runs });
  let closing = false;
  let roomMade: () => void = () => {};

  const receive = (message: ToWorker, bytes: Uint8Array, answer: Answer): void => {
    if (message.type === "beat") return beats.receive(message);
    const run = runs.get(message.run);
    if (run === undefined) answer({ failure: "it has ended" });
    else run.deliver(message, bytes, answer);
  };

  const take = (message: JetStreamMessage): void => {
    const { run: id, host } = readMessage(ticket, message.data)?.message ?? {};
    if (id === undefined || host === undefined) return message.term();
    if (runs.has(id)) return message.ack(); // the server gave it again
    const run = new WorkerRun({
      id,
      host,
      worker,
      mailbox,
      executor,
      isOpen: () => !closing,
    });
    runs.set(id, run);
    void run.begun.then(() => message.ack());
    void run.ended.then(() => {
      runs.delete(id);
      roomMade();
    });
    beats.begin();
  };

  const pull = async (first: JetStreamConsumer): Promise<void> => {
    let tickets: JetStreamConsumer | undefined = first;
    while (!closing) {
      if (runs.size >= atOnce) {
        await new Promise<void>((resolve) => roomMade = resolve);
        continue;
      }
      try {
        tickets ??= await openTickets(jetstream, pool);
        const message = await tickets.next({ expires: PULL_MS });
        if (closing) message?.nak();
        else if (message) take(message);
      } catch {
        // The server is away, or has lost its streams.
        tickets = undefined;
        if (!closing) await new Promise<void>((done) => void clock.after(RETRY_MS, done));
      }
    }
  };

  const close = async (): Promise<void> => {
    closing = true;
    await executor.close();
    await Promise.all([...runs.values()].map(({ ended }) => ended));
    roomMade();
    beats.end();
    mailbox.close();
  };

  try {
    const tickets = await openTickets(jetstream, pool);
    mailbox.open(worker, toWorker, receive);
    void pull(tickets);
  } catch (cause) {
    await close();
    throw new Error(`Cannot work for pool "${pool}": ${messageOf(cause)}`, { cause });
  }
  return { id: worker, close, [Symbol.asyncDispose]: close };
}

const schema = v.strictObject({
  ...poolFields,
  atOnce: v.optional(v.pipe(v.number(), v.safeInteger(), v.minValue(1)), 16),
  executor: v.exactOptional(v.looseObject({
    capabilities: v.looseObject({}),
    run: v.function(),
    send: v.function(),
    close: v.function(),
  })),
  clock: v.exactOptional(v.looseObject({ after: v.function() })),
});
