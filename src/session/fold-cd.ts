import { leadingCd } from "../command/leading-cd.ts";
import type { DirectoryCheck } from "../platform/file/directories.ts";
import { absolutePath, type Paths } from "../platform/file/paths.ts";

/** What must be known to take a leading `cd` from a line. */
export interface FoldOptions {
  readonly checkDirectory: DirectoryCheck;
  readonly paths: Paths;
  /** Whether the `cd` may be left out of what is judged. */
  readonly allows: (directory: string) => boolean;
}

/** A line and where it runs. */
export interface PlacedLine {
  readonly command: string;
  readonly cwd: string;
}

/**
 * Turn each leading `cd DIRECTORY &&` of a line into the directory that it runs in.
 *
 * Only where that changes nothing: the directory is there, as otherwise the rest may still run or
 * the shell has something to say; and no link is on the way, as the shell would show the link's name.
 */
export function foldCd(line: PlacedLine, options: FoldOptions): PlacedLine {
  let folded = line;
  for (let count = 0; count < MOST_FOLDS; count++) {
    const next = foldOne(folded, options);
    if (next === undefined) break;
    folded = next;
  }
  return folded;
}

/** A line with more than that is not written by hand, and each costs a look at all of it. */
const MOST_FOLDS = 8;

function foldOne(
  line: PlacedLine,
  { paths, checkDirectory, allows }: FoldOptions,
): PlacedLine | undefined {
  const found = leadingCd(line.command);
  if (found === undefined) return undefined;
  const cwd = absolutePath(line.cwd, found.directory);
  if (paths.real(line.cwd) !== line.cwd || paths.real(cwd) !== cwd) return undefined;
  if (checkDirectory(cwd) !== undefined || !allows(found.directory)) return undefined;
  return { command: found.rest, cwd };
}
