import { Buffer } from "node:buffer";

const NEWLINE = 10;

/**
 * Cut bytes into lines of UTF-8, without their ends. What follows the last newline is no line.
 *
 * @param maxBytes A longer line is discarded; a text that says so takes its place.
 */
export async function* splitLines(
  chunks: AsyncIterable<Uint8Array>,
  maxBytes: number,
): AsyncGenerator<string, void, undefined> {
  let parts: Uint8Array[] = [];
  let size = 0;
  const keep = (part: Uint8Array) => {
    if (size <= maxBytes) parts.push(part);
    size += part.length;
  };
  for await (const chunk of chunks) {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      keep(chunk.subarray(from, end));
      yield size > maxBytes
        ? `(a line of more than ${maxBytes} bytes)`
        : Buffer.concat(parts).toString();
      parts = [];
      size = 0;
      from = end + 1;
    }
    keep(chunk.subarray(from));
  }
}
