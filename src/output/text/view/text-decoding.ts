/** How the bytes of a window become characters. */
export interface DecodingOptions {
  /** A label of the WHATWG Encoding Standard. @default {"utf-8"} */
  readonly encoding?: string;
}

/** A decoder of the platform. */
export type Decoder = InstanceType<typeof TextDecoder>;

/**
 * Make a decoder that keeps a byte order mark and replaces what is invalid.
 *
 * @throws {RangeError} If nobody knows the encoding.
 */
export function decoderOf(options: DecodingOptions): Decoder {
  const label = options.encoding ?? "utf-8";
  try {
    return new TextDecoder(label, { ignoreBOM: true });
  } catch (cause) {
    throw new RangeError(`Cannot decode "${label}": no such encoding`, { cause });
  }
}

/** How many bytes a newline takes and to what its offset is a multiple. */
export function unitBytes(decoder: Decoder): 1 | 2 {
  return decoder.encoding.startsWith("utf-16") ? 2 : 1;
}
