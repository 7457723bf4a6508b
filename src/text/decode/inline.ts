import type { InlineBytes } from "../../event/output.ts";
import { base64Of, fromBase64 } from "../../platform/base64.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes as an event carries them: text where they are UTF-8 as a whole, else base64. */
export function inlined(bytes: Uint8Array): InlineBytes {
  try {
    return { text: strict.decode(bytes) };
  } catch {
    return { base64: base64Of(bytes) };
  }
}

/** The bytes that an event carries. */
export function bytesOf(inline: InlineBytes): Uint8Array {
  if ("text" in inline) return new TextEncoder().encode(inline.text);
  return fromBase64(inline.base64);
}
