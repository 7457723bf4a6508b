import * as v from "valibot";
import type { Answer } from "../event/permission.ts";
import { shownValue } from "../value/shown.ts";

/** What an asker may answer. */
export const ANSWER: v.GenericSchema<unknown, Answer> = v.union([
  v.picklist(["once", "session", "always", "deny"]),
  v.strictObject({ type: v.picklist(["once", "session", "always"]) }),
  v.strictObject({ type: v.literal("deny"), reason: v.optional(v.string()) }),
]);

/** An answer in its long form. */
export type ReadAnswer = Exclude<Answer, string>;

/** Read what an asker answered; anything that is no answer denies. */
export function readAnswer(given: unknown): ReadAnswer {
  const { success, output } = v.safeParse(ANSWER, given);
  if (!success) {
    const reason = `as ${shownValue(given)} is none of "once", "session", "always" and "deny"`;
    return { type: "deny", reason };
  }
  return typeof output === "string" ? { type: output } : output;
}
