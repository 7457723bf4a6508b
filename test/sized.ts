import process from "node:process";

/** Whether everything is run at its full size, by SHELLFLOW_FULL_TESTS. */
export const FULL: boolean = process.env["SHELLFLOW_FULL_TESTS"] !== undefined;

/** The size of a test of many: small, or full where SHELLFLOW_FULL_TESTS is set. */
export function sized(small: number, large: number): number {
  return FULL ? large : small;
}

/** Whether a person waits, as in `npm run test:fast`, or another runtime tests all of it. */
const THIN = "Deno" in globalThis || process.env["SHELLFLOW_FAST_TESTS"] !== undefined;

/**
 * The rows of a matrix that are tested: all of them on Node, and every nth on Deno and in
 * `npm run test:fast`.
 *
 * For rows that differ in what a shell or a parser does with them, and not in how a runtime starts
 * processes and reads their output. With SHELLFLOW_FULL_TESTS it is always all of them.
 */
export function thinned<T>(rows: readonly T[], n: number): readonly T[] {
  return FULL || !THIN ? rows : rows.filter((_, i) => i % n === 0);
}
