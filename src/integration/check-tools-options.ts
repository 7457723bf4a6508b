import * as v from "valibot";
import { shownValue } from "../event/shown.ts";
import { checkFields } from "../runtime/call/check-fields.ts";
import type { ToolPortOptions } from "../runtime/tool/tool-port.ts";
import { type SuiteOptions, TOOL_KINDS } from "../tool/configuration.ts";

const seconds = v.optional(v.pipe(v.number(), v.finite("it must be finite"), v.minValue(0)));
const amount = v.optional(
  v.pipe(v.number(), v.integer("it must be a whole number"), v.minValue(1)),
);
const flag = v.optional(v.boolean());
const text = v.optional(v.pipe(v.string(), v.nonEmpty("it is empty")));

const schema = v.strictObject(
  {
    family: v.optional(v.picklist(["bash", "powershell"])),
    tools: v.optional(v.array(v.picklist(TOOL_KINDS))),
    owner: text,
    initialWaitSeconds: seconds,
    maxWaitSeconds: seconds,
    timeoutSeconds: seconds,
    maxTimeoutSeconds: seconds,
    background: flag,
    detach: flag,
    autoBackgroundSeconds: seconds,
    concurrency: v.optional(v.picklist(["shared", "exclusive"])),
    onAbort: v.optional(v.picklist(["background", "stop"])),
    nonZeroIsError: flag,
    maxOutputChars: amount,
    maxOutputLines: amount,
    notices: flag,
    steering: v.optional(v.looseObject({ subscribe: v.function() })),
    foreign: v.optional(v.looseObject({ list: v.function(), promote: v.function() })),
    resolvers: v.optional(v.record(v.string(), v.function())),
    lenient: flag,
    ids: v.optional(v.looseObject({ next: v.function() })),
    keepShells: flag,
    directory: text,
    clock: v.optional(v.looseObject({ after: v.function() })),
  } satisfies Record<keyof SuiteOptions | keyof ToolPortOptions, v.GenericSchema>,
);

/**
 * Check how tools are to work.
 *
 * @throws {TypeError} For the first option that cannot be used, with its name and value.
 */
export function checkToolsOptions(options: SuiteOptions & ToolPortOptions): void {
  checkFields(
    schema,
    options,
    (field, value, why) =>
      new TypeError(`Cannot make tools with ${field} ${shownValue(value)}: ${why}`),
  );
}
