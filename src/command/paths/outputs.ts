import { plainText } from "../words/marks.ts";
import type { RawUse } from "./raw-use.ts";

const LONG =
  /^--?(?:out(?:put|file|dir|Dir|File|-file|-dir|-document|-directory)?|dest(?:ination)?|prefix|root|target(?:-dir|-directory)?|dir(?:ectory)?|install-dir|build-dir|log-file|report|file|save|declarationDir|tsBuildInfoFile|outFile|cwd|chdir|work-tree|git-dir|exec-path|output-directory)$/i;
const SHORT = /^-(?:o|C|O|P|d|t|B|f)$/;
const GLUED = /^-[oC](?=[/~.])/;
/** What can only be a path that leads away. */
const AWAY = /^(?:\/|~|\.\.(?:\/|$)|[A-Za-z]:[\\/])|\/\.\.(?:\/|$)/;

/**
 * The values of options that look like an output path leading out of the working directory.
 *
 * For programs without a table: a relative value stays below the working directory anyway, so only
 * those that lead away are told.
 */
export function outputOptions(name: string, words: readonly string[]): readonly RawUse[] {
  const uses: RawUse[] = [];
  const add = (value: string | undefined) => {
    if (value !== undefined && AWAY.test(plainText(value))) {
      uses.push({ access: "write", marked: value });
    }
  };
  for (const [index, word] of words.entries()) {
    const text = plainText(word);
    if (text === "--") break;
    if (!text.startsWith("-")) continue;
    const equals = word.indexOf("=");
    if (equals !== -1 && LONG.test(text.slice(0, equals))) add(word.slice(equals + 1));
    else if (LONG.test(text) || SHORT.test(text)) add(words[index + 1]);
    else if (GLUED.test(text)) add(word.slice(2));
    else if (name === "openssl" && /^-(?:in|out|config|keyout|CAfile)$/.test(text)) {
      add(words[index + 1]);
    }
  }
  return uses;
}
