import type { JetStream, JetStreamConsumer } from "./jet-stream.ts";
import type { Ticket } from "./messages.ts";

const SECOND_NS = 1_000_000_000;
/** The durable consumer that the workers of a pool share. */
const WORKERS = "workers";

/** Let one worker of a pool take a run. */
export async function offerTicket(
  jetstream: JetStream,
  pool: string,
  ticket: Ticket,
): Promise<void> {
  const offer = () => jetstream.publish(subjectOf(pool), JSON.stringify(ticket));
  try {
    await offer();
  } catch {
    // The first one of the pool, or the server has lost its streams.
    await prepare(jetstream, pool);
    await offer();
  }
}

/** Read the tickets of a pool: each is given to one of all its workers. */
export async function openTickets(jetstream: JetStream, pool: string): Promise<JetStreamConsumer> {
  await prepare(jetstream, pool);
  return await jetstream.consumers.get(streamOf(pool), WORKERS);
}

const streamOf = (pool: string) => `shellflow_${pool}_tickets`;
const subjectOf = (pool: string) => `shellflow.${pool}.tickets`;

/** Make the stream of a pool and its consumer, where they are missing. */
async function prepare(jetstream: JetStream, pool: string): Promise<void> {
  const { streams, consumers } = await jetstream.jetstreamManager();
  await streams.add({
    name: streamOf(pool),
    subjects: [subjectOf(pool)],
    retention: "workqueue",
    storage: "file",
    max_age: 3_600 * SECOND_NS,
  });
  await consumers.add(streamOf(pool), {
    durable_name: WORKERS,
    ack_policy: "explicit",
    // Then it goes to another worker: the one that had it was stopped, or has ended.
    ack_wait: 10 * SECOND_NS,
  });
}
