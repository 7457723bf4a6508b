import * as v from "valibot";
import type { Suite } from "../configuration.ts";
import { shellId } from "./fields.ts";

/** The input of the tool that reads output. */
export interface ReadInput {
  readonly shellId: string | readonly string[];
  readonly delay?: number | null | undefined;
  readonly until?: string | null | undefined;
  readonly from?: number | null | undefined;
  readonly search?: string | null | undefined;
  readonly context?: number | null | undefined;
}

/** The schema of that input. */
export function readInput({ maxWaitSeconds }: Suite): v.GenericSchema<unknown, ReadInput> {
  const offset = v.pipe(v.number(), v.integer("it is no whole number"), v.minValue(0));
  return v.strictObject({
    shellId: v.pipe(
      v.union([
        shellId,
        v.pipe(
          v.array(shellId),
          v.minLength(1, "it is empty"),
          v.maxLength(20, "there are more than 20"),
        ),
      ]),
      v.description("A shell or task, or several."),
    ),
    delay: v.pipe(
      v.nullish(v.pipe(v.number(), v.minValue(0))),
      v.description(
        `Seconds to wait at most, 0 to ${maxWaitSeconds}; default 0, or ${
          defaultDelay(maxWaitSeconds)
        } with "until".`,
      ),
    ),
    until: v.pipe(
      v.nullish(v.string()),
      v.description(
        'What to wait for: "output" (default), "exit", "input" or "/regular expression/".',
      ),
    ),
    from: v.pipe(
      v.nullish(offset),
      v.description("Read from this byte on, in place of what is new."),
    ),
    search: v.pipe(
      v.nullish(v.string()),
      v.description(
        "Show only the lines that match this regular expression (RE2), with their numbers.",
      ),
    ),
    context: v.pipe(
      v.nullish(v.pipe(offset, v.maxValue(50))),
      v.description("Lines around each match, default 0."),
    ),
  });
}

/** The default of `delay` with `until`, in seconds. */
export function defaultDelay(maxWaitSeconds: number): number {
  return Math.min(30, maxWaitSeconds);
}
