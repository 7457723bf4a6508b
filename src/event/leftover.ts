/** A process that outlives the command that started it. */
export interface Leftover {
  readonly pid: number;
  /** Distinguishes the process from a later one with the same pid: clock ticks since boot on Linux. */
  readonly startTime?: string;
  readonly command: string;
}
