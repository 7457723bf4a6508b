import * as v from "valibot";
import { defined } from "../../value/defined.ts";
import type { DecodingOptions } from "../decode/decode.ts";
import { checkFields } from "../../value/check-fields.ts";
import { limit, viewFields } from "../option-fields.ts";
import { readOn } from "../read-on.ts";
import type { ByteSource } from "../source/source.ts";
import type { RenderOptions } from "../view/text-view.ts";

/** How much of an output is shown, and of which part. */
export interface ExcerptOptions extends DecodingOptions, Omit<RenderOptions, "maxColumns"> {
  /**
   * Lines at most, markers included and the footer not. The marker of what is left out has a line
   * whatever the limit is, and errors of the middle have some from 20 lines on.
   *
   * @default {500}
   */
  readonly maxLines?: number;
  /** UTF-16 code units at most, markers and footer included. @default {100_000} */
  readonly maxChars?: number;
  /** Columns shown of one line. @default {2000} */
  readonly maxLineColumns?: number;
  /**
   * Bytes read of the middle, in search of errors and to count lines; 0 for none. Half of them are
   * its first and half its last ones; the marker says how many bytes lie between.
   *
   * @default {4 MiB}
   */
  readonly maxScanBytes?: number;
  /**
   * Says where the whole is and how to read on; shown when anything was left out, and "" for none.
   *
   * @default Names the file with the output, if there is one and the budget allows it, and the
   * command that reads on in it.
   */
  readonly footer?: string | ((next: NextPlace) => string);
}

/** What follows the beginning that is shown. */
export interface NextPlace {
  /** The number of the line, counted from 1; null where the output is no text. */
  readonly line: number | null;
  /** The offset of the byte. */
  readonly byte: number;
}

/** The share of the budget that goes to the beginning; the end has the rest. */
export const HEAD_SHARE = 0.2;

/** {@linkcode ExcerptOptions} with nothing left open. */
export interface ExcerptPlan
  extends Required<Omit<ExcerptOptions, "footer" | "encoding" | "progress">> {
  readonly footer: (next: NextPlace) => string;
  readonly view: DecodingOptions & RenderOptions;
}

const { maxColumns: _, ...viewOptions } = viewFields;

const schema = v.strictObject(
  {
    ...viewOptions,
    maxLines: v.optional(limit),
    maxChars: v.optional(limit),
    maxLineColumns: v.optional(limit),
    maxScanBytes: v.optional(limit),
    footer: v.optional(v.union([v.string(), v.function()])),
  } satisfies Record<keyof ExcerptOptions, v.GenericSchema>,
);

/**
 * Fill in what was left open.
 *
 * @throws {TypeError} If an option cannot be used.
 */
export function planOf(source: ByteSource, options: ExcerptOptions): ExcerptPlan {
  checkFields(schema, options, "Cannot take an excerpt with");
  const { maxChars = 100_000, maxLines = 500, maxScanBytes = 4_194_304 } = options;
  const { maxLineColumns = 2000 } = options;
  const { footer = fileFooter(source, options), encoding, progress } = options;
  // A line on its own never takes the whole of a small budget.
  const columns = Math.min(maxLineColumns, Math.max(16, Math.floor(maxChars / 4)));
  return {
    maxLines,
    maxChars,
    maxScanBytes,
    maxLineColumns: columns,
    footer: typeof footer === "string" ? () => footer : footer,
    view: {
      maxColumns: columns,
      ...defined({ encoding, progress }),
    },
  };
}

/** The command that reads on may take so much of the budget: else it is left out. */
const MOST_SHARE = 0.5;

/** Say where the whole of a source is and how to read on there; empty where no file has what follows. */
function fileFooter(
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
