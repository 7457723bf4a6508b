import type { InlineBytes } from "./output.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Put bytes into an event: as text where they are UTF-8 as a whole, else as base64. */
export function inlineBytes(bytes: Uint8Array): InlineBytes {
  try {
    return { text: decoder.decode(bytes) };
  } catch {
    let binary = "";
    // In pieces, as each byte becomes an argument.
    for (let from = 0; from < bytes.length; from += 8_192) {
      binary += String.fromCharCode(...bytes.subarray(from, from + 8_192));
    }
    return { base64: btoa(binary) };
  }
}

/** Take bytes out of an event. */
export function bytesOf(inline: InlineBytes): Uint8Array {
  if ("text" in inline) return encoder.encode(inline.text);
  return Uint8Array.from(atob(inline.base64), (character) => character.charCodeAt(0));
}
