/** First bytes of common formats, as their specifications give them, each as the character of its number. */
const SIGNATURES: readonly { readonly kind: string; readonly bytes: string }[] = [
  { kind: "PNG image", bytes: "\x89PNG\r\n\x1a\n" },
  { kind: "JPEG image", bytes: "\xff\xd8\xff" },
  { kind: "GIF image", bytes: "GIF8" },
  { kind: "gzip data", bytes: "\x1f\x8b\x08" },
  { kind: "xz data", bytes: "\xfd7zXZ\0" },
  { kind: "zstd data", bytes: "\x28\xb5\x2f\xfd" },
  { kind: "zip archive", bytes: "PK\x03\x04" },
  { kind: "zip archive", bytes: "PK\x05\x06" },
  { kind: "ELF file", bytes: "\x7fELF" },
  { kind: "WebAssembly module", bytes: "\0asm" },
  { kind: "PDF document", bytes: "%PDF-" },
  { kind: "SQLite database", bytes: "SQLite format 3\0" },
  { kind: "UTF-16 text", bytes: "\xff\xfe" },
  { kind: "UTF-16 text", bytes: "\xfe\xff" },
];

/** How many bytes are judged at a time. */
const SAMPLE = 8192;

/**
 * Name the kind of bytes that are not text.
 *
 * By signature where they are the beginning of the stream, else by the share of control characters
 * and of sequences that are no UTF-8. A few NULs, as between the names of `find -print0`, are text.
 *
 * @returns A few words for people, or nothing when the bytes look like text.
 */
export function binaryKind(bytes: Uint8Array, options: { start: boolean }): string | undefined {
  if (options.start) {
    const first = String.fromCharCode(...bytes.subarray(0, 16));
    const known = SIGNATURES.find((signature) => first.startsWith(signature.bytes));
    if (known !== undefined) return known.kind;
  }
  const sample = bytes.subarray(0, SAMPLE);
  if (sample.length === 0) return undefined;
  let controls = 0;
  for (const byte of sample) if (isControl(byte)) controls++;
  if (controls * 10 > sample.length) return "binary data";
  if (controls * 100 <= sample.length) return undefined;
  // A cut character at either edge of the sample is no sign of anything.
  const invalid = Math.max(0, replaced(sample) - 4);
  return invalid * 10 > sample.length ? "binary data" : undefined;
}

/**
 * Find where among bytes there is data that is no text.
 *
 * @returns The first and the last offset of what does not look like text, in steps of a sample.
 */
export function binaryStretch(bytes: Uint8Array): { from: number; to: number } | undefined {
  let found: { from: number; to: number } | undefined;
  for (let at = 0; at < bytes.length; at += SAMPLE) {
    // The last sample is as long as the others: a few bytes say little.
    const from = Math.max(0, Math.min(at, bytes.length - SAMPLE));
    if (binaryKind(bytes.subarray(from), { start: false }) === undefined) continue;
    found = { from: found?.from ?? from, to: Math.min(from + SAMPLE, bytes.length) };
  }
  return found;
}

/** Controls that text has no use for: all but BEL to CR and ESC. */
function isControl(byte: number): boolean {
  return byte < 7 || (byte > 13 && byte < 32 && byte !== 27) || byte === 127;
}

function replaced(bytes: Uint8Array): number {
  return new TextDecoder().decode(bytes).split("\ufffd").length - 1;
}
