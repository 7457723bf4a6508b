/** A line that goes to a directory before all else. */
export interface LeadingCd {
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
