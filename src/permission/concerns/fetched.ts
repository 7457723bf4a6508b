import type { Analysis, PathUse, SimpleCommand } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";
import { overlappingNames } from "../../platform/file/pattern-overlap.ts";
import { baseName, type Words } from "../words.ts";

/** The danger of running what comes from an address. */
const INSTALL_URL = "install-url";

/** A path that a command wrote, and the words of the command. */
type Written = Readonly<{ path: string; argv: Words }>;

/** What is run is compared with so many written paths. */
const MOST_WRITTEN = 100;

/** Find programs and scripts that the line runs after it has downloaded them. */
export function fetchedConcerns(
  { commands, uses = [] }: Analysis,
  accept: ReadonlySet<string>,
): readonly Concern[] {
  const first = commands.findIndex(({ program }) => program.fetches);
  if (first < 0 || accept.has(INSTALL_URL)) return [];
  const files = new Map<string, Written>();
  let unpacks = false;
  return commands.slice(first).flatMap((command) => {
    const { argv, span, program } = command;
    const own = usesOf(command, uses);
    const runs = own.filter(({ access, by }) =>
      access === "run" || (access === "read" && by === undefined && program.runs)
    );
    const written = [...files.values()];
    const run = runs.find(({ path }) =>
      path !== undefined &&
      (written.length > MOST_WRITTEN || (unpacks && mayBeUnpacked(path, argv)) ||
        written.some((file) => isSame(file, path)))
    );
    // What is in an archive can be any file.
    unpacks ||= program.unpacks === true;
    // What is written from then on can be made of it, unless the line spells that.
    for (const { access, path = "" } of spells(command) ? [] : own) {
      if (access === "write") files.set(JSON.stringify([path, argv]), { path, argv });
    }
    const reason = `"${run?.path}" is downloaded and run by the line`;
    return run === undefined ? [] : [{ reason, span, danger: INSTALL_URL }];
  });
}

/** How a command uses paths: in its words, and by its redirections. */
function usesOf(
  { argv: [name], program, span, redirects }: SimpleCommand,
  uses: readonly PathUse[],
): readonly PathUse[] {
  const own = name === null ? undefined : baseName(program.as?.[0] ?? name ?? "");
  return uses.filter(({ by, span: { start } }) =>
    by === undefined
      ? redirects.some((each) => each.span.start === start)
      : span.start === start && by === (own ?? by)
  );
}

/** Whether the line spells all that a command writes. */
function spells({ argv, redirects }: SimpleCommand): boolean {
  return redirects.some(({ operator }) => operator.startsWith("<<")) ||
    (/^(?:echo|printf|rm)$/.test(argv[0] ?? "") && !argv.includes(null));
}

/** Whether a command runs what an archive can hold: something in a directory, or a script for a shell. */
function mayBeUnpacked(path: string, argv: Words): boolean {
  return /(?:sh|^\.|^source)$/.test(argv[0] ?? "") ||
    argv.some((word) => word?.includes("/") && path.endsWith(baseName(word)));
}

/** Whether a file that a command wrote, or put into a directory, can be the one that is run. */
function isSame({ path, argv }: Written, run: string): boolean {
  const fits = (each: string) =>
    each === path || overlappingNames(each.replaceAll("**/", "*"), path);
  const name = baseName(run);
  return fits(run) || (fits(run.slice(0, -1 - name.length)) &&
    argv.some((word) =>
      word === null || word.endsWith(name) || overlappingNames(name, baseName(word))
    ));
}
