import { shownValue } from "./shown.ts";

/** What a limit may be. */
export interface LimitKind {
  /** Whether it may be a fraction, as a share or a time. */
  readonly fractions?: boolean;
  /** @default {0} */
  readonly least?: 0 | 1;
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
  kind: LimitKind = {},
): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || isLimit(value, kind)) continue;
    const { fractions = false, least = 0 } = kind;
    const number = fractions ? "number" : "whole number";
    throw new TypeError(
      `Cannot ${action} with ${name} ${
        shownValue(value)
      }: it must be a ${number}, ${least} or more`,
    );
  }
}

/** Whether a value is such a limit. */
export function isLimit(
  value: unknown,
  { fractions = false, least = 0 }: LimitKind = {},
): value is number {
  return typeof value === "number" && value >= least &&
    (fractions || value === Infinity || Number.isInteger(value));
}
