import type { RE2JS } from "re2js";
import { messageOf } from "../../platform/failure.ts";

/** Finds the first match in a line. */
export type Finder = (line: string) => { readonly from: number; readonly to: number } | undefined;

/** How an expression is read. */
export interface ExpressionOptions {
  /** Whether letters match whatever their case. @default {false} */
  readonly ignoreCase?: boolean;
}

/** Longest expression that is taken; matching a character costs as much as the expression is long. */
export const MAX_EXPRESSION = 1000;

/** Alternatives of plain characters, to which every engine gives the same meaning. */
const FLAT = /^(?:[\w \-:=,'"/@#%&~;<>!`|.]|\\[^\p{L}\p{N}\s])+$/u;

/**
 * Compile an expression into something that always ends in time linear to the line.
 *
 * RE2 never backtracks, which is why it has neither look-around nor back-references. Expressions
 * that only list alternatives cannot backtrack either, and go to the engine of the platform,
 * which is some fifty times as fast.
 *
 * @throws {SyntaxError} If it is no regular expression of RE2.
 * @throws {TypeError} If it is no string.
 */
export async function finderOf(
  expression: string,
  options: ExpressionOptions = {},
): Promise<Finder> {
  if (typeof expression !== "string") {
    const why = "it must be a string, by the syntax of RE2";
    throw new TypeError(`Cannot search for ${String(expression)}: ${why}`);
  }
  if (expression === "") throw failure(expression, "it is empty");
  if (expression.length > MAX_EXPRESSION) {
    throw failure(
      `${expression.slice(0, 40)}...`,
      `it is longer than ${MAX_EXPRESSION} characters`,
    );
  }
  if (FLAT.test(expression)) return flatFinder(expression, options);
  const pattern = await compiled(expression, options);
  return (line) => {
    const matcher = pattern.matcher(line);
    return matcher.find() ? { from: matcher.start(), to: matcher.end() } : undefined;
  };
}

function flatFinder(expression: string, options: ExpressionOptions): Finder {
  // The escapes that remain are of punctuation, some of which the u flag would not take.
  const source = expression.replace(/\\(.)/gu, (_, sign: string) => hex(sign));
  const pattern = new RegExp(source, options.ignoreCase === true ? "iu" : "u");
  return (line) => {
    const match = pattern.exec(line);
    return match === null ? undefined : { from: match.index, to: match.index + match[0].length };
  };
}

function hex(sign: string): string {
  return `\\u{${(sign.codePointAt(0) ?? 0).toString(16)}}`;
}

async function compiled(expression: string, options: ExpressionOptions): Promise<RE2JS> {
  // The engine is a fifth of the package: it is loaded with the first search that needs it.
  const { RE2JS } = await import("re2js");
  try {
    return RE2JS.compile(expression, options.ignoreCase === true ? RE2JS.CASE_INSENSITIVE : 0);
  } catch (cause) {
    throw failure(expression, reason(cause), cause);
  }
}

function reason(cause: unknown): string {
  const why = messageOf(cause).replace(/^error parsing regexp: /, "");
  return /`\(\?[=!<]|invalid escape sequence: `\\\d/.test(why)
    ? `${why}; look-around and back-references are not supported`
    : why;
}

function failure(expression: string, why: string, cause?: unknown): SyntaxError {
  return new SyntaxError(`Cannot search for "${expression}": ${why}`, { cause });
}
