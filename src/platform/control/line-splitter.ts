const NEWLINE = 10;

/**
 * Cut bytes into lines of UTF-8.
 *
 * @param maxBytes How many bytes a line has at most.
 * @param line Called with each line, without its end.
 * @returns Takes bytes, which are valid only during the call, and answers `false` when a line is too
 *   long: then it takes no more.
 */
export function lineSplitter(
  maxBytes: number,
  line: (text: string) => void,
): (chunk: Uint8Array) => boolean {
  const decoder = new TextDecoder();
  let parts: Uint8Array[] = [];
  let size = 0;
  return (chunk) => {
    let from = 0;
    for (let end = chunk.indexOf(NEWLINE); end >= 0; end = chunk.indexOf(NEWLINE, from)) {
      if (size + end - from > maxBytes) return false;
      const texts = parts.map((part) => decoder.decode(part, { stream: true }));
      texts.push(decoder.decode(chunk.subarray(from, end)));
      parts = [];
      size = 0;
      from = end + 1;
      line(texts.join(""));
    }
    if (from < chunk.length) {
      parts.push(chunk.slice(from));
      size += chunk.length - from;
    }
    return size <= maxBytes;
  };
}
