/** How soon what a command has left is looked for again, in milliseconds; the pause doubles up to the longest. */
const FIRST_MS = 100;
const LONGEST_MS = 2_000;

/** How long to wait for the next look after so many. */
export function lookInMs(looks: number): number {
  return Math.min(LONGEST_MS, FIRST_MS * 2 ** looks);
}
