/**
 * Run commands on other machines, over NATS JetStream.
 *
 * @module
 */
export {
  type NatsWorker,
  natsWorker,
  type NatsWorkerOptions,
} from "./integration/nats/nats-worker.ts";
export { natsWorkers, type NatsWorkersOptions } from "./integration/nats/nats-workers.ts";
export type { NatsPool } from "./integration/nats/pool.ts";
export type {
  JetStream,
  JetStreamConsumer,
  JetStreamManager,
  JetStreamMessage,
  NatsConnection,
  NatsMessage,
} from "./integration/nats/jet-stream.ts";
