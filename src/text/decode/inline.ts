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

/** How many of the bytes remain when a UTF-8 character that is cut off at their end is left out. */
export function wholeCharacters(bytes: Uint8Array): number {
  for (let back = 1; back <= Math.min(3, bytes.length); back++) {
    const byte = bytes[bytes.length - back] ?? 0;
    if ((byte & 0xc0) === 0x80) continue;
    const length = byte >= 0xf0 ? 4 : byte >= 0xe0 ? 3 : byte >= 0xc0 ? 2 : 1;
    return length > back ? bytes.length - back : bytes.length;
  }
  return bytes.length;
}
