import { either, type Place } from "../paths/place.ts";
import type { Inherited } from "./inherited.ts";

/** Where the shell stands before a statement, and what the constructs around it hand down. */
export interface Start {
  readonly place: Place;
  readonly inherited: Inherited;
}

/** Where the shell stands after a statement, by how it ended. */
export interface After {
  readonly ok: Place;
  readonly fail: Place;
}

/** The end of what leaves the shell where it is. */
export function staying(place: Place): After {
  return { ok: place, fail: place };
}

/** Both ends are possible. */
export function union(one: After, other: After): After {
  return { ok: either(one.ok, other.ok), fail: either(one.fail, other.fail) };
}
