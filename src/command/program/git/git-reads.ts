import { mayBeOption, plainText } from "../../words/word-marks.ts";
import { has } from "../parse-options.ts";
import { type GitCommand, given } from "./git-command.ts";

/** Whether `git config` only reads: it says so, and there is nothing that it could set. */
export function configReads({ parsed }: GitCommand): boolean {
  const [first = "", ...others] = parsed.operands.map(plainText);
  if (has(parsed, "add unset unset-all replace-all edit e rename-section remove-section")) {
    return false;
  }
  if (
    /^(?:get|list)$/.test(first) || has(parsed, "get get-all get-regexp get-urlmatch get-color")
  ) {
    return others.length === 0 || (others.length === 1 && first === "get");
  }
  return has(parsed, "list l") ? first === "" : others.length === 0 && first.includes(".");
}

// deno-fmt-ignore
const READS = new Set((
  "status log diff show shortlog blame annotate rev-parse rev-list ls-files ls-tree cat-file describe name-rev merge-base for-each-ref grep " +
  "version whatchanged show-ref show-branch diff-tree diff-index diff-files count-objects check-ignore check-attr var cherry range-diff verify-commit check-ref-format fsck"
).split(" "));
const ENDS_READING =
  "output output-directory ext-diff textconv filters batch-command open-files-in-pager upload-pack exec no-index contents web lost-found";
/** Options with which names are listed. */
const LISTS = "list contains no-contains merged no-merged points-at";
/** Subcommands that read with this first operand, except with these options. */
// deno-fmt-ignore
const READ_FORMS: readonly (readonly [verb: string, first: RegExp, not: string, needs?: string])[] = [
  ["branch", /^/, "d delete D m move M c copy C f force u set-upstream-to unset-upstream edit-description", LISTS],
  ["tag", /^/, "d delete a s u m F f force", `l ${LISTS}`],
  ["branch", /^$/, "d delete D m move M c copy C f force u set-upstream-to unset-upstream edit-description"],
  ["tag", /^$/, "d delete a s u m F f force"],
  ["remote", /^(?:get-url)?$/, ""], ["notes", /^(?:list|show)?$/, ""], ["ls-remote", /^[\w.-]*$/, "u upload-pack exec"], ["stash", /^(?:list|show)$/, ""], ["worktree", /^list$/, ""], ["submodule", /^status$/, ""],
  ["bisect", /^log$/, ""], ["help", /^/, "w web i info"], ["reflog", /^(?:show|\d+)?$/, ""],
];

/** Whether a `git` command only reads. */
export function gitReads(git: GitCommand): boolean {
  const { verb, words, loose, global } = git;
  if (git.unknown || words.some(mayBeOption)) return false;
  if (global.some(({ name }) => /^(?:git-dir|work-tree|p)$/.test(name))) return false;
  if (verb === undefined) return global.some(({ name }) => name === "v" || name === "h");
  if (given(git, verb === "grep" ? `${ENDS_READING} O` : ENDS_READING).length > 0) return false;
  const first = plainText(loose.operands[0]);
  if (verb === "symbolic-ref") {
    return loose.operands.length === 1 && given(git, "d delete m").length === 0;
  }
  return READS.has(verb) || (verb === "config" && configReads(git)) ||
    READ_FORMS.some(([of, form, not, needs]) =>
      of === verb && form.test(first) &&
      (needs === undefined
        ? first === "" || plainText(words[0]) === first
        : given(git, needs).length > 0) &&
      given(git, not).length === 0
    );
}
