import { UNKNOWN } from "../../words/placeholders.ts";
import { isPattern, isUnknown, plainText, type Words } from "../../words/word-marks.ts";
import { acrossNames } from "../search/name-patterns.ts";
import { has, valuesOf } from "../parse-options.ts";
import { LEFT_OUT } from "../records/git.ts";
import { pattern } from "../remembered.ts";
import type { Command, RawUse } from "../taken-apart.ts";
import { namedPaths, pathUses, used } from "../uses.ts";

/** Options with which `git log` and `git diff` show nothing of what is in files, and those that make it so. */
const NAMES_ONLY =
  /^(?:\d+|n|oneline|max-count|format|pretty|graph|all|branches|since|until|after|before|author|follow|decorate|date|reverse|merges|no-merges|first-parent|diff-filter|abbrev-commit|cached|staged|stat|shortstat|numstat|name-only|name-status|quiet)$/;
const SUMMARY = "stat shortstat numstat name-only name-status quiet";

/** Subcommands, the first operands and the places of those that name what is made. */
const MAKES = /^(?:worktree:add:1|bundle:create:1|submodule:add:2)$/;

/** What can be a protected file, and is no branch. */
const PROTECTED = /(?:^|\/)(?:\.[^./]|hooks\/)/;

/** `:(top)FILE`. */
const MAGIC = /^:\([^)]*\)/;

/** The paths in a word; of one that fits in any case, in the case of what is protected. */
function pathsIn(word: string, git: Command): readonly string[] {
  if (pattern(LEFT_OUT).test(plainText(word))) return ["."];
  const [magic = ""] = MAGIC.exec(word) ?? [];
  const path = word.slice(magic.length);
  const anyCase = /\bicase\b/.test(magic) || has(git.parsed, "icase-pathspecs");
  const spelled = anyCase ? path.toLowerCase() : path;
  // A pattern of git fits a leading dot and a slash, too.
  const plain = plainText(spelled);
  return isPattern(plain) && !isUnknown(spelled) ? [spelled, ...acrossNames(plain)] : [spelled];
}

/** The paths that a `git` command names; an operand can also be a file of a revision, as in `HEAD:FILE`. */
export function gitUses(git: Command, access: "read" | "write"): readonly RawUse[] {
  const [dir, ...dirs] = valuesOf(git.parsed, "C");
  const own = git.sub === undefined ? [] : usesOf(git.sub, git);
  return [
    ...own,
    ...dir === undefined ? [] : own.filter((use) => /write|use/.test(use.access))
      .map((use) => ({ ...use, marked: `${dir}/${use.marked}` })),
    // What a second directory adds up to is not followed.
    ...used(dirs.length > 0 ? [UNKNOWN] : [], "write"),
    ...used(valuesOf(git.parsed, "C"), access),
  ];
}

function usesOf(sub: Command, git: Command): readonly RawUse[] {
  const { name, words, parsed, program } = sub;
  const searches = name === "grep" && !has(parsed, "e f");
  const spelled = parsed.operands.slice(searches ? 1 : 0);
  const operands = spelled.flatMap((word) => pathsIn(word, git));
  const away = operands.map((word) => word.replace(/^file:\/\//, ""))
    .filter((word) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(plainText(word)));
  const kept = showsNothing(sub) ? [] : operands;
  const opened = has(parsed, "no-index") ? { ...program, operands: "use" as const } : program;
  return [
    ...pathUses({ ...sub, program: opened, parsed: { ...parsed, operands: kept } }),
    ...namedPaths(away, "use"),
    ...used(madeBy(name, operands), "write"),
    ...used(name === "checkout" ? checkedOut(spelled, words, git) : [], "write"),
  ];
}

/** Whether a subcommand neither shows nor changes what is in the files that it names. */
function showsNothing({ name, parsed }: Command): boolean {
  if (name === "restore") return has(parsed, "S staged") && !has(parsed, "W worktree");
  if (name === "status") return !has(parsed, "v verbose");
  if (/^(?:shortlog|rev-list)$/.test(name)) return true;
  return parsed.options.every((each) => NAMES_ONLY.test(each.name)) &&
    (name === "log" || (name === "diff" && has(parsed, SUMMARY)));
}

function madeBy(name: string, operands: Words): Words {
  const [first = ""] = operands;
  const made = operands.filter((word, at) =>
    MAKES.test(`${name}:${first}:${at}`) ||
    // Below a directory that is spelled it is a name.
    (name === "clone" && at === 1 && isUnknown(word[0]))
  );
  // The last part of an address names the directory.
  return name === "clone" && operands.length === 1
    ? [first.replace(/(?:\.git)?\/*$/, "").replace(/^.*[/:]/, "")]
    : made;
}

/** The files that `git checkout` writes: what stands in front of dashes can be a branch. */
function checkedOut(operands: Words, words: Words, git: Command): Words {
  const dashes = words.findIndex((word) => plainText(word) === "--");
  return (dashes < 0 ? operands : words.slice(dashes + 1)).flatMap((word) => pathsIn(word, git))
    .filter((word) => dashes >= 0 || PROTECTED.test(plainText(word)));
}
