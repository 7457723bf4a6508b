import type { Analysis, PathUse } from "../event/analysis.ts";
import { defined } from "../value/defined.ts";
import type { AnalysisFacts } from "./facts.ts";
import { NEVER } from "./program/output/output-lines.ts";
import { BUILT_IN, type Programs } from "./program/programs.ts";
import { guessedCommands } from "./guess.ts";
import { codeLength, type Doubt, readText } from "./syntax.ts";
import { type Context, type Findings, MOST_COMMANDS } from "./walk/findings.ts";
import { keywordDoubts } from "./walk/command/shadows.ts";
import { type Variables, variablesOf } from "./walk/values/text-variables.ts";
import { ARGUMENTS, changed, type Held, NO_VALUES, SELF } from "./walk/values/held.ts";
import { walkText } from "./walk/walk.ts";
import { Choices, NUMBER, TEMPORARY } from "./words/placeholders.ts";
import { quoted } from "./words/word-marks.ts";

/** The longest line of code, in UTF-16 code units; here-documents do not count. */
const LONGEST = 10_000;
/** A longer text is not even searched for denied commands. */
const LONGEST_READ = 1_000_000;

/** What an analysis needs besides the line and its facts. */
export interface AnalyseOptions {
  /** What is known of programs; default: the built-in records. */
  readonly programs?: Programs;
}

/**
 * Find what a bash line would run and touch, and how sure that is.
 *
 * Pure, and total: every text has an analysis, and one that cannot be trusted is opaque.
 *
 * @param command The line.
 * @param facts What the line means depends on: the directory, and what a persistent shell brings.
 *
 * @example The commands of a line
 * ```ts
 * import { analyse } from "shellflow";
 *
 * const { certainty, commands, writes } = analyse("make > log.txt && rm -rf $x", { cwd: "/ws" });
 * if (certainty !== "complete" || writes[0] !== "/ws/log.txt") throw new Error("unexpected");
 * console.log(commands.map(({ argv }) => argv)); // [["make"], ["rm", "-rf", null]]
 * ```
 */
export function analyse(
  command: string,
  facts: AnalysisFacts,
  { programs = BUILT_IN }: AnalyseOptions = {},
): Analysis {
  const findings: Findings = { commands: [], uses: [], sets: [], doubts: [], texts: new Set() };
  const context: Context = {
    facts,
    programs,
    choices: new Choices(),
    findings,
    inspections: new Map(),
    seen: new Map(),
    distrusts: false,
    repeats: 0,
    outputs: new Map(),
    early: undefined,
    leastPrinted: NEVER,
    breaksOff: facts.state !== undefined,
    moves: new Set(),
    idle: new Set(),
    called: new Set(),
    exports: false,
    scripts: new Map(),
    count: 0,
  };
  const whole = { start: 0, end: command.length };
  if (command.length > LONGEST_READ) {
    findings.doubts.push({ reason: `more than ${LONGEST_READ} characters`, span: whole });
    return result(findings);
  }
  findings.doubts.push(...keywordDoubts(command, facts.state));
  if (!isFollowed(command, context)) {
    // What was not followed to its end is searched for what is denied all the same.
    findings.commands.push(...guessedCommands(command, whole, programs));
  }
  const { moves, idle } = context;
  // A persistent shell runs the next line there.
  if (facts.state === undefined) { for (const use of moves) idle.add(use); }
  const uses = findings.uses.map((use) => idle.has(use) ? { ...use, last: true as const } : use);
  return result({ ...findings, uses });
}

/** What names files of its own to a step of GitHub Actions, and is not set elsewhere. */
const RUNNER_FILES = ["GITHUB_OUTPUT", "GITHUB_ENV", "GITHUB_STEP_SUMMARY", "GITHUB_STATE"];

/** The variable that says where commands leave variables for later ones. */
const ENV_FILE = "SHELLFLOW_ENV_FILE";

/** The last words of names that say a number. */
const COUNTS =
  "N NUM NUMBER RUNS ROUNDS COUNT LIMIT MAX MIN SIZE RETRIES ATTEMPTS TRIES TIMEOUT ITERATIONS REPEAT REPS WORKERS JOBS THREADS PROCS CORES " +
  "CPUS CONCURRENCY PARALLEL PARALLELISM SEED THRESHOLD QUALITY SHARD SHARDS TOTAL INDEX LEVEL DEPTH INTERVAL DELAY DURATION RATE BATCH " +
  "STEP STEPS EPOCHS SAMPLES DAYS HOURS MINUTES SECONDS SECS MS WIDTH HEIGHT OFFSET WARMUP";
