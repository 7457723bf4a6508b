import type { InlineBytes } from "../../event/output.ts";

const strict = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Bytes as an event carries them: text where they are UTF-8 as a whole, else base64. */
export function inlined(bytes: Uint8Array): InlineBytes {
  try {
    return { text: strict.decode(bytes) };
  } catch {
    let binary = "";
    for (const byte of bytes) binary += String.fromCharCode(byte);
    return { base64: btoa(binary) };
  }
}

/** The bytes that an event carries. */
export function bytesOf(inline: InlineBytes): Uint8Array {
  if ("text" in inline) return new TextEncoder().encode(inline.text);
  return Uint8Array.from(atob(inline.base64), (letter) => letter.charCodeAt(0));
}
