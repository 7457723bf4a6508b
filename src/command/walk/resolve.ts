import { absolute, joined } from "../../platform/file/lexical-paths.ts";
import { expandBraces } from "../words/braces.ts";
import { NUMBER, TEMPORARY } from "../words/placeholders.ts";
import { isPattern, isUnknown, plainText } from "../words/word-marks.ts";
import type { Context } from "./findings.ts";
import type { State } from "./walk-state.ts";

/** A path that a word can mean. */
export interface Resolved {
  /** Absolute, without `.` and `..`; `null`: known only at run time. */
  readonly path: string | null;
  /** Absolute, `..` kept: behind a link it leads elsewhere than the path without it. */
  readonly raw?: string;
  /** It is a pattern, and means every file that fits. */
  readonly pattern?: true;
}

/** The paths that a marked word can mean; none for a new temporary file. */
export function resolveWord(context: Context, marked: string, state: State): readonly Resolved[] {
  const { choices, facts: { home } } = context;
  return choices.expand(marked).flatMap((choice) =>
    expandBraces(choice)?.flatMap((word) => resolveOne(word, state, home)) ?? [{ path: null }]
  );
}

const UPWARDS = /(?:^|\/)\.\.(?:\/|$)/;

function resolveOne(marked: string, state: State, home: string | undefined): readonly Resolved[] {
  if (isTemporary(marked)) return [];
  // A number in a name is followed as a pattern, where it leads nowhere else when it is empty.
  const word = marked.replaceAll(NUMBER, "*");
  const empty = marked.replaceAll(NUMBER, "");
  if (word !== marked && (absolute(empty) !== absolute(marked) || UPWARDS.test(empty))) {
    return [{ path: null }];
  }
  if (isUnknown(word)) return [{ path: null }];
  let path = plainText(word);
  if (word.startsWith("~")) {
    if (home === undefined || !(word === "~" || word.startsWith("~/"))) return [{ path: null }];
    path = home + path.slice(1);
  }
  const pattern = isPattern(word);
  if (pattern && /[*?[(].*(?:^|\/)\.\.(?:\/|$)/.test(word)) return [{ path: null }];
  const resolved = (dir: string): Resolved => ({
    path: joined(dir, path),
    ...(UPWARDS.test(`${dir}/${path}`) && { raw: absolute(path) ? path : `${dir}/${path}` }),
    ...(pattern && { pattern }),
  });
  if (absolute(path)) return [resolved(state.dirs[0] ?? "/")];
  const paths = state.dirs.flatMap((dir): readonly Resolved[] => {
    if (!dir.startsWith(TEMPORARY)) return [resolved(dir)];
    return path.includes("..") ? [{ path: null }] : [];
  });
  if (state.lost) paths.push({ path: null });
  return paths;
}

/** The directories that `cd` goes to: it takes `..` away by the text, unless it is physical. */
export function resolveDirectory(
  context: Context,
  marked: string,
  { state, physical }: { readonly state: State; readonly physical: boolean },
): State {
  if (isPattern(marked) || marked === "" || marked === "-") return lost(state);
  if (isTemporary(marked)) return { ...state, dirs: [TEMPORARY], lost: false };
  const found = resolveWord(context, marked, state);
  const dirs = found.flatMap(({ path, raw, pattern }) =>
    path === null || pattern ? [] : [physical && raw !== undefined ? raw : path]
  );
  const isLost = dirs.length < found.length || found.length === 0;
  return { ...state, dirs: [...new Set(dirs)], lost: isLost };
}

/** Whether a word names a new temporary file or directory, or what is below it. */
function isTemporary(word: string): boolean {
  const rest = word.slice(1).replaceAll(NUMBER, "");
  return word.startsWith(TEMPORARY) && !isUnknown(rest) && !rest.includes("..");
}

/** The same state in a directory known only at run time. */
export function lost(state: State): State {
  return { ...state, dirs: [], lost: true };
}
