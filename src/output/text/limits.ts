/**
 * Refuse limits and offsets that are none.
 *
 * @param action What cannot be done with them, such as "search".
 * @throws {RangeError} If one is not a number from 0 on: `Cannot <action> with <name> "<value>"`.
 */
export function checkLimits(
  action: string,
  limits: Readonly<Record<string, number | undefined>>,
): void {
  for (const [name, value] of Object.entries(limits)) {
    if (value === undefined || value >= 0) continue;
    throw new RangeError(`Cannot ${action} with ${name} "${value}": not a number from 0 on`);
  }
}
