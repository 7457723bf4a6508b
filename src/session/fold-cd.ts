import { leadingCd } from "./leading-cd.ts";
import type { DirectoryCheck } from "../platform/file/directories.ts";
import { absolutePath, type Paths } from "../platform/file/paths.ts";

/** What must be known to take a leading `cd` from a line. */
export interface FoldOptions {
  readonly checkDirectory: DirectoryCheck;
  readonly paths: Paths;
  /** Whether the `cd` may be left out of the judged line. */
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
 * Only where that changes nothing: the directory exists, as otherwise the shell prints an error and may
 * still run the rest; and its path has no link, as the shell would show the link's name.
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

/** Each fold scans the whole line; more of them are not written by hand. */
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
