interface Signature {
  readonly kind: string;
  readonly bytes: readonly number[];
}

/** First bytes of common formats, as their specifications give them. */
const SIGNATURES: readonly Signature[] = [
  { kind: "PNG image", bytes: [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a] },
  { kind: "JPEG image", bytes: [0xff, 0xd8, 0xff] },
  { kind: "GIF image", bytes: [...ascii("GIF8")] },
  { kind: "gzip data", bytes: [0x1f, 0x8b, 0x08] },
  { kind: "xz data", bytes: [0xfd, ...ascii("7zXZ"), 0x00] },
  { kind: "zstd data", bytes: [0x28, 0xb5, 0x2f, 0xfd] },
  { kind: "zip archive", bytes: [...ascii("PK"), 0x03, 0x04] },
  { kind: "zip archive", bytes: [...ascii("PK"), 0x05, 0x06] },
  { kind: "ELF file", bytes: [0x7f, ...ascii("ELF")] },
  { kind: "WebAssembly module", bytes: [0x00, ...ascii("asm")] },
  { kind: "PDF document", bytes: ascii("%PDF-") },
  { kind: "SQLite database", bytes: [...ascii("SQLite format 3"), 0x00] },
  { kind: "UTF-16 text", bytes: [0xff, 0xfe] },
  { kind: "UTF-16 text", bytes: [0xfe, 0xff] },
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
    const known = SIGNATURES.find((signature) =>
      signature.bytes.every((byte, i) => bytes[i] === byte)
    );
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

function ascii(text: string): readonly number[] {
  return Array.from(text, (character) => character.charCodeAt(0));
}
