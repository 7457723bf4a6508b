import type { PathUse } from "../../../event/analysis.ts";
import { absolute, joined } from "../../../platform/file/lexical-paths.ts";
import { expandBraces } from "../../words/braces.ts";
import { NUMBER, OWN_PATH, PARTS, TEMPORARY, UNKNOWN } from "../../words/placeholders.ts";
import {
  isPattern,
  isUnknown,
  plainText,
  quoted,
  SECOND_STAR,
  SOME_NEW_FILE,
} from "../../words/word-marks.ts";
import type { Context } from "../findings.ts";
import { ANYWHERE, type State } from "../walk-state.ts";

/** A path that a word can mean; absent: known only at run time. */
export type Resolved = Pick<PathUse, "path" | "raw" | "pattern" | "expanded" | "fresh">;

type From = Readonly<{ state: State; reads: boolean }>;

/** The paths that a marked word can mean, where it is only read or not. */
export function resolveWord(context: Context, marked: string, from: From): readonly Resolved[] {
  const { choices, facts: { home } } = context;
  return choices.expand(marked).flatMap((choice) =>
    expandBraces(choice)?.flatMap((word) => resolveOne(word, from, home)) ?? [{}]
  );
}

/** A word as bash hands it on: with the home directory in place of its tilde, unknown where that is another one. */
export function withHome({ facts: { home } }: Context, word: string): string {
  const own = home && /^~(?:\/|$)/.test(word) ? quoted(home) + word.slice(1) : word;
  return /(?:^|[=:])~/.test(own) ? UNKNOWN : own;
}

/** What stands for a part of a name, whatever it is. */
export const PLAIN_PARTS: RegExp = new RegExp(`[${NUMBER}${PARTS}]`, "g");
const NUMBER_ALONE = new RegExp(`(?<=^|/)${NUMBER}(?=/|$)`, "g");
const PART_FIRST = new RegExp(`(?<=^|/)[${PARTS}]`, "g");
const HIDDEN_BEHIND = new RegExp(`(?:^|/)[${PARTS}]+\\.`);
const PROGRAM = new RegExp(`^${OWN_PATH}/[\\w.+-]+$`);
const UPWARDS = /(?:^|\/)\.\.(?:\/|$)/;

function resolveOne(
  marked: string,
  { state, reads }: From,
  home: string | undefined,
): readonly Resolved[] {
  if (isTemporary(marked)) return [newFile(marked)];
  // A part of a name is followed as a pattern, where it leads nowhere else when it is empty.
  const empty = marked.replaceAll(PLAIN_PARTS, "");
  const word = empty === marked
    ? marked
    : marked.replace(NUMBER_ALONE, "[0-9]*").replace(PART_FIRST, "[0-9A-Za-z]*")
      .replaceAll(PLAIN_PARTS, "*");
  // Where a program lies is known well enough to look at it.
  if (reads && PROGRAM.test(word)) return [{ path: word.replace(OWN_PATH, "/usr/bin") }];
  if (word !== marked && (absolute(empty) !== absolute(marked) || UPWARDS.test(empty))) {
    return [{}];
  }
  if (isUnknown(word)) return [{}];
  // `$part.env` is `.env` where the part is empty.
  if (word !== marked && HIDDEN_BEHIND.test(marked)) {
    return [word, empty].flatMap((each) => resolveOne(each, { state, reads }, home));
  }
  let path = plainText(word);
  if (word.startsWith("~")) {
    if (home === undefined || !(word === "~" || word.startsWith("~/"))) return [{}];
    path = home + path.slice(1);
  }
  const pattern = isPattern(word);
  if (pattern && /[*?[(].*(?:^|\/)\.\.(?:\/|$)/.test(word)) return [{}];
  const resolved = (dir: string, inPattern = false): Resolved => ({
    path: joined(dir, path),
    ...(UPWARDS.test(`${dir}/${path}`) && { raw: absolute(path) ? path : `${dir}/${path}` }),
    ...((pattern || inPattern) && { pattern: true }),
    ...(word.includes(SECOND_STAR) && { expanded: true }),
  });
  if (absolute(path)) return [resolved(plainText(state.dirs[0] ?? "/"))];
  return state.dirs.map((dir): Resolved => {
    if (dir === UNKNOWN) return {};
    const inPattern = isPattern(dir);
    if (!inPattern && !dir.startsWith(TEMPORARY)) return resolved(plainText(dir));
    // What is above a directory that is not known by its name is not known, either.
    if (path.includes("..") || (inPattern && !reads)) return {};
    return inPattern ? resolved(plainText(dir), true) : newFile(`${dir}/${word}`);
  });
}

/** The longest path of a directory that is followed. */
const LONGEST_DIRECTORY = 500;

/** The directories that `cd` goes to: it takes `..` away by the text, unless it is physical. */
export function resolveDirectory(
  context: Context,
  marked: string,
  { state, physical }: { readonly state: State; readonly physical: boolean },
): State {
  // It stays where it is.
  if (marked === "") return state;
  if (isTemporary(marked) && !isPattern(marked)) return { ...state, dirs: [marked] };
  const found = resolveWord(context, marked, { state, reads: true }).filter(({ fresh }) => !fresh);
  const dirs = found.map(({ path, raw, pattern }) => {
    // Of patterns only `*` alone: each one is one directory that is not hidden.
    if (path === undefined || (pattern && !/^[^*?[(]*(?:\/\*)+$/.test(path))) return UNKNOWN;
    // Each step deeper would take longer.
    if (path.length > LONGEST_DIRECTORY) return UNKNOWN;
    return pattern ? path : quoted(physical && raw !== undefined ? raw : path);
  });
  return { ...state, dirs: dirs.length === 0 ? ANYWHERE : [...new Set(dirs)] };
}

/** A new temporary file, or what is below a new directory. */
function newFile(marked: string): Resolved {
  const path = marked.replace(TEMPORARY, SOME_NEW_FILE).replaceAll(PLAIN_PARTS, "*");
  return { path: joined("/", plainText(path)), fresh: true };
}

/** Whether a word names a new temporary file or directory, or what is below it. */
function isTemporary(word: string): boolean {
  if (!word.startsWith(TEMPORARY)) return false;
  const rest = word.slice(1).replaceAll(PLAIN_PARTS, "");
  return !isUnknown(rest) && !rest.includes("..");
}
