import type { OutputAppended } from "./output.ts";

/** A part of a command's output, and when it came. */
export interface Arrived {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly from: number;
  /** Exclusive. */
  readonly to: number;
}

/** The parts of a range with the times at which they came. */
export function arrivedParts(
  { at, event }: { readonly at: number; readonly event: OutputAppended },
): readonly Arrived[] {
  const parts: Arrived[] = [];
  let from = event.from;
  for (const [msBefore, to] of event.times ?? [[0, event.to] as const]) {
    parts.push({ at: at - msBefore, from, to });
    from = to;
  }
  return parts;
}
