import { plainText, type Words } from "../words/word-marks.ts";
import { joined } from "../../platform/file/lexical-paths.ts";
import { overlappingNames } from "../../platform/file/pattern-overlap.ts";
import { resolveWord } from "./command/resolve.ts";
import { held } from "./values/held.ts";
import { type After, withValues } from "./walk-state.ts";
import type { Reading } from "./walker.ts";

/** Options with which `mkdir` makes directories that can be entered. */
const MAKES = /^mkdir(?: -[pv]+| --parents)*(?: (?!-)[^ ]+)+$/;
const MAKES_ANY = /^mkdir (?:-v )?(?:-[pv]*p[pv]*|--parents) /;
/** Builtins that decide what later commands can do; where `cd` cannot set its variables, it fails. */
const DECIDES = /^(?:trap|umask|ulimit|hash|\w+(?: .*)? \S*PWD.*)(?: |$)/;
/** A path that `cd` takes apart by its text alone. */
const LEADS_DOWN = /^(?:\.\.?(?:\/+|$))*(?!.*(?:^|\/)\.\.(?:\/|$))/;

/**
 * The end of `cd`, which cannot fail where it goes to a directory that is there when the line is judged, or
 * that the line has made.
 */
export function entered(reading: Reading, [word = "", ...more]: Words, after: After): After {
  const { walk: { context }, state, assignments } = reading;
  if (more.length > 0 || assignments.length > 0 || !LEADS_DOWN.test(word)) return after;
  const isThere = (path: string) =>
    context.facts.place?.(path) === "directory" || held(state.values, made(path)).isFunction;
  const paths = pathsOf(reading, word);
  return paths.length > 0 && paths.every((path) => isThere(path) && isKept(reading, path))
    ? { ...after, fail: { ...state, ended: true } }
    : after;
}

/** `mkdir`, which cannot fail with `-p` where nothing, or a directory, was when the line is judged. */
export function madeDirectories(reading: Reading, name: string, words: Words): void {
  const { walk: { context: { facts } }, state, after } = reading;
  const line = [name, ...words.map(plainText)].join(" ");
  const operands = words.filter((word) => !word.startsWith("-"));
  const all = operands.flatMap((word) => {
    const [path, ...others] = pathsOf(reading, word);
    return path === undefined || others.length > 0 ? [] : path;
  });
  if (!MAKES.test(line) || all.length < operands.length) return;
  const flags = all.map((path) => ({ name: made(path), isFunction: true as const }));
  const isThere = (path: string) => facts.place?.(joined(path, "..")) === "directory";
  const isFree = all.every((path) => facts.place?.(path) !== undefined && isKept(reading, path));
  // Where it fails in a directory that is there, what it would make is there already.
  const fail = isFree && MAKES_ANY.test(line)
    ? { ...state, ended: true as const }
    : isFree && all.every(isThere)
    ? withValues(after.fail, flags)
    : after.fail;
  reading.after = { ok: withValues(after.ok, flags), fail };
}

/** What stands for a directory that the line has made: no program and no function has such a name. */
const made = (path: string) => `\0${path}`;

function pathsOf({ walk: { context }, state }: Reading, word: string): readonly string[] {
  const found = resolveWord(context, word, { state, reads: false });
  const paths = found.flatMap(({ path, pattern, fresh }) =>
    path === undefined || pattern || fresh ? [] : path
  );
  return paths.length === found.length ? paths : [];
}

/** Whether nothing that the line has run so far can have changed what is at a path. */
function isKept({ walk: { context, depth }, assignments }: Reading, path: string): boolean {
  const { facts, findings: { commands, uses, sets } } = context;
  if (facts.state !== undefined || depth > 0 || context.repeats > 0 || assignments.length > 0) {
    return false;
  }
  const isQuiet = commands.every(({ argv, program, assignments }) => {
    const line = argv.map((word) => word ?? "?").join(" ");
    return argv[0] === "mkdir"
      ? MAKES.test(line) && !argv.includes(null) && assignments.length === 0
      : argv.length === 0 || ((program.reads || program.inert) && !DECIDES.test(line));
  });
  return isQuiet && sets.every(({ name }) => !/^(?:PATH|LD_.*)$/.test(name)) &&
    uses.every(({ access, by, path: other }) =>
      /read|run|load|name/.test(access) || by === "mkdir" ||
      (other !== undefined && !overlappingNames(other, path) && !`${path}/`.startsWith(`${other}/`))
    );
}
