import { UNKNOWN } from "../../words/placeholders.ts";
import { isPattern, isUnknown, plainText, type Words } from "../../words/word-marks.ts";
import { acrossNames } from "../search/name-patterns.ts";
import { has, valuesOf } from "../parse-options.ts";
import { namedPaths, type RawUse, used } from "../uses.ts";
import { type GitCommand, given, LEFT_OUT } from "./git-command.ts";

/** Subcommands that say nothing of what is in the files that their operands name. */
const SHOWS_NAMES =
  /^(?:rm|check-ignore|check-attr|ls-remote|for-each-ref|show-ref|fetch|push|pull|status|ls-files|ls-tree|checkout|switch|restore|reset|clean|branch|tag)$/;
/** Options with which `git log` and `git diff` show nothing of what is in files, and those that make it so. */
const NAMES_ONLY =
  /^(?:\d+|n|oneline|max-count|format|pretty|graph|all|branches|since|until|after|before|author|follow|decorate|date|reverse|merges|no-merges|first-parent|diff-filter|abbrev-commit|cached|staged|stat|shortstat|numstat|name-only|name-status|quiet)$/;
const SUMMARY = /^(?:stat|shortstat|numstat|name-only|name-status|quiet)$/;

/** Subcommands that open files, or make directories, which are not of the work tree. */
const OPENS =
  /^(?:worktree|init|clone|bundle|merge-file|interpret-trailers|hash-object|index-pack|checkout-index|submodule|mv)$/;

/** Subcommands, the first operands and the places of those that name what is made. */
const MAKES = /^(?:init::0|worktree:add:1|bundle:create:1|submodule:add:2)$/;

const WRITES = /^(?:archive|diff|diff-\w+|format-patch|log|show|whatchanged)$/;

/** What can be a protected file, and is no branch. */
const PROTECTED = /(?:^|\/)(?:\.[^./]|hooks\/)/;

/** `:(top)FILE`. */
const MAGIC = /^:\([^)]*\)/;

/** The paths in a word; of one that fits in any case, in the case of what is protected. */
function pathsIn(word: string, { global }: GitCommand): readonly string[] {
  if (LEFT_OUT.test(plainText(word))) return ["."];
  const [magic = ""] = MAGIC.exec(word) ?? [];
  const path = word.slice(magic.length);
  const anyCase = /\bicase\b/.test(magic) || global.some(({ name }) => name === "icase-pathspecs");
  const spelled = anyCase ? path.toLowerCase() : path;
  // A pattern of git fits a leading dot and a slash, too.
  const pattern = plainText(spelled);
  return isPattern(pattern) && !isUnknown(spelled) ? [spelled, ...acrossNames(pattern)] : [spelled];
}

/** The paths that a `git` command names; an operand can also be a file of a revision, as in `HEAD:FILE`. */
export function gitUses(git: GitCommand, reads: boolean): readonly RawUse[] {
  const { verb = "", words, parsed, loose } = git;
  const isMessage = /^(?:commit|tag|merge|stash|notes|revert|cherry-pick|am)$/.test(verb);
  const values = parsed.options.flatMap(({ name, text, value, word }) =>
    /^(?:-S|--(?:format|pretty)(?:=|$))/.test(word) || (text && (name !== "m" || isMessage))
      ? []
      // Of `-L 1,9:FILE` and `-L :name:FILE` the file.
      : name === "L"
      ? /:([^:]*)$/.exec(value ?? word)?.[1] ?? []
      : [value ?? word]
  );
  const searches = verb === "grep" && !has(parsed, "e f");
  const operands = parsed.operands.slice(searches ? 1 : 0).flatMap((word) => pathsIn(word, git));
  const names = parsed.options.map(({ name }) => name);
  const diffs = verb === "status" && given(git, "v verbose").length > 0;
  const shows = (SHOWS_NAMES.test(verb) && !diffs) ||
    (names.every((name) => NAMES_ONLY.test(name)) &&
      (verb === "log" || (verb === "diff" && names.some((name) => SUMMARY.test(name)))));
  // What `git diff` or `git archive` writes; elsewhere `-o` is another option.
  const written = WRITES.test(verb) ? [...valuesOf(parsed, "o output output-directory")] : [];
  const [dir, ...dirs] = git.global.flatMap(({ name, value = "" }) => name === "C" ? value : []);
  const below = (paths: Words) =>
    dir === undefined ? paths : paths.flatMap((path) => [path, `${dir}/${path}`]);
  const opens = OPENS.test(verb) || given(git, "no-index").length > 0;
  const dashes = words.findIndex((word) => plainText(word) === "--");
  const all = (dashes >= 0 ? words.slice(dashes + 1) : loose.operands)
    .flatMap((word) => pathsIn(word, git));
  // The last part of an address names the directory.
  if (verb === "clone" && operands.length === 1) {
    written.push(
      ...operands.map((word) => word.replace(/(?:\.git)?\/*$/, "").replace(/^.*[/:]/, "")),
    );
  }
  written.push(
    ...operands.filter((word, at) =>
      MAKES.test(`${verb}:${at > 0 ? operands[0] : ""}:${at}`) ||
      // Below a directory that is spelled it is a name.
      (verb === "clone" && at === 1 && isUnknown(word[0]))
    ),
  );
  const isStaged = given(git, "S staged").length > 0 && given(git, "W worktree").length === 0;
  const restored = /^(?:checkout|rm)$/.test(verb) || (verb === "restore" && !isStaged)
    // What stands in front of dashes can be a branch.
    ? all.filter((word) => dashes >= 0 || verb !== "checkout" || PROTECTED.test(plainText(word)))
    : [];
  const away = operands.map((word) => word.replace(/^file:\/\//, ""))
    .filter((word) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(plainText(word)));
  return [
    ...used(below([...written, ...restored]), "write"),
    // What a second directory adds up to is not followed.
    ...used(dirs.length > 0 ? [UNKNOWN] : [], "write"),
    ...used(
      git.global.flatMap(({ name, value }) => name === "C" ? value ?? [] : []),
      reads ? "read" : "write",
    ),
    ...namedPaths([...away, ...values], "use"),
    ...namedPaths(shows ? [] : opens ? below(operands) : operands, opens ? "use" : "name"),
  ];
}
