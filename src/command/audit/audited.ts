import type { Doubt } from "../doubt.ts";

/** A text whose tree is looked through, and what has been found in it so far. */
export interface Audited {
  readonly text: string;
  readonly doubts: Doubt[];
}
