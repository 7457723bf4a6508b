import { NUMBER, PART, REF } from "../../words/placeholders.ts";
import { isUnknown, plainText } from "../../words/word-marks.ts";

/** What a little program in a command's words does besides writing to its output. */
export interface ScriptEffects {
  /** It runs a command, or it cannot be read. */
  readonly runs: boolean;
  /** Files that it writes, as far as it names them. */
  readonly writes?: readonly string[];
  /** It contains a part of a name, which could change what it does. */
  readonly named?: true;
}

/** What cannot be read counts as what runs a command. */
export const UNREADABLE: ScriptEffects = { runs: true };

/** Read a script with a number in each place where one is known only at run time, and with none. */
export function eachNumber(
  marked: string,
  read: (script: string) => ScriptEffects,
): ScriptEffects {
  const one = read(marked.replaceAll(NUMBER, "1"));
  if (!marked.includes(NUMBER)) return one;
  const none = read(marked.replaceAll(NUMBER, ""));
  return {
    runs: one.runs || none.runs,
    writes: [...one.writes ?? [], ...none.writes ?? []],
  };
}

/** Read a sed script. */
export function sedEffects(marked: string): ScriptEffects {
  // Where a part of a path would be a command or a flag, it could be the one that runs commands.
  const effects = eachNumber(marked.replaceAll(PART, "e"), effectsOf);
  if (marked.includes(REF)) return UNREADABLE;
  return marked.includes(PART) ? { ...effects, named: true } : effects;
}

function effectsOf(marked: string): ScriptEffects {
  const text = plainText(marked);
  if (isUnknown(text)) return UNREADABLE;
  let at = 0;
  const take = (pattern: RegExp): string => {
    pattern.lastIndex = at;
    const found = pattern.exec(text)?.[0] ?? "";
    at += found.length;
    return found;
  };
  /** In brackets a delimiter is a plain character. */
  const bracket = () => {
    const inside = take(/\[\^?\]?(?:\[:\w+:\]|\[([.=])[^\]]*\1\]|[^\]\n])*/y);
    return text[at] === "]" && !inside.endsWith("\\");
  };
  /** Skip parts that the next character delimits; the first can be a regular expression. */
  const delimited = (parts: number, expression = true): boolean => {
    const delimiter = text[at++] ?? "\n";
    if (delimiter === "\n" || delimiter === "\\") return false;
    for (let left = parts; left > 0; at++) {
      const char = text[at];
      if (char === undefined) return false;
      if (char === "\\") at++;
      else if (char === delimiter) left--;
      else if (char === "[" && expression && left === parts && !bracket()) return false;
    }
    return true;
  };
  /** Whether a command ends here. */
  const ends = (): boolean => {
    take(/[ \t]*(?:#[^\n]*)?/y);
    return at >= text.length || text[at] === "}" || /[;\n]/.test(text[at++] ?? "");
  };
  /** Read a command; `false` when that cannot be done, or it runs another one, or reads or writes a file. */
  const command = (): boolean => {
    for (take(/[\s;]*/y); take(/[\d$,~+! \t]*/y), /[/\\]/.test(text[at] ?? ""); take(/[IM]*/y)) {
      if (text[at] === "\\") at++;
      if (!delimited(1)) return false;
    }
    const name = text[at++] ?? "#";
    if (/[{}]/.test(name)) return true;
    if (/[=dDgGhHnNpPxzlLqQ]/.test(name)) return take(/[ \t]*\d*/y), ends();
    // The text of these goes on behind a backslash at the end of a line.
    if (/[aic]/.test(name)) return take(/(?:\\[^]|[^\n\\])*/y), true;
    // A label ends at a blank in some of them, in others with the line.
    if (/[:btTv]/.test(name)) return take(/[ \t]*[^;\n}\s]*/y), ends();
    if (name === "y") return delimited(2, false) && ends();
    if (name === "s") return delimited(2) && !take(/[gpiImM\de]*/y).includes("e") && ends();
    return name === "#" && (take(/[^\n]*/y), true);
  };
  while (at < text.length) if (!command()) return UNREADABLE;
  return { runs: false };
}
