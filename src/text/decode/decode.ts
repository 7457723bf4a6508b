/** How the bytes of a window become characters. */
export interface DecodingOptions {
  /** A label of the WHATWG Encoding Standard. @default {"utf-8"} */
  readonly encoding?: string;
}

/**
 * Make a decoder that keeps a byte order mark and replaces what is invalid.
 *
 * Every text that is shown of a command's output is made by it: results, views, excerpts, searches,
 * recordings.
 *
 * @throws {RangeError} If there is no such encoding.
 */
export function decoderOf(options: DecodingOptions = {}): Decoder {
  const label = options.encoding ?? "utf-8";
  try {
    return new Decoder(label);
  } catch (cause) {
    throw new RangeError(`Cannot decode "${label}": no such encoding`, { cause });
  }
}

/**
 * Makes characters of bytes, in chunks when more follow: the decoder of the platform, which never
 * throws here.
 *
 * That of Node 20 does, against the standard, where a character of gb18030 or EUC-JP begins in one
 * chunk and is broken by the next one: it is replaced, and the chunk is decoded without it.
 */
export class Decoder {
  /** The name of the encoding. */
  readonly encoding: string;
  #decoder: InstanceType<typeof TextDecoder>;

  constructor(label: string) {
    this.#decoder = new TextDecoder(label, { ignoreBOM: true });
    this.encoding = this.#decoder.encoding;
  }

  decode(bytes?: Uint8Array, options?: { readonly stream?: boolean }): string {
    try {
      return this.#decoder.decode(bytes, options);
    } catch {
      this.#decoder = new TextDecoder(this.encoding, { ignoreBOM: true });
      return `\ufffd${this.#decoder.decode(bytes, options)}`;
    }
  }
}

/** How many bytes a newline takes, and its offset is a multiple of. */
export function unitBytes({ encoding }: Decoder): 1 | 2 {
  return encoding.startsWith("utf-16") ? 2 : 1;
}
