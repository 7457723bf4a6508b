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
  const found = leadingCd(line.command);
  if (found === undefined) return line;
  const { directory, rest } = found;
  const { paths, checkDirectory, allows } = options;
  const cwd = absolutePath(line.cwd, directory);
  if (paths.real(line.cwd) !== line.cwd || paths.real(cwd) !== cwd) return line;
  if (checkDirectory(cwd) !== undefined || !allows(directory)) return line;
  return foldCd({ command: rest, cwd }, options);
}
