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
