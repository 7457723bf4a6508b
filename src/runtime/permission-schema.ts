import * as v from "valibot";
import type { Mode } from "../permission/mode.ts";

/** What may run, as lists of rules such as `Bash(git diff *)`; deny beats ask, and ask beats allow. */
export interface RuleLists {
  readonly allow?: readonly string[];
  readonly ask?: readonly string[];
  readonly deny?: readonly string[];
}

const texts = v.exactOptional(v.array(v.string()));

/** What lists of rules look like; whether each rule can be read is checked by the policy. */
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

/** A path that means the same to every process. */
export const absolute: v.GenericSchema<string> = v.pipe(
  v.string(),
  v.regex(/^(?:\/|[A-Za-z]:)/, "it must be absolute"),
);
