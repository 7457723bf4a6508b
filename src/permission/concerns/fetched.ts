import type { Analysis, PathUse, SimpleCommand } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";
import { overlappingNames } from "../../platform/file/pattern-overlap.ts";
import { baseName, type Words } from "../words.ts";

/** The danger of running what comes from an address. */
const INSTALL_URL = "install-url";

/** A command, and how it uses paths. */
interface Used extends SimpleCommand {
  readonly own: readonly PathUse[];
}

/** So deep text of the line that names a download is followed. */
const ROUNDS = 4;

/** The characters of what a line makes, times those of the paths that it uses, are at most this. */
const MOST_COMPARED = 8_000_000;

/**
 * Find programs and scripts that the line runs, and makes of what it downloads.
 *
 * Whatever the line writes counts as made of it, in whatever order: a loop comes to each of its commands again.
 */
export function fetchedConcerns({ commands, uses = [] }: Analysis): readonly Concern[] {
  const first = commands.findIndex(({ program }) => program.fetches);
  if (first < 0) return [];
  const all = commands.map((command): Used => ({ ...command, own: usesOf(command, uses) }));
  const paths = [...new Set(uses.flatMap(({ path }) => path ?? []))];
  const used = paths.join("").length;
  let made: readonly string[] = [];
  let code = made;
  for (let round = 0; round < ROUNDS; round++) {
    made = [...new Set(all.flatMap((each) => madeBy(each, code)))];
    if (made.join("").length * used > MOST_COMPARED) {
      const reason = "it makes more files than are compared with what it runs";
      return [{ reason, danger: INSTALL_URL }];
    }
    code = made.filter((path) => CODE.test(path));
  }
  // Code can write the files that it names.
  const names = all.flatMap(({ program }) => program.runs && program.names || []);
  const named = new Set(names.map(baseName));
  const isMade = (path: string) =>
    named.has(baseName(path)) || made.some((each) => couldHold(each, path));
  const files = new Set(paths.filter(isMade));
  const madeNames = new Set(made.map(baseName).filter((name) => name !== ""));
  return all.flatMap(({ argv, span, program, own, assignments }, at) => {
    if (program.piped && first < at && APPLIES_INPUT.test(argv.join(" "))) {
      const reason = `"${argv[0]}" applies what the line downloads`;
      return [{ reason, span, danger: INSTALL_URL }];
    }
    // Where a command names the file that it runs, its input is data.
    const [, script = ""] = argv;
    const hasScript = script !== null && !/^(?:run|exec|x)$/.test(script) &&
      own.some(({ access, path }) =>
        access === "run" && path?.endsWith(`/${script.replace(/^\.\//, "")}`)
      );
    const installs = INSTALLS.test(argv.join(" ")) ||
      (program.runs && argv.some((word) => /^(?:install|add|i)$/.test(word ?? "")));
    const set = assignments.map(({ value, known = null }) => value ?? known);
    const words = [...argv, ...program.names ?? [], ...set];
    const loaded = LOADS.test(baseName(argv[0] ?? "")) ? code.find(namedBy(words)) : undefined;
    const options = [
      ...argv,
      ...assignments.map(({ name, value, known = null }) => `${name}=${value ?? known}`),
    ].flatMap((word) => OPTIONS_SET.exec(word ?? "")?.[1]?.split(/[\s=:,]+|-[a-z](?=\.\/)/) ?? []);
    const run = loaded ?? options.find((each) => madeNames.has(baseName(each))) ??
      own.find(({ access, by, path = "" }) =>
        (access === "run" || (access === "use" && installs) ||
          (access === "read" && by === undefined && program.runs && !hasScript)) &&
        files.has(path)
      )?.path;
    const reason = `"${run}" is downloaded and run by the line`;
    return run === undefined ? [] : [{ reason, span, danger: INSTALL_URL }];
  });
}

/** What builds or applies what comes through a pipe. */
const APPLIES_INPUT =
  /^(?:(?:kubectl|oc)(?: .*)? (?:apply|create|replace)(?: .*)? (?:-f|--filename)[ =]?-|(?:docker|podman|nerdctl|buildah)(?: .*)? (?:build|bud)(?: .*)? -)(?: |$)/;
/** What installs what its words name. */
const INSTALLS = /^(?:dpkg|rpm) (?:.* )?-(?:[iFU]|-install|-upgrade)|^\w+ (?:.* )?--install-ext/;
/** What loads code by the names that its words hold, also within a text. */
const LOADS =
  /^(?:i?python|pypy|perl|ruby|node|deno|bun|lua|php|julia|dotnet|flask|celery|\w+corn|nodemon|pm2|make)[\d.]*$/;
/** A variable with options of an interpreter, which can name code. */
const OPTIONS_SET = /^\w*(?:OPTS?|OPTIONS|STARTUP)=([^]*)$/;
const CODE = /\/(\w[\w-]*)\.(?:[cm]?[jt]sx?|py|p[lm]|rb|lua|php|jl|dll|[ch]|cc|cpp|sh)$/;

/** Says of files of code whether words name them, with their endings or without. */
function namedBy([, ...words]: Words): (code: string) => boolean {
  const parts = words.flatMap((word) => word?.split(/[^\w-]+/) ?? []);
  const names = new Set(parts.map((part) => part.replace(/^-[Mr]/, "")));
  return (path) => names.has(CODE.exec(path)?.[1] ?? path);
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

/** What prints or changes text of the line where it reads no file. */
const SPELLS = /^(?:echo|printf|cat|sed|tee)$/;

/**
 * The files that a command writes, but for spelled text that names none of what is made; of links, both ends. With
 * a slash, all that is below.
 */
function madeBy(
  { argv, program, redirects, own }: Used,
  code: readonly string[],
): readonly string[] {
  const [name] = argv;
  const { fetches, runs, piped, names = [] } = program;
  if (/^(?:rm|rmdir|mkdir|mktemp|touch|chmod)$/.test(name ?? "")) return [];
  const isSpelled = SPELLS.test(name ?? "") && !fetches && !piped && !argv.includes(null) &&
    own.every(({ access }) => access === "write") &&
    redirects.every(({ operator, spelled }) => spelled || !operator.startsWith("<")) &&
    !code.some(namedBy([...argv, ...names]));
  if (isSpelled) return [];
  const links = name === "ln" ||
    (name === "cp" && argv.some((word) => /^-\w*[ls]/.test(word ?? "")));
  const isTree = fetches || links || argv.includes(null) || argv.length > MOST_NAMED;
  const below = isTree ? [""] : argv.map((word) => baseName(word ?? ""));
  return own.flatMap(({ access, path }) => {
    const isUsed = access === "use" && !runs && name !== null;
    if (path === undefined || !(links || access === "write" || isUsed)) return [];
    return [path, ...access === "write" ? [`${path}/`] : below.map((each) => `${path}/${each}`)];
  });
}

/** Where a command with more words uses a directory, all that is in it counts as made. */
const MOST_NAMED = 30;

/** What follows the name of a module in that of its file. */
const MODULE = /^(?:\.(?:[cm]?[jt]sx?|py|rb|pl|lua)|\/(?:index\.\w+|__(?:main|init)__\.py))$/;

/** Whether what a command wrote can be the file that is run, or a directory with it. */
function couldHold(made: string, run: string): boolean {
  const fits = (path: string) =>
    path === made || overlappingNames(path.replaceAll("**/", "*"), made);
  if (made.endsWith("/")) {
    return run.startsWith(made) || fits(run.slice(0, run.lastIndexOf("/") + 1));
  }
  return fits(run) || (made.startsWith(run) && MODULE.test(made.slice(run.length)));
}
