import * as v from "valibot";
import type { Mode } from "../permission/mode.ts";
import type { RuleLists } from "./options.ts";

const texts = v.exactOptional(v.array(v.string()));

/** What lists of rules look like; what the rules say is for who reads them. */
export const ruleLists: v.GenericSchema<RuleLists> = v.strictObject({
  allow: texts,
  ask: texts,
  deny: texts,
});

/** The names of the modes. */
export const mode: v.GenericSchema<Mode> = v.picklist([
  "default",
  "acceptEdits",
  "plan",
  "dontAsk",
  "bypass",
]);

/** A path that means the same to whoever reads it. */
export const absolute: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(/^(?:\/|[A-Za-z]:)/, "it must be absolute"),
);
