/** The lines of a text that can be left out, and what makes up for them. */
export interface Skip {
  readonly from: number;
  readonly to: number;
  /** Sets the cursor and the styles that are in force behind them. */
  readonly instead: string;
}

// deno-lint-ignore no-control-regex -- sequences begin with control characters
const STYLE = /\x1b\[[\d;:]*m/g;
/** More different styles without a reset are no longer left out. */
const MOST_STYLES = 256;

/**
 * Find the lines that a terminal need not be shown, as they have left the screen by the end of a text.
 *
 * The text has no sequences but styles; the screen is the normal one, without margins, history and
 * reverse wrap. Then a line feed on the last row scrolls all rows up, and any other moves the cursor
 * down; a screen's height of line feeds puts the cursor on the last row wherever it was, and another
 * height of them removes every row that was begun before. So of lines with that many feeds in them and
 * behind them, only two things are left: the cursor is on the last row, at the left edge after CR LF,
 * and styles are in force. Modes, tab stops, character sets and saved cursor are what they were.
 */
export function skipLines(text: string, rows: number): Skip | undefined {
  const from = text.indexOf("\n") + 1;
  let to = text.length;
  for (let feeds = 0; feeds <= rows || text[to - 1] !== "\r"; feeds++) {
    to = text.lastIndexOf("\n", to - 1);
    if (to <= from) return undefined;
  }
  let last = from - 1;
  for (let feeds = 0; feeds < rows; feeds++) {
    last = text.indexOf("\n", last + 1);
    if (last > to) return undefined;
  }
  const styles = stylesBehind(text.slice(from, to));
  return styles && { from, to: to + 1, instead: `\x1b[${rows};1H${styles.join("")}` };
}

/** Each sets some attributes to fixed values, so of equal ones the last is enough, and none before a reset matters. */
function stylesBehind(text: string): readonly string[] | undefined {
  const styles = new Set<string>();
  for (const [style] of text.matchAll(STYLE)) {
    if (style === "\x1b[m" || style === "\x1b[0m") styles.clear();
    styles.delete(style);
    styles.add(style);
  }
  return styles.size > MOST_STYLES ? undefined : [...styles];
}
