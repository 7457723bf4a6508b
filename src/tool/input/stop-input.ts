import * as v from "valibot";
import { shellId } from "./fields.ts";

/** The input of the tool that stops. */
export interface StopInput {
  readonly shellId: string;
  readonly keep_shell?: boolean | null | undefined;
}

/** The schema of that input. */
export function stopInput(): v.GenericSchema<unknown, StopInput> {
  return v.strictObject({
    shellId: v.pipe(shellId, v.description("The shell or task.")),
    keep_shell: v.pipe(
      v.nullish(v.boolean()),
      v.description("End the command alone, and keep its shell open."),
    ),
  });
}
