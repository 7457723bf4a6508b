import * as v from "valibot";
import type { CallContext } from "./tool.ts";

/** The fields of the context of a call. */
export const contextFields: Readonly<Record<keyof CallContext, v.GenericSchema>> = {
  signal: v.optional(v.object({ addEventListener: v.function() })),
  onUpdate: v.optional(v.function()),
  updateEveryMs: v.optional(v.pipe(v.number(), v.minValue(0))),
  onTask: v.optional(v.function()),
  owner: v.optional(v.string()),
};
