import * as v from "valibot";
import { LARGEST_SIZE, type TerminalSize } from "../../platform/terminal/terminals.ts";

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
