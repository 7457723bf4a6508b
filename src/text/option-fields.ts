import * as v from "valibot";
import { isLimit } from "../value/check-limits.ts";
import type { DecodingOptions } from "./decode/decode.ts";
import type { RenderOptions } from "./view/text-view.ts";

/** An amount of lines, columns or bytes, or an offset. */
export const limit: v.GenericSchema<number> = v.custom<number>(
  (value) => isLimit(value),
  "it must be a whole number, 0 or more",
);

/** An amount that may be a fraction, as a share or a time. */
export const fraction: v.GenericSchema<number> = v.custom<number>(
  (value) => isLimit(value, { fractions: true }),
  "it must be a number, 0 or more",
);

/** The fields of what says how bytes become lines. */
export const viewFields: Readonly<
  Record<keyof (DecodingOptions & RenderOptions), v.GenericSchema>
> = {
  encoding: v.optional(v.string()),
  progress: v.optional(v.picklist(["collapse", "frames"])),
  maxColumns: v.optional(limit),
};
