import type { DirectoryCheck } from "../platform/file/directories.ts";
import { absolutePath, systemPaths } from "../platform/file/paths.ts";

/** What must be known to take a leading `cd` from a line. */
export interface FoldOptions {
  readonly checkDirectory: DirectoryCheck;
  readonly allows: (directory: string) => boolean;
}

/** A line and where it runs. */
export interface PlacedLine {
  readonly command: string;
  readonly cwd: string;
}

/**
 * Turn the leading `cd DIRECTORY &&` of a line into the directory that it runs in.
 *
 * Only where that changes nothing: the directory exists, as otherwise the shell prints an error and may
 * still run the rest; and its path has no link, as the shell would show the link's name.
 */
export function foldCd(line: PlacedLine, { checkDirectory, allows }: FoldOptions): PlacedLine {
  const found = leadingCd(line.command);
  if (found === undefined) return line;
  const cwd = absolutePath(line.cwd, found.directory);
  if ([line.cwd, cwd].some((path) => systemPaths.real(path) !== path)) return line;
  if (checkDirectory(cwd) !== undefined || !allows(found.directory)) return line;
  return { command: found.rest, cwd };
}

interface LeadingCd {
  /** As the shell would decode it. */
  readonly directory: string;
  /** What follows, byte for byte. */
  readonly rest: string;
}

/** `cd`, one plain word, `&&`, and what follows on the same line. */
const LEADING =
  /^[ \t]*cd[ \t]+(?:'([^'\n\r]+)'|"([^"$`\\!\n\r]+)"|([\w./@%+:,=][\w./@%+:,=-]*))[ \t]*&&[ \t]*([^\n\r]+)$/;
/** What could show that the shell has been elsewhere before. */
const REMEMBERS =
  /OLDPWD|~-|BASH_EXECUTION_STRING|BASH_COMMAND|\$\{?_(?!\w)|(?:^|[^\w-])cd(?:[ \t]+-\w*)*[ \t]+["']?-/;

/**
 * Take the leading `cd DIRECTORY &&` from a line; `undefined` where the rest, run in that directory,
 * could mean something else than the line.
 *
 * So it is where the directory is no plain text, where the rest asks for the directory before, and
 * where it has a `&`: in `cd a && b & c` the `c` runs where the line began. A rest that begins with
 * `#` is no command, and the line an error.
 */
export function leadingCd(line: string): LeadingCd | undefined {
  const [, single, double, bare, rest] = LEADING.exec(line) ?? [];
  const directory = single ?? double ?? bare;
  if (directory === undefined || rest === undefined) return undefined;
  if (directory.startsWith("-") || climbsBack(directory)) return undefined;
  if (rest.startsWith("#") || REMEMBERS.test(rest)) return undefined;
  return rest.replaceAll("&&", "").includes("&") ? undefined : { directory, rest };
}

/** Whether it leads up again from a directory that may not be there, which the shell looks for. */
function climbsBack(directory: string): boolean {
  const parts = directory.split("/");
  const down = parts.findIndex((part) => !/^\.{0,2}$/.test(part));
  return down >= 0 && parts.lastIndexOf("..") > down;
}
