import { isPattern, isUnknown, plainText } from "../words/marks.ts";
import { expandBraces } from "../words/braces.ts";
import { absolute, joined } from "./lexical.ts";

/** Where the shell may stand at some point of the line. */
export interface Place {
  /** Every directory that is possible, as far as they are known. */
  readonly dirs: readonly string[];
  /** It may also stand somewhere that is known only at run time. */
  readonly lost: boolean;
}

const MOST_DIRS = 16;

/** Both places are possible. */
export function either(one: Place, other: Place): Place {
  if (one === other) return one;
  const dirs = [...new Set([...one.dirs, ...other.dirs])];
  if (dirs.length > MOST_DIRS) return { dirs: [], lost: true };
  return { dirs, lost: one.lost || other.lost };
}

/** Whether two places are the same. */
export function samePlace(one: Place, other: Place): boolean {
  return one === other ||
    (one.lost === other.lost && one.dirs.length === other.dirs.length &&
      one.dirs.every((dir) => other.dirs.includes(dir)));
}

/** The absolute paths that a marked word can mean; `null` for one known only at run time. */
export function resolveWord(
  marked: string,
  { place, home }: { readonly place: Place; readonly home: string | undefined },
): readonly (string | null)[] {
  const words = expandBraces(marked);
  if (words === undefined) return [null];
  const paths: (string | null)[] = [];
  for (const word of words) paths.push(...resolveOne(word, place, home));
  return paths;
}

function resolveOne(word: string, place: Place, home: string | undefined): (string | null)[] {
  if (isUnknown(word)) return [null];
  let path = plainText(word);
  if (word.startsWith("~")) {
    if (home === undefined || !(word === "~" || word.startsWith("~/"))) return [null];
    path = home + path.slice(1);
  }
  if (isPattern(word) && /[*?[(].*(?:^|\/)\.\.(?:\/|$)/.test(word)) return [null];
  if (absolute(path)) return [joined(place.dirs[0] ?? "/", path)];
  const paths: (string | null)[] = place.dirs.map((dir) => joined(dir, path));
  if (place.lost) paths.push(null);
  return paths;
}
