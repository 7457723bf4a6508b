import { quoteIfNeeded } from "./quote.ts";

/** What is open at a place of a line: quotes, or a substitution, in which a line begins anew. */
type Opened = "'" | "$'" | '"' | "(" | "`";

/**
 * Write a text at a place of a line so that a shell of the Bourne family reads exactly that text there.
 *
 * @param before The line up to that place.
 */
export function quotedAt(before: string, text: string): string {
  switch (openedBy(before)) {
    case "'":
      return text.replaceAll("'", `'\\''`);
    case "$'":
      return text.replaceAll(/[\\']/g, "\\$&");
    case '"':
      return text.replaceAll(/[\\"$`]/g, "\\$&");
    default:
      return quoteIfNeeded(text);
  }
}

/** A here-document up to its last line: the quotes in it are text. */
const HERE_DOCUMENT = /(<<-?[ \t]*\\?(['"]?)([A-Za-z_]\w*)\2[^\n]*)\n(?:[^]*?\n)?\t*\3(?=\n)/g;

/** What is open at the end of a line, as far as it can be seen without a grammar. */
function openedBy(line: string): Opened | undefined {
  const text = line.replace(HERE_DOCUMENT, "$1");
  const opened: Opened[] = [];
  for (let at = 0; at < text.length; at++) {
    const last = opened.at(-1);
    const letter = text[at];
    if (last === "'") {
      if (letter === "'") opened.pop();
    } else if (letter === "\\") at++;
    else if (last === "$'") {
      if (letter === "'") opened.pop();
    } else if (letter === '"' || letter === "`") {
      if (last === letter) opened.pop();
      else opened.push(letter);
    } else if (text.startsWith("$(", at)) {
      opened.push("(");
      at++;
    } else if (last === '"') continue;
    else if (letter === "'") opened.push(text[at - 1] === "$" ? "$'" : "'");
    else if (letter === "(") opened.push("(");
    else if (letter === ")" && last === "(") opened.pop();
    else if (letter === "#" && (at === 0 || /[\s;&|()]/.test(text[at - 1] ?? ""))) {
      const end = text.indexOf("\n", at);
      at = end < 0 ? text.length : end;
    }
  }
  return opened.at(-1);
}
