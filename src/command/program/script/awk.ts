import { isUnknown, plainText } from "../../words/word-marks.ts";
import { eachNumber, type ScriptEffects, UNREADABLE } from "./sed.ts";

/** Strings, regular expressions where a value can begin, names, numbers, behind which a name can follow, operators. */
const TOKEN =
  /[ \t\r]+|\\\n|#[^\n]*|"(?:\\[^]|[^"\\\n])*"|[A-Za-z_]\w*|0[xX][\da-fA-F]+|(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?|\|&|\|\||&&|>>|[<>=!]=|\+\+|--|[-+*/%^]=|\*\*=?|[^]/y;
const EXPRESSION = /\/(?:\\[^\n]|\[\^?\]?(?:\[:\w+:\]|\\[^\n]|[^\]\n])*\]|[^\\/[\n])*\//y;

/** Read an awk program. */
export function awkEffects(marked: string): ScriptEffects {
  return eachNumber(marked, awkEffectsOf);
}

function awkEffectsOf(marked: string): ScriptEffects {
  const program = plainText(marked);
  if (isUnknown(program)) return UNREADABLE;
  const tokens = awkTokens(program);
  const writes: string[] = [];
  // The depth of parentheses at which a `>` belongs to a `print`; -1 outside of one.
  let printing = -1;
  let depth = 0;
  for (const [index, token] of tokens.entries()) {
    const next = tokens[index + 1] ?? "";
    const file = /^"[^"\\]*"$/.test(next) && ENDS.test(tokens[index + 2] ?? "")
      ? next.slice(1, -1)
      : undefined;
    // Its elements are the files that are read.
    if (token === "ARGV" || token === "SYMTAB") return UNREADABLE;
    if (token === "system" || token === "|" || token === "|&" || token === "@") return UNREADABLE;
    // The file that it reads can be computed.
    const behind = /^[A-Za-z_]/.test(next) ? tokens[index + 2] : next;
    if (token === "getline" && /^(?:<|\[|\$|\(|\+\+|--)$/.test(behind ?? "")) return UNREADABLE;
    if (token === "print" || token === "printf") printing = depth;
    else if (token === "(" || token === "[") depth++;
    else if (token === ")" || token === "]") depth--;
    else if (/^[;{}]$/.test(token) || (token === "\n" && !GOES_ON.test(tokens[index - 1] ?? ""))) {
      printing = -1;
    } else if ((token === ">" || token === ">>") && printing === depth) {
      if (file === undefined) return UNREADABLE;
      writes.push(file);
    }
  }
  return { runs: false, writes };
}

/** What a line that goes on ends with. */
const GOES_ON = /^(?:,|&&|\|\|)$/;

/** What ends the name of a file. */
const ENDS = /^(?:[;\n})]|)$/;

function awkTokens(program: string): readonly string[] {
  const tokens: string[] = [];
  // Of each open parenthesis, whether a statement follows when it is closed.
  const open: boolean[] = [];
  let isCondition = false;
  for (let at = 0; at < program.length;) {
    const slash = program[at] === "/" &&
      !/^(?:[\w".].+|\/.*\/|\w|\)|\]|\$|\+\+|--)$/s.test(tokens.at(-1) ?? "");
    const keyword: boolean = program[at] === "/" &&
      (isCondition ||
        /^(?:printf?|exit|delete|return|in|case|else|do)$/.test(tokens.at(-1) ?? ""));
    const pattern: RegExp = slash || keyword ? EXPRESSION : TOKEN;
    pattern.lastIndex = at;
    const token: string = pattern.exec(program)?.[0] ?? program[at] ?? "";
    at += token.length;
    if (/^(?:[ \t\r]+|\\\n|#[^]*)$/.test(token)) continue;
    if (token === "(") open.push(/^(?:if|while|for|switch)$/.test(tokens.at(-1) ?? ""));
    isCondition = token === ")" && open.pop() === true;
    tokens.push(token);
  }
  return tokens;
}
