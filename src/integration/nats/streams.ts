import * as v from "valibot";
import { BEAT_MS } from "./beats.ts";
import type { JetStream, NatsConnection } from "./jet-stream.ts";

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

const SECOND_NS = 1_000_000_000;
const HOUR_NS = 3_600 * SECOND_NS;
/** A ticket that a worker has had for so long goes to another one: it was stopped, or has ended. */
const TICKET_NS = 10 * SECOND_NS;

/** Bytes of one message: by default a server takes a megabyte at most. */
export function pieceSize({ info }: NatsConnection): number {
  return Math.min(256 * 1024, (info?.max_payload ?? 1024 * 1024) >> 1);
}

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
export async function prepareStreams(jetstream: JetStream, names: PoolNames): Promise<void> {
  const manager = await jetstream.jetstreamManager();
  await manager.streams.add({
    name: names.tickets,
    subjects: [names.ticketSubject],
    retention: "workqueue",
    storage: "file",
    max_age: HOUR_NS,
  });
  await manager.streams.add({
    name: names.output,
    subjects: [names.outputSubject("*", "*")],
    retention: "limits",
    storage: "file",
    max_age: HOUR_NS,
  });
  await manager.consumers.add(names.tickets, {
    durable_name: WORKERS,
    ack_policy: "explicit",
    ack_wait: TICKET_NS,
  });
}
