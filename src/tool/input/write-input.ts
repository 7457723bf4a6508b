import * as v from "valibot";
import type { Suite } from "../configuration.ts";
import { shellId } from "./fields.ts";

/** The input of the tool that types. */
export interface WriteInput {
  readonly shellId: string;
  readonly input: string;
  readonly raw?: boolean | null | undefined;
  readonly delay?: number | null | undefined;
  readonly until?: string | null | undefined;
}

/** The schema of that input. */
export function writeInput({ maxWaitSeconds }: Suite): v.GenericSchema<unknown, WriteInput> {
  return v.strictObject({
    shellId: v.pipe(shellId, v.description("The shell or task.")),
    input: v.pipe(
      v.string(),
      v.nonEmpty("it is empty"),
      v.description(
        "Text and keys: {enter} {tab} {esc} {up} {down} {left} {right} {backspace} {ctrl-c} {ctrl-d}.",
      ),
    ),
    raw: v.pipe(v.nullish(v.boolean()), v.description("Take braces as text.")),
    delay: v.pipe(
      v.nullish(v.pipe(v.number(), v.minValue(0))),
      v.description(`Seconds to wait for its answer, 0 to ${maxWaitSeconds}, default 2.`),
    ),
    until: v.pipe(
      v.nullish(v.string()),
      v.description(
        'What to wait for: "output" (default), "exit", "input" or "/regular expression/".',
      ),
    ),
  });
}
