import { readFileSync } from "node:fs";

/** Set by the build, which knows it; absent where the sources run. */
declare const SHELLFLOW_VERSION: string | undefined;

/** Whether this is the bundled package, whose files lie beside each other. */
export const BUNDLED: boolean = typeof SHELLFLOW_VERSION !== "undefined";

/** The version of this package. */
export function version(): string {
  if (typeof SHELLFLOW_VERSION !== "undefined") return SHELLFLOW_VERSION;
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: { readonly version: string } = JSON.parse(text);
  return manifest.version;
}
