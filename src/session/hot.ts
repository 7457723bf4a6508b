import type { InlineBytes } from "../event/output.ts";

/** Whether something is being built, which goes on after a silence; `undefined` when the text is not known. */
export function isBuilding(inline: InlineBytes | undefined): boolean | undefined {
  if (inline === undefined || !("text" in inline)) return undefined;
  const text = inline.text.toLowerCase();
  return STARTS.some((word) => text.includes(word)) && !ENDS.some((word) => text.includes(word));
}

/**
 * Until when a session counts as hot after output: more is likely to follow, so that it is worth
 * waiting before looking.
 *
 * The words and the times are those that Roo Code and Cline have found to work.
 */
export function hotUntil(at: number, building: boolean): number {
  return at + (building ? BUILDING_MS : HOT_MS);
}

/** Whether a session is hot at some time, in milliseconds since the epoch. */
export function isHot(session: { readonly hotUntil?: number }, now: number): boolean {
  return session.hotUntil !== undefined && now < session.hotUntil;
}

const HOT_MS = 2_000;
const BUILDING_MS = 15_000;
const STARTS = ["compiling", "building", "bundling", "transpiling", "generating", "starting"];
const ENDS = [
  "compiled",
  "success",
  "finish",
  "complete",
  "succeed",
  "done",
  "end",
  "stop",
  "exit",
  "terminate",
  "error",
  "fail",
];
