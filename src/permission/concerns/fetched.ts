import type { Analysis, PathUse, SimpleCommand } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";
import { overlappingNames } from "../../platform/file/pattern-overlap.ts";
import { baseName, type Words } from "../words.ts";

/** The danger of running what comes from an address. */
const INSTALL_URL = "install-url";

/** A path that a command wrote, the words of the command, and whether it filled a directory there. */
type Written = Readonly<{ path: string; argv: Words; unpacks: boolean }>;

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
  // What is opened before can be written later.
  const open = commands.slice(0, first).filter((command) => opens(command, commands[first]));
  return [...open, ...commands.slice(first)].flatMap((command) => {
    const { argv, span, program } = command;
    const own = usesOf(command, uses);
    const runsInput = program.runs && !hasScript(argv, own);
    const scripts = own.flatMap(({ access, path }) => access === "run" ? baseName(path ?? "") : []);
    const runs = own.filter(({ access, by, path = "" }) =>
      access === "run" || (access === "read" && by === undefined && runsInput) ||
      (access === "use" && scripts.includes(baseName(path)))
    );
    const written = [...files.values()];
    const run = runs.find(({ path }) =>
      path !== undefined &&
      (written.length > MOST_WRITTEN || (unpacks && mayBeUnpacked(path, argv)) ||
        written.some((file) => isSame(file, path)))
    );
    // What is in an archive can be any file: in its directory, until something takes it elsewhere.
    unpacks ||= program.unpacks === undefined
      ? movesUnpacked(command, own, written)
      : program.unpacks === "anywhere" || argv.includes(null);
    // What is written from then on can be made of it, unless the line spells that.
    const { fetches } = program;
    const fills = program.unpacks !== undefined;
    for (const { access, path = "" } of spells(command) ? [] : own) {
      if (access === "write" || (access === "use" && (fetches || !program.known))) {
        files.set(JSON.stringify([path, argv]), { path, argv, unpacks: fills });
      }
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

/** Whether what a command writes can come from a later one: it opens files for that one, or is part of it. */
function opens({ argv: [name], span }: SimpleCommand, later?: SimpleCommand): boolean {
  return name === "exec" ||
    (later !== undefined && span.start >= later.span.start && span.end <= later.span.end);
}

/** Whether a command names the file that it runs, so that its input is data. */
function hasScript([, script]: Words, uses: readonly PathUse[]): boolean {
  return typeof script === "string" && /^(?!(?:run|exec|x)$)(?:\.\/)?\w/.test(script) &&
    uses.some(({ access, path }) =>
      access === "run" && path?.endsWith(`/${script.replace(/^\.\//, "")}`)
    );
}

/** Whether a command can copy or move what was unpacked into a directory, or that directory. */
function movesUnpacked(
  { program: { reads, runs } }: SimpleCommand,
  uses: readonly PathUse[],
  written: readonly Written[],
): boolean {
  const isIn = (path: string, directory: string) => `${path}/`.startsWith(`${directory}/`);
  return !reads && !runs &&
    uses.some(({ path = "" }) =>
      written.some((file) => file.unpacks && (isIn(path, file.path) || isIn(file.path, path)))
    );
}

/** Whether the line spells all that a command writes. */
function spells({ argv: [name, ...words], redirects }: SimpleCommand): boolean {
  if (/^(?:echo|printf|rm)$/.test(name ?? "")) return !words.includes(null);
  const [input, ...others] = redirects.filter(({ operator }) => operator.startsWith("<"));
  return input?.spelled === true && others.length === 0 &&
    (name === "tee" || (name === "cat" && words.every((word) => word === "-")));
}

/** Whether a command runs what an archive can hold: something in a directory, or a script for a shell. */
function mayBeUnpacked(path: string, argv: Words): boolean {
  return argv[0] === null || /(?:sh|^\.|^source)$/.test(argv[0] ?? "") ||
    argv.some((word) => word?.includes("/") && path.endsWith(baseName(word)));
}

/** Whether a file that a command wrote, or put into a directory, can be the one that is run. */
function isSame({ path, argv, unpacks }: Written, run: string): boolean {
  if (unpacks && run.startsWith(`${path}/`)) return true;
  const fits = (each: string) =>
    each === path || overlappingNames(each.replaceAll("**/", "*"), path);
  const name = baseName(run);
  return fits(run) || (fits(run.slice(0, -1 - name.length)) &&
    argv.some((word) =>
      word === null || word.endsWith(name) || overlappingNames(name, baseName(word))
    ));
}
