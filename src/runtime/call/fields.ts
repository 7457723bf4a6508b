import * as v from "valibot";
import { LARGEST_SIZE, type TerminalSize } from "../../platform/terminal/terminals.ts";

/** A name or a path. */
export const nonEmpty: v.GenericSchema<string> = v.pipe(v.string(), v.nonEmpty("it is empty"));

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

/** A length of a terminal, within bounds. */
function upTo(most: number): v.GenericSchema<unknown, number> {
  return v.pipe(
    v.number(),
    v.integer("it must be a whole number"),
    v.minValue(1),
    v.maxValue(most, `it must be at most ${most}`),
  );
}

/** The fields of a size. */
export const sizeFields: Readonly<Record<keyof TerminalSize, v.GenericSchema<unknown, number>>> = {
  columns: upTo(LARGEST_SIZE.columns),
  rows: upTo(LARGEST_SIZE.rows),
};
