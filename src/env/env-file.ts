import type { Variables } from "./build-environment.ts";

/** What an env file says. */
export interface EnvFileLines {
  readonly variables: Variables;
  /** Lines that were not taken, each with its number and reason; no value is in them. */
  readonly refused: readonly string[];
}

/** Why a variable is not taken from the file, with its name; `undefined` where it is. */
export type RefuseVariable = (name: string, value: string) => string | undefined;

const NO_ASSIGNMENT = "it is no assignment of a plain or quoted value";
/** At most so many refusals are reported. */
const MOST_REFUSED = 10;

/** Parts of a value, as bash reads them where nothing is expanded. */
const PART = /'([^']*)'|"((?:[^"\\$`]|\\[^])*)"|\\([^\n])|([\w./:@%+,=-]+)/y;
const START = /[ \t]*(?:(?:export|declare -x)[ \t]+)?([A-Za-z_][A-Za-z0-9_]*)=/y;
const END = /[ \t\r]*(?:[ \t]#[^\n]*)?(?:\n|$)/y;
const NO_LINE = /[ \t\r]*(?:#[^\n]*)?(?:\n|$)/y;

/**
 * Read lines such as `export NAME=value`, as `export -p` prints them as well. It is read as data:
 * a value is plain or quoted, and nothing in it is expanded or run.
 *
 * @param refuse Says of a variable why it is not taken.
 */
export function readEnvFile(text: string, refuse: RefuseVariable): EnvFileLines {
  const last = new Map<string, { readonly value: string; readonly line: number }>();
  const refused: { readonly line: number; readonly why: string }[] = [];
  let line = 1;
  for (let at = 0; at < text.length;) {
    const nothing = match(NO_LINE, text, at);
    const found = nothing === undefined ? assignmentAt(text, at) : undefined;
    if (found !== undefined) last.set(found.name, { value: found.value, line });
    else if (nothing === undefined) refused.push({ line, why: NO_ASSIGNMENT });
    const end = nothing === undefined ? found?.end ?? endOfLine(text, at) : at + nothing[0].length;
    line += text.slice(at, end).split("\n").length - 1;
    at = end;
  }
  const variables: [string, string][] = [];
  for (const [name, { value, line }] of last) {
    const why = refuse(name, value);
    if (why === undefined) variables.push([name, value]);
    else refused.push({ line, why });
  }
  const shown = refused.sort((one, other) => one.line - other.line).slice(0, MOST_REFUSED)
    .map(({ line, why }) => `line ${line}: ${why}`);
  const more = refused.length - shown.length;
  return {
    variables: Object.fromEntries(variables),
    refused: more > 0 ? [...shown, `and ${more} more`] : shown,
  };
}

interface Assignment {
  readonly name: string;
  readonly value: string;
  readonly end: number;
}

function assignmentAt(text: string, start: number): Assignment | undefined {
  const [whole, name] = match(START, text, start) ?? [];
  if (whole === undefined || name === undefined) return undefined;
  let at = start + whole.length;
  let value = "";
  for (let part = match(PART, text, at); part !== undefined; part = match(PART, text, at)) {
    const [word, single, double, escaped, plain = ""] = part;
    value += single ?? double?.replace(/\\([$`"\\\n])/g, (_, c) => c === "\n" ? "" : c) ??
      escaped ?? plain;
    at += word.length;
  }
  const end = match(END, text, at);
  return end && { name, value, end: at + end[0].length };
}

function match(pattern: RegExp, text: string, at: number): RegExpExecArray | undefined {
  pattern.lastIndex = at;
  return pattern.exec(text) ?? undefined;
}

function endOfLine(text: string, at: number): number {
  const end = text.indexOf("\n", at);
  return end < 0 ? text.length : end + 1;
}
