import { shownValue } from "../event/shown.ts";

/** What a limit may be. */
export interface LimitKind {
  /** Also what is no whole number, as of a share or of time. */
  readonly fractions?: boolean;
}

/**
 * Refuse limits and offsets that are none: an amount of lines or bytes is a whole number from 0 on,
 * or `Infinity`.
 *
 * @param action What cannot be done with them, such as "search".
 * @throws {TypeError} For the first that is none: `Cannot <action> with <name> <value>: <why>`.
 */
export function checkLimits(
  action: string,
  limits: Readonly<Record<string, unknown>>,
  { fractions = false }: LimitKind = {},
): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || isLimit(value, fractions)) continue;
    const kind = fractions ? "number" : "whole number";
    throw new TypeError(
      `Cannot ${action} with ${name} ${shownValue(value)}: it must be a ${kind}, 0 or more`,
    );
  }
}

function isLimit(value: unknown, fractions: boolean): boolean {
  if (typeof value !== "number" || !(value >= 0)) return false;
  return fractions || value === Infinity || Number.isInteger(value);
}
