import process from "node:process";

/** The folder of the project, also where this file was compiled into its cache. */
export const ROOT: URL = new URL(
  process.env["SHELLFLOW_TEST_BUILD"] === undefined ? "../" : "../../../../",
  import.meta.url,
);
