import process from "node:process";

/** Whether everything is run at its full size, by SHELLFLOW_FULL_TESTS. */
export const FULL: boolean = process.env["SHELLFLOW_FULL_TESTS"] !== undefined;

/** The size of a test of many: small, or full where SHELLFLOW_FULL_TESTS is set. */
export function sized(small: number, large: number): number {
  return FULL ? large : small;
}

/**
 * The rows of a matrix that are tested on this runtime: all of them on Node, and every nth on Deno.
 *
 * For rows that differ in what a shell or a parser does with them, and not in how a runtime starts
 * processes and reads their output. With SHELLFLOW_FULL_TESTS it is all of them on both.
 */
export function everyNthOnDeno<T>(rows: readonly T[], n: number): readonly T[] {
  return FULL || !("Deno" in globalThis) ? rows : rows.filter((_, i) => i % n === 0);
}
