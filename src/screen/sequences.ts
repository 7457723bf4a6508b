/** A control sequence: ESC [, parameters and intermediates, and a final character that says what it does. */
export interface ControlSequence {
  readonly parameters: string;
  readonly final: string;
}

/** The text between ESC ] and its terminator; a reply is to end as the question did. */
export interface OperatingSystemCommand {
  readonly text: string;
  readonly terminator: "\x07" | "\x1b\\";
}

/** A sequence in the output of a terminal, which neither changes only a style (SGR) nor erases in its line (EL). */
export interface FoundSequence {
  /** Where it stands. */
  readonly from: number;
  readonly to: number;
  /** What it is; none of these for strings of other kinds and for escapes that change nothing here. */
  readonly control?: ControlSequence;
  readonly command?: OperatingSystemCommand;
  /** ESC c resets the terminal (RIS). */
  readonly resets?: true;
}

/** Longer strings are passed over. */
const MOST_TEXT = 8_192;

/** What no text without a sequence has. */
// deno-lint-ignore no-control-regex -- sequences begin with control characters
const SPECIAL = /[\x0e\x0f\x1b\x80-\x9f]/;

/**
 * Control sequences; commands; strings of other kinds; other escapes, and shifts of character sets. What is
 * not ASCII ends those strings for the emulator, but for the ones that ESC P begins.
 */
const SEQUENCE =
  // deno-lint-ignore no-control-regex -- sequences begin with control characters
  /\x1b(?!\[[\d;:]*[mK])(?:\[([\x20-\x3f]{0,256})([\x40-\x7e])|\]([^\x07\x18\x1a\x1b\x80-\x9f]*)(\x07|\x1b\\|\x9c|[\x18\x1a]|(?=\x1b))|(?:P[^\x18\x1a\x1b\x80-\x9f]*|[X^_][^\x18\x1a\x1b\x80-\uffff]*)(?=[\x18\x1a\x1b])|([\x20-\x2f]*[\x30-\x4f\x51-\x57\x59\x5a\x5c\x60-\x7e]))|[\x0e\x0f]/g;

/** A sequence with its end still to come. */
const UNFINISHED =
  // deno-lint-ignore no-control-regex -- sequences begin with control characters
  /\x1b(?:\[[\x20-\x3f]{0,256}|\][^\x07\x18\x1a\x1b\x80-\x9f]*|P[^\x18\x1a\x1b\x80-\x9f]*|[X^_][^\x18\x1a\x1b\x80-\uffff]*|[\x20-\x2f]*)$/;

/** What a terminal may take for any sequence: a C1 control, or a malformed sequence. */
// deno-lint-ignore no-control-regex -- sequences begin with control characters
const UNKNOWN = /\x1b(?!\[[\d;:]*[mK])|[\x80-\x9f]/;

/** Whether there can be sequences in a text. */
export function mayHaveSequences(text: string): boolean {
  return SPECIAL.test(text);
}

/**
 * Find the sequences in a text.
 *
 * @see {@link https://vt100.net/emu/dec_ansi_parser}
 */
export function* sequencesIn(text: string): Generator<FoundSequence, void, void> {
  for (const { index: from, ...match } of text.matchAll(SEQUENCE)) {
    const { 0: whole, 1: parameters = "", 2: final, 3: body, 4: terminator, 5: escape } = match;
    const place = { from, to: from + whole.length };
    if (final !== undefined) yield { ...place, control: { parameters, final } };
    else if (body !== undefined) yield { ...place, ...commandOf(body, terminator) };
    else yield { ...place, ...(escape === "c" && { resets: true }) };
  }
}

function commandOf(
  body: string,
  terminator: string | undefined,
): Pick<FoundSequence, "command"> | undefined {
  if (terminator === "\x18" || terminator === "\x1a" || body.length > MOST_TEXT) return undefined;
  // A terminal ignores controls inside.
  // deno-lint-ignore no-control-regex -- sequences begin with control characters
  const text = body.replaceAll(/[\x00-\x1f]/g, "");
  return { command: { text, terminator: terminator === "\x07" ? terminator : "\x1b\\" } };
}

/** The sequence at the end of a text that the next text continues; of a long string, one that has no use takes the place. */
export function unfinishedIn(text: string): string {
  const [unfinished = ""] = UNFINISHED.exec(text.slice(text.lastIndexOf("\x1b"))) ?? [];
  return unfinished.length > "\x1b]".length + MOST_TEXT ? "\x1bX" : unfinished;
}

/** Whether a text between sequences has something that a terminal may take for any of them. */
export function hasUnknown(text: string): boolean {
  return UNKNOWN.test(text);
}
