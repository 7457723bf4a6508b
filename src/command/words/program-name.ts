import { plainText } from "./marks.ts";

/** The name by which a program is known: without its directory. */
export function programName(marked: string): string {
  return plainText(marked).replace(/^.*[\\/]/, "");
}
