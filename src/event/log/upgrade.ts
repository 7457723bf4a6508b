import { SCHEMA_VERSION } from "../event.ts";

/** An object as a log holds it, before anything is known of its shape. */
export type JsonObject = Readonly<Record<string, unknown>>;

/** Turns a record of one schema version into one of the next. */
export type UpgradeStep = (record: JsonObject) => JsonObject;

/** The step away from each version, by that version; the current one has none. */
export const UPGRADES: Readonly<Record<number, UpgradeStep>> = {};

/**
 * Turn a record of an older schema version into one of the current.
 *
 * @param from The version that heads the log the record is from.
 */
export function upgrade(
  record: JsonObject,
  from: number,
  steps: Readonly<Record<number, UpgradeStep>> = UPGRADES,
  to: number = SCHEMA_VERSION,
): JsonObject {
  let current = record;
  for (let version = from; version < to; version++) current = steps[version]?.(current) ?? current;
  return current;
}
