import { SCHEMA_VERSION } from "../event.ts";

/** An object as a log holds it, before anything is known of its shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Turns a record of one schema version into one of the next. */
type UpgradeStep = (record: JsonObject) => JsonObject;

/** The step away from each version, by that version; the current one has none. */
const UPGRADES: Readonly<Record<number, UpgradeStep>> = {};

/**
 * Turn a record of an older schema version into one of the current.
 *
 * @param from The version that heads the log the record is from.
 */
export function upgrade(record: JsonObject, from: number): JsonObject {
  let current = record;
  for (let version = from; version < SCHEMA_VERSION; version++) {
    current = UPGRADES[version]?.(current) ?? current;
  }
  return current;
}
