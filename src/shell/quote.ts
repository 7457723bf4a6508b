/**
 * Quote a text, so that every shell of the Bourne family reads it as one word of exactly this text.
 *
 * @example Name a file in a line
 * ```ts
 * import { createRuntime, quote } from "shellflow";
 *
 * await using runtime = await createRuntime({ rules: { allow: ["Bash(echo *)"] } });
 * const { output } = await runtime.run(`echo ${quote("it's 5 $")}`);
 * if (output !== "it's 5 $\n") throw new Error("unexpected");
 * ```
 *
 * @throws {TypeError} If it is no text.
 */
export function quote(text: string): string {
  if (typeof text !== "string") {
    throw new TypeError(`Cannot quote ${String(text)}: it must be a string`);
  }
  return `'${text.replaceAll("'", `'\\''`)}'`;
}

/** The same without quotes where none are needed. */
export function quoteIfNeeded(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : quote(text);
}
