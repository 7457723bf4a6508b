/**
 * Read each `((` as two subshells, which it is for bash unless its arithmetic ends in `))`: the
 * grammar reads all of them as arithmetic, and finds nothing that would run in what is none.
 *
 * @returns The text that says so, or `undefined` when it holds no `((`.
 */
export function asSubshells(text: string): string | undefined {
  return text.includes("((") ? text.replaceAll(/\((?=\()/g, "( ") : undefined;
}
