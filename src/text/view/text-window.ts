import * as v from "valibot";
import { checkFields } from "../../value/check-fields.ts";
import { limit, viewFields } from "../option-fields.ts";
import { type RenderOptions, TextView, type ViewLine } from "./text-view.ts";
import { wholeCharacters, type WindowOptions } from "../decode/edges.ts";

/** A window of output as text. */
export interface TextWindow {
  readonly text: string;
  readonly lines: readonly ViewLine[];
  /** Offset of the first byte that the text shows; later than asked for when that was inside a character. */
  readonly from: number;
  /** Offset after the last byte that the text shows: where the next window begins. */
  readonly to: number;
  /** Bytes left out on either side because they are parts of a character that the window cuts. */
  readonly cut: { readonly before: number; readonly after: number };
}

const schema = v.strictObject(
  {
    ...viewFields,
    from: v.optional(limit),
    last: v.optional(v.boolean()),
  } satisfies Record<keyof (WindowOptions & RenderOptions), v.GenericSchema>,
);

/**
 * Show a window of output as text.
 *
 * @param bytes The window.
 * @param options Where it stands in the stream, its encoding and how it is rendered.
 * @returns Its lines, and the offsets of what they show.
 * @throws {TypeError} If an option cannot be used.
 * @throws {RangeError} If there is no such encoding.
 *
 * @example A window that ends inside a character
 * ```ts
 * import { textView } from "shellflow";
 *
 * const bytes = new TextEncoder().encode("\x1b[32m 10%\r100%\x1b[m\nü");
 * const { text, to } = textView(bytes.subarray(0, -1));
 * if (text !== "100%\n" || to !== bytes.length - 2) throw new Error(`unexpected: ${text}`);
 * ```
 */
export function textView(
  bytes: Uint8Array,
  options: WindowOptions & RenderOptions = {},
): TextWindow {
  checkFields(schema, options, "Cannot view text with");
  const { bytes: shown, from, to } = wholeCharacters(bytes, options);
  const view = new TextView({ ...options, from });
  const lines = [...view.push(shown), ...view.end()];
  const text = lines.map((line) => line.end === "end" ? line.text : `${line.text}\n`).join("");
  const before = from - (options.from ?? 0);
  return { text, lines, from, to, cut: { before, after: bytes.length - before - shown.length } };
}
