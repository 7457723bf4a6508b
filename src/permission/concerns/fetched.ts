import type { Analysis, PathUse, SimpleCommand } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";
import { overlappingNames } from "../../platform/file/pattern-overlap.ts";
import { baseName } from "../words.ts";

/** The danger of running what comes from an address. */
const INSTALL_URL = "install-url";
const DOWNLOADERS = /^(?:curl|wget|wget2|aria2c|http|https|xh)$/;
const UNPACKS =
  /^(?:(?:(?:bsd)?tar|jar) (?:\S+ )*?(?:-?[a-zA-Z]*x|--extract)|python[\d.]* -m (?:zip|tar)file|(?:unzip|7z x|patch|git apply)(?: |$))/;
/** An address of this machine, also one without a scheme. */
const LOCAL = /^(?:https?:\/\/)?(?:localhost|127\.0\.0\.1|\[::1\])(?::\d+)?(?:[/?#]|$)/i;
/** Options of downloaders whose value is no address, and those by which an address leads elsewhere. */
const WITH_VALUE = {
  wget:
    /^(?:-[^OPoaUTtwlARDBe]*[OPoaUTtwlARDBe]|--(?:output-document|directory-prefix|output-file|header|user-agent|user|timeout|tries|wait))$/,
  others:
    /^(?:-[^-odHXuAbcemwFDPtT][^odHXuAbcemwFDPtT]*[odHXuAbcemwFDPtT]|-[odHXuAbcemwFDPtT]|--(?:output|output-dir|data[\w-]*|json|header|request|user|user-agent|cookie|cookie-jar|referer|max-time|connect-timeout|retry[\w-]*|write-out|form|dump-header))$/,
} as const;
const ELSEWHERE =
  /^(?:-[a-zA-Z]*x|-:|--(?:pr|res|connect-to|url?|next?$|soc|all-p|unix|abstract|dns))/;
/** Options whose value is where a download goes. */
const TO_FILE = /^(?:-[a-zA-Z]*[oOP]|--output(?:-dir|-document)?|--directory-prefix)$/;
/** Programs whose first operand is a file that they run. */
const INTERPRETERS =
  /^(?:(?:ba|rba|da|a|z|k|mk|c|tc|fi)?sh|\.|source|python[\d.]*|pypy3?|ipython|nodejs|node|deno|bun|perl|ruby|php|go|tsx|ts-node|lua|Rscript|tclsh|expect|osascript)$/;
const SHELLS = /sh$|^(?:\.|source)$/;
/** Interpreters that are given their code, and read a file as data. */
const GIVEN_CODE =
  /^(?:python[\d.]* (?:-c|-m json\.tool)|(?:node|perl|ruby) -e|(?:ba|da|z)?sh -c)(?: |$)/;
/** Programs that put files into a directory by their names. */
const COPIES = /^(?:cp|mv|install|rsync|ln)$/;

/** Find programs and scripts that the line runs after it has downloaded them. */
export function fetchedConcerns(
  { commands, uses = [] }: Analysis,
  accept: ReadonlySet<string>,
): readonly Concern[] {
  if (accept.has(INSTALL_URL)) return [];
  const concerns: Concern[] = [];
  const files: (string | null)[] = [];
  let fetches = false;
  let unpacks = false;
  for (const command of commands) {
    const run = filesRun(command)
      .find((word) =>
        (unpacks && (word?.includes("/") || isShell(command))) ||
        files.some((file) => isSame(file, word))
      );
    if (run !== undefined) {
      const reason = `${run === null ? "a file" : `"${run}"`} is downloaded and run by the line`;
      concerns.push({ reason, span: command.span, danger: INSTALL_URL });
    }
    fetches ||= downloads(command);
    // What is in an archive can be any file.
    unpacks ||= fetches && UNPACKS.test(command.argv.map((word) => word ?? "").join(" "));
    // What is written from then on can be made of it, unless the line spells that.
    if (fetches && !spells(command)) files.push(...written(command, uses));
  }
  return concerns;
}

/** The files that a command could run: the program itself, and the script of a shell or an interpreter. */
function filesRun(
  { argv: [name, ...words], program, redirects }: SimpleCommand,
): readonly (string | null)[] {
  // What stands behind an option can be its value.
  const script = words.findIndex((word, at) =>
    !isOption(word) && word !== "run" && !isOption(words[at - 1])
  );
  const isGiven = GIVEN_CODE.test([baseName(name ?? ""), ...words].join(" "));
  const scripts = INTERPRETERS.test(baseName(name ?? "")) && !isGiven
    ? words.slice(0, script < 0 ? undefined : script + 1).filter((word) => !isOption(word))
    : [];
  const own = name === null || name?.includes("/") ? name : undefined;
  const input = redirects.find(({ operator }) => operator === "<");
  const read = program.runs && input !== undefined ? input.target ?? null : undefined;
  return [own, ...scripts, read].flatMap((word) => word === undefined ? [] : [word]);
}

function isShell({ argv: [name] }: SimpleCommand): boolean {
  return SHELLS.test(baseName(name ?? ""));
}

function isOption(word: string | null | undefined): boolean {
  return /^[-+]/.test(word ?? "");
}

/** Whether a command gets something from another machine. */
function downloads({ argv }: SimpleCommand): boolean {
  const words = argv.slice(1).map((word) => word ?? "");
  const name = baseName(argv[0] ?? "");
  const hasValue = name.startsWith("wget") ? WITH_VALUE.wget : WITH_VALUE.others;
  const operands = words.filter((word, at) =>
    !word.startsWith("-") && !hasValue.test(words[at - 1] ?? "")
  );
  const isLocal = operands.length > 0 && operands.every((word) => LOCAL.test(word)) &&
    !words.some((word) => ELSEWHERE.test(word));
  return DOWNLOADERS.test(name) && !isLocal;
}

/** Whether the line spells all that a command writes. */
function spells({ argv, redirects }: SimpleCommand): boolean {
  return redirects.some(({ operator }) => operator.startsWith("<<")) ||
    (/^(?:echo|printf)$/.test(argv[0] ?? "") && !argv.includes(null));
}

/** The files that a command writes; `null`: one that is known only at run time. */
function written(
  command: SimpleCommand,
  uses: readonly PathUse[],
): readonly (string | null)[] {
  const { argv, span, redirects } = command;
  const name = baseName(argv[0] ?? "");
  const named = uses.flatMap(({ access, path, by, span: at }) =>
    access === "write" && by === name && at.start === span.start ? path ?? [] : []
  );
  const copied = COPIES.test(name)
    ? argv.slice(1).flatMap((word) => named.map((path) => `${path}/${baseName(word ?? "")}`))
    : [];
  const opened = redirects.flatMap(({ operator, target, span: at }): readonly (string | null)[] => {
    if (!operator.startsWith(">")) return [];
    // One of several is known by its uses.
    const paths = uses.flatMap((use) => use.span.start === at.start ? use.path ?? [] : []);
    return target === undefined && paths.length > 0 ? paths : [target ?? null];
  });
  // Such as a file in a temporary directory.
  const isUnknown = downloads(command) &&
    argv.some((word, at) => word === null && TO_FILE.test(argv[at - 1] ?? ""));
  return [...named, ...copied, ...opened, ...isUnknown ? [null] : []]
    .filter((file) => file !== "/dev/null");
}

/** Whether a word can name a file: one of them ends with the other. */
function isSame(file: string | null, word: string | null): boolean {
  if (file === null) return word === null;
  // One of several can be any.
  if (word === null) return true;
  if (/[*?[]/.test(word)) return overlappingNames(baseName(word), baseName(file));
  const [one, other] = [file, word]
    .map((path) => `/${path.replace(/\/(?:\.?\/)+/g, "/").replace(/^(?:\.?\/)+/, "")}`);
  return one !== undefined && other !== undefined && word !== "" &&
    (one.endsWith(other) || other.endsWith(one));
}
