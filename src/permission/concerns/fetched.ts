import type { Analysis, PathUse, SimpleCommand } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";
import { baseName } from "../words.ts";

/** The danger of running what comes from an address. */
const INSTALL_URL = "install-url";
const DOWNLOADERS = /^(?:curl|wget|wget2|aria2c|http|https|xh)$/;
/** An address of another machine. */
const REMOTE = /^(?:https?|ftp):\/\/(?!(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$))/;
/** An address of this machine, also one without a scheme. */
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?:[:/]|$)/;

/** Find programs and scripts that the line runs after it has downloaded them. */
export function fetchedConcerns(
  { commands, uses = [] }: Analysis,
  accept: ReadonlySet<string>,
): readonly Concern[] {
  if (accept.has(INSTALL_URL)) return [];
  const concerns: Concern[] = [];
  const files: (string | null)[] = [];
  for (const command of commands) {
    const run = filesRun(command).find((word) => files.some((file) => isSame(file, word)));
    if (run !== undefined) {
      const reason = `${run === null ? "a file" : `"${run}"`} is downloaded and run by the line`;
      concerns.push({ reason, span: command.span, danger: INSTALL_URL });
    }
    files.push(...downloaded(command, uses));
  }
  return concerns;
}

/** The files that a command could run: the program itself, and the script of a shell or an interpreter. */
function filesRun({ argv: [name, ...words], program }: SimpleCommand): readonly (string | null)[] {
  const script = program.runs ? words.find((word) => !/^[-+]/.test(word ?? "")) : undefined;
  const own = name === null || name?.includes("/") ? name : undefined;
  return [own, script].flatMap((word) => word === undefined ? [] : [word]);
}

/** The files that a command writes what it downloads to. */
function downloaded(
  { argv, span, redirects }: SimpleCommand,
  uses: readonly PathUse[],
): readonly (string | null)[] {
  const name = baseName(argv[0] ?? "");
  const isLocal = argv.some((word) => LOCAL.test(word ?? "")) &&
    !argv.some((word) => REMOTE.test(word ?? ""));
  if (!DOWNLOADERS.test(name) || isLocal) return [];
  const written = uses.flatMap(({ access, path, by, span: at }) =>
    access === "write" && by === name && at.start === span.start ? path ?? [] : []
  );
  const printed = redirects.flatMap(({ operator, target }) =>
    operator.startsWith(">") ? [target ?? null] : []
  );
  // One that is known only at run time can be any.
  return [...written, ...printed, ...argv.includes(null) ? [null] : []];
}

/** Whether a word can name a file: one of them ends with the other. */
function isSame(file: string | null, word: string | null): boolean {
  if (file === null || word === null) return file === word;
  const [one, other] = [file, word].map((path) => `/${path.replace(/^(?:\.?\/)+/, "")}`);
  return one !== undefined && other !== undefined && word !== "" &&
    (one.endsWith(other) || other.endsWith(one));
}
