import { readOn } from "../read-on.ts";
import type { ByteSource } from "../source/source.ts";
import type { ExcerptOptions, NextPlace } from "./excerpt-options.ts";

/** The command that reads on may take so much of the budget: else it is left out. */
const MOST_SHARE = 0.5;

/** Say where the whole of a source is and how to read on there; empty where no file has what follows. */
export function fileFooter(
  { total, artifact }: ByteSource,
  { encoding, maxChars = Infinity }: ExcerptOptions,
): (next: NextPlace) => string {
  return ({ line, byte }) => {
    if (artifact === undefined || artifact.bytes <= byte) return "";
    const { path, bytes } = artifact;
    const place = bytes < total ? `the first ${bytes} are in ${path}` : `all of it is in ${path}`;
    const how = readOn([path], { line, byte, ...(encoding !== undefined && { encoding }) });
    const footer = `[${total} bytes in all; ${place}; read on with: ${how}]`;
    return footer.length > MOST_SHARE * maxChars ? "" : footer;
  };
}
