/**
 * Refuse an offset that is none.
 *
 * @param doing What cannot be done with it: "read".
 */
export function checkFrom(doing: string, from: number): void {
  if (whole(from)) return;
  throw new RangeError(`Cannot ${doing} with from "${from}": it must be a whole number, 0 or more`);
}

/**
 * Refuse an amount of bytes that nothing can be done with.
 *
 * @param doing What cannot be done with it: "read".
 */
export function checkMaxBytes(doing: string, maxBytes: number): void {
  if (whole(maxBytes) && maxBytes > 0) return;
  throw new RangeError(
    `Cannot ${doing} with maxBytes "${maxBytes}": it must be a whole number, 1 or more`,
  );
}

/** Infinity is the end, or all. */
function whole(value: number): boolean {
  return value >= 0 && (Number.isSafeInteger(value) || value === Number.POSITIVE_INFINITY);
}
