import { checkLimits, type LimitKind } from "../limits.ts";
import type { DecodingOptions } from "../decode/decode.ts";
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
  /** The share of the budget that goes to the beginning; the end has the rest. @default {0.2} */
  readonly headShare?: number;
  /** Columns shown of one line. @default {2000} */
  readonly maxLineColumns?: number;
  /** Whether lines that repeat are shown once, with a count. @default {true} */
  readonly foldRepeats?: boolean;
  /** Bytes read of beginning and end together. @default {4 * maxChars} */
  readonly windowBytes?: number;
  /**
   * Bytes read of the middle, in search of errors and to count lines; 0 for none. Half of them
   * are its first and half its last ones; how many bytes lie between is told.
   *
   * @default {4 MiB}
   */
  readonly maxScanBytes?: number;
  /** Lines at most that are kept of the middle because they look like errors, within a tenth of either budget. @default {20} */
  readonly maxErrors?: number;
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

/** {@linkcode ExcerptOptions} with nothing left open. */
export interface ExcerptPlan {
  readonly maxLines: number;
  readonly maxChars: number;
  readonly headShare: number;
  readonly maxLineColumns: number;
  readonly foldRepeats: boolean;
  readonly windowBytes: number;
  readonly maxScanBytes: number;
  readonly maxErrors: number;
  readonly footer: (next: NextPlace) => string;
  readonly view: DecodingOptions & RenderOptions;
}

/**
 * Fill in what was left open.
 *
 * @throws {TypeError} If a limit is none.
 */
export function planOf(options: ExcerptOptions): ExcerptPlan {
  const { encoding, progress, footer = "" } = options;
  const maxChars = limit("maxChars", options.maxChars ?? 100_000);
  const maxLineColumns = Math.min(
    limit("maxLineColumns", options.maxLineColumns ?? 2000),
    // A line on its own never takes the whole of a small budget.
    Math.max(16, Math.floor(maxChars / 4)),
  );
  return {
    maxLines: limit("maxLines", options.maxLines ?? 500),
    maxChars,
    headShare: Math.min(1, limit("headShare", options.headShare ?? 0.2, { fractions: true })),
    maxLineColumns,
    foldRepeats: options.foldRepeats ?? true,
    windowBytes: limit("windowBytes", options.windowBytes ?? 4 * maxChars),
    maxScanBytes: limit("maxScanBytes", options.maxScanBytes ?? 4_194_304),
    maxErrors: limit("maxErrors", options.maxErrors ?? 20),
    footer: typeof footer === "string" ? () => footer : footer,
    view: {
      maxColumns: maxLineColumns,
      ...(encoding === undefined ? {} : { encoding }),
      ...(progress === undefined ? {} : { progress }),
    },
  };
}

function limit(name: string, value: number, kind?: LimitKind): number {
  checkLimits("take an excerpt", { [name]: value }, kind);
  return value;
}
