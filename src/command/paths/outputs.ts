import { plainText } from "../words/marks.ts";
import type { RawUse } from "./raw-use.ts";

/** Names of long options that take a path. */
const LONG =
  /^--?[\w-]*(?:out|dest|prefix|root|target|dir|log|report|file|save|cwd|path|tree|xml|cache|config|folder|location)(?!\w*(?:pattern|regex|filter|glob|format|level))[\w-]*$/i;
const SHORT = /^-(?:o|C|O|P|d|t|B|f|D|p)$/;
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
  if (name === "git") { for (const word of gitPlaces(words)) add(word); }
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

/** `git clone`, `init` and `worktree add` make the directory they are given. */
function gitPlaces(words: readonly string[]): readonly string[] {
  const at = words.findIndex((word) => /^(?:clone|init|worktree|submodule)$/.test(plainText(word)));
  return at === -1 ? [] : words.slice(at + 1).filter((word) => !plainText(word).startsWith("-"));
}
