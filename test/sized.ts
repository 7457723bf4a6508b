import process from "node:process";

/** The size of a test of many: small, or full where SHELLFLOW_FULL_TESTS is set. */
export function sized(small: number, full: number): number {
  return process.env["SHELLFLOW_FULL_TESTS"] === undefined ? small : full;
}
