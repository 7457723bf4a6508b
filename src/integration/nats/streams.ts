import * as v from "valibot";
import { BEAT_MS } from "./beats.ts";
import type { JetStream, JetStreamManager, NatsConnection } from "./jet-stream.ts";

/** The fields of a pool, for the check of options. */
export const poolFields: {
  readonly connection: v.GenericSchema<NatsConnection>;
  readonly jetstream: v.GenericSchema<JetStream>;
  readonly pool: v.OptionalSchema<v.GenericSchema<string>, "default">;
  readonly silenceMs: v.OptionalSchema<v.GenericSchema<number>, 15_000>;
} = {
  connection: v.custom<NatsConnection>(
    (value) => has(value, "subscribe"),
    "it must be a connection to NATS",
  ),
  jetstream: v.custom<JetStream>(
    (value) => has(value, "jetstreamManager"),
    "it must be what jetstream(connection) makes",
  ),
  pool: v.optional(
    v.pipe(
      v.string(),
      v.regex(/^[\w-]{1,60}$/, "it must have letters, digits, - and _, 60 at most"),
    ),
    "default",
  ),
  silenceMs: v.optional(
    v.pipe(v.number(), v.finite("it must be finite"), v.minValue(2 * BEAT_MS)),
    15_000,
  ),
};

function has(value: unknown, name: string): boolean {
  return typeof (value as Readonly<Record<string, unknown>> | null)?.[name] === "function";
}

const HOUR_NS = 3_600_000_000_000;

/** The names of a pool on the server. */
export interface PoolNames {
  /** The stream that gives each ticket to one worker. */
  readonly tickets: string;
  readonly ticketSubject: string;
  /** The stream of everything that commands print and do. */
  readonly output: string;
  /** Where what a run of a host does is sent. */
  outputSubject(host: string, run: string): string;
  /** Where a host or a worker is reached. */
  addressOf(id: string): string;
}

/** The names of a pool on the server. */
export function namesOf(pool: string): PoolNames {
  return {
    tickets: `shellflow_${pool}_tickets`,
    ticketSubject: `shellflow.${pool}.tickets`,
    output: `shellflow_${pool}_output`,
    outputSubject: (host, run) => `shellflow.${pool}.output.${host}.${run}`,
    addressOf: (id) => `shellflow.${pool}.to.${id}`,
  };
}

/** The durable consumer that the workers of a pool share. */
export const WORKERS = "workers";

/** Make the streams of a pool, where they are missing. */
export async function prepareStreams(
  jetstream: JetStream,
  names: PoolNames,
): Promise<JetStreamManager> {
  const manager = await jetstream.jetstreamManager();
  await manager.streams.add({
    name: names.tickets,
    subjects: [names.ticketSubject],
    retention: "workqueue",
    storage: "memory",
    max_age: HOUR_NS,
  });
  await manager.streams.add({
    name: names.output,
    subjects: [names.outputSubject("*", "*")],
    retention: "limits",
    storage: "file",
    max_age: HOUR_NS,
  });
  await manager.consumers.add(names.tickets, { durable_name: WORKERS, ack_policy: "explicit" });
  return manager;
}
