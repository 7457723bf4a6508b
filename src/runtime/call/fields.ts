import * as v from "valibot";

/** A name or a path. */
export const nonEmpty: v.GenericSchema<string> = v.pipe(v.string(), v.nonEmpty("it is empty"));

/** A time, in milliseconds. */
export const milliseconds: v.GenericSchema<number> = v.pipe(
  v.number(),
  v.finite("it must be finite"),
  v.minValue(0),
);

/** An offset or an amount of bytes. */
export const wholeNumber: v.GenericSchema<number> = v.pipe(
  v.number(),
  v.safeInteger("it must be a whole number"),
  v.minValue(0),
);
