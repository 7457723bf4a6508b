import { quote, quoteIfNeeded } from "../shell/quote.ts";

/** Where to read on, and how. */
export interface ReadOnOptions {
  /** The first line to read, counted from 1; `null` where the output is no text. */
  readonly line?: number | null;
  /** The first byte to read, where no line is given. */
  readonly byte?: number;
  /** The encoding, unless it is UTF-8. */
  readonly encoding?: string;
}

/**
 * The command that shows more of an output, as a shell takes it.
 *
 * @param words What it is to read: the path of a file, or a log and a task of it.
 */
export function readOn(words: readonly string[], options: ReadOnOptions): string {
  const { line, byte = 0, encoding } = options;
  const place = line === null
    ? "--raw"
    : line === undefined
    ? `--from ${byte}`
    : `--lines ${line}:`;
  const decoding = encoding === undefined || line === null ? "" : ` --encoding ${quoted(encoding)}`;
  return `shellflow read ${words.map(quoted).join(" ")} ${place}${decoding}`;
}

/** A word that is no option, either. */
function quoted(word: string): string {
  return word.startsWith("-") ? quote(`./${word}`) : quoteIfNeeded(word);
}
