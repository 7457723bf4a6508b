/** The folder of the project, also where this file was compiled into its cache. */
export const ROOT: URL = new URL(
  import.meta.url.endsWith(".ts") ? "../" : "../../../../",
  import.meta.url,
);
