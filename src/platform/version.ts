import { readFileSync } from "node:fs";

/** The version of this package. */
export function version(): string {
  const text = readFileSync(new URL("../../package.json", import.meta.url), "utf8");
  const manifest: { readonly version: string } = JSON.parse(text);
  return manifest.version;
}
