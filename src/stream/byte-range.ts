/** A stretch of a command's bytes, by offsets that count every byte it ever wrote. */
export interface ByteRange {
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** Sort and join ranges that touch or overlap; empty ones vanish. */
export function joined(ranges: readonly ByteRange[]): readonly ByteRange[] {
  const result: { from: number; to: number }[] = [];
  for (const { from, to } of [...ranges].sort((a, b) => a.from - b.from)) {
    if (to <= from) continue;
    const last = result[result.length - 1];
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else result.push({ from, to });
  }
  return result;
}

/** How many bytes lie in ranges that do not overlap. */
export function sizeOf(ranges: readonly ByteRange[]): number {
  let size = 0;
  for (const { from, to } of ranges) size += to - from;
  return size;
}