/** Variables of the host that are numbers by their names: ports, and those for which the line has a number. */
const NUMBERS = new RegExp(
  String.raw`\$\{?((?:[A-Z]\w*_)?PORT)\b|\$\{((?:[A-Z]\w*_)?(?:${
    COUNTS.replaceAll(" ", "|")
  })):?[-=]\d+\}`,
  "g",
);
/** An argument with a text in place of it, or without which the shell ends. */
const NEEDED = /\$\{[1-9](?::?-|:\?)/;

/** The variables that hold nothing until the line sets them: none comes with it under that name. */
function unsetYet(
  command: string,
  { set }: Variables,
  { env, envFile, home, self, state }: AnalysisFacts,
): readonly Held[] {
  // A shell that stays has what earlier lines have set.
  const isFresh = state === undefined;
  // Variables of the host have names in capitals.
  const isOwn = (name: string) => isFresh && /^[a-z_]\w*$/.test(name);
  const unset = [...set].filter(isOwn).map((name): Held => ({ name, texts: [""] }));
  const fresh = (name: string) => isFresh && !env?.includes(name);
  const ofHost: readonly (readonly [name: string, ...texts: readonly string[]])[] = [
    ...RUNNER_FILES.map((name) => [name, TEMPORARY, ""] as const),
    // The temporary directory counts as inside, wherever it is.
    ["TMPDIR", "", "/tmp"],
    // What the host sets it to is where that tool is.
    ...(home === undefined ? [] : [["NVM_DIR", quoted(`${home}/.nvm`)] as const]),
    // What libraries the host adds is its own choice.
    ["LD_LIBRARY_PATH", "/usr/lib"],
    // No shell takes these from where it was started.
    ["IFS", " \t\n"],
  ];
  // What a shell would split or expand stays unknown.
  const knowsFile = envFile !== undefined && /^[\w./@%+-]+$/.test(envFile);
  // A line stands in no file, and a function of it in this one.
  const ofNoFile = { name: "BASH_SOURCE", texts: ["", "environment"], some: ["", "environment"] };
  const numbers = [...command.matchAll(NUMBERS)].map(([, port, other = ""]) => port ?? other)
    .filter(fresh).map((name) => ({ name, texts: [NUMBER, ""] }));
  return [
    ...unset,
    ...numbers,
    // A line has no arguments, where it says what holds without them and the shell is a new one.
    ...(isFresh && NEEDED.test(command) ? [{ name: ARGUMENTS, items: [] }] : []),
    ...(knowsFile ? [{ name: ENV_FILE, texts: [quoted(envFile)] }] : []),
    ...ofHost.filter(([name]) => command.includes(name) && fresh(name))
      .map(([name, ...texts]) => ({ name, texts })),
    ...(self !== undefined && isFresh && /\$\{?0/.test(command)
      ? [{ name: SELF, texts: [self] }]
      : []),
    ...(fresh("OLDPWD") ? [{ name: "OLDPWD", texts: [""] }, ofNoFile] : []),
  ];
}

/** Walk a line; whether that went to its end, and what it read was no guess. */
function isFollowed(command: string, context: Context): boolean {
  const { findings: { doubts }, facts } = context;
  const whole = { start: 0, end: command.length };
  try {
    const { script, doubts: faults } = readText(command);
    doubts.push(...faults);
    if (script === undefined) return false;
    if (command.length > LONGEST && codeLength(script, command) > LONGEST) {
      doubts.push({ reason: `more than ${LONGEST} characters of code`, span: whole });
    }
    const variables = variablesOf(script, command, context);
    doubts.push(...variables.errors);
    const values = changed(NO_VALUES, unsetYet(command, variables, facts));
    const state = { dirs: [quoted(facts.cwd)], values, stack: [], printed: undefined };
    const nothing = { functions: new Map(), left: [], calls: [], depth: 0 };
    walkText(script, { state, inherited: {} }, { context, variables, ...nothing });
    const tooMany = context.count > MOST_COMMANDS;
    if (tooMany) doubts.push({ reason: "more commands than are followed", span: whole });
    return faults.length + variables.errors.length === 0 && !tooMany;
  } catch (cause) {
    // The stack is deeper than any brackets told.
    if (!(cause instanceof RangeError)) throw cause;
    doubts.push({ reason: "it nests too deep to be followed", span: whole });
    return false;
  }
}

function result({ doubts, commands, uses, sets, texts }: Findings): Analysis {
  const doubt: Doubt | undefined = doubts[0];
  const known = (access: PathUse["access"]) => {
    const paths = uses.flatMap((use) => use.access === access && !use.fresh ? use.path ?? [] : []);
    return [...new Set(paths)].sort();
  };
  return {
    certainty: doubt === undefined ? "complete" : "opaque",
    ...defined({ reason: doubt?.reason, span: doubt?.span }),
    commands,
    reads: known("read"),
    writes: known("write"),
    dynamic: uses.some(({ path }) => path === undefined),
    uses: eachOnce(uses),
    sets,
    ...(texts.size > 0 && { texts: [...texts] }),
  };
}

/** What is walked in several rounds was found in each of them. */
function eachOnce(uses: readonly PathUse[]): readonly PathUse[] {
  const byPlace = new Map(uses.map((use) => {
    const { access, path, raw, span, by, last, fresh } = use;
    return [`${access} ${path} ${raw} ${span.start} ${by} ${last} ${fresh}`, use] as const;
  }));
  return [...byPlace.values()];
}
