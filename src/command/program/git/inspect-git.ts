import type { Danger } from "../../../event/analysis.ts";
import { UNKNOWN } from "../../words/placeholders.ts";
import { isUnknown, knownText, plainText, type Words } from "../../words/word-marks.ts";
import { acrossNames } from "../search/name-patterns.ts";
import { type Lines, SOME_FILES } from "../output/output-lines.ts";
import { givenAs, has, type ParsedOptions, valuesOf } from "../parse-options.ts";
import { type ShellText, type Starting, withArguments } from "../starts.ts";
import type { RawUse } from "../uses.ts";
import { type GitCommand, takeApart } from "./git-command.ts";
import { gitDangers } from "./git-dangers.ts";
import { gitReads } from "./git-reads.ts";
import { gitUses } from "./git-uses.ts";

/** What a `git` command is and does. */
export interface GitEffects extends Starting {
  /** The subcommand and what stands behind it. */
  readonly words: Words;
  readonly dangers: readonly Danger[];
  readonly reads: boolean;
  /** An option takes words of which it is not known how many they are. */
  readonly many: boolean;
  readonly uses: readonly RawUse[];
  /** It, taken apart. */
  readonly command: GitCommand;
}

/** Look at a `git` command. */
export function inspectGit(words: Words, global: ParsedOptions): GitEffects {
  const own = words.slice(global.rest);
  const git = takeApart(own, global);
  const dangers = gitDangers(git);
  const reads = dangers.length === 0 && gitReads(git);
  const { many } = git.parsed;
  return {
    words: own,
    dangers,
    reads,
    many,
    uses: gitUses(git, reads),
    command: git,
    ...startsOf(git),
  };
}

/** Options with which names of files stay names of files, and nothing else is printed. */
const KEEPS_NAMES =
  /^(?:[zcmdorlniwEFPGeI]|line-number|word-regexp|cached|modified|deleted|others|exclude-standard|staged|diff-filter|relative|ignore-case|name-only|files-with-matches|untracked|porcelain|short|s|no-commit-id|root)$/;

/** Options with which `git grep` prints names alone. */
const NAMES_ALONE = "l files-with-matches name-only";

/** The names that a `git` command prints, as patterns, and what it says of them. */
export function foundByGit(git: GitCommand): Lines | undefined {
  const { verb, parsed } = git;
  const names = namesBy(git);
  if (names === undefined) return undefined;
  // A line of what it finds begins with the name.
  if (verb === "grep" && !has(parsed, NAMES_ALONE)) return { fields: [names, undefined], by: ":" };
  return verb === "status" && !has(parsed, "z")
    ? { fields: [[UNKNOWN], names] }
    : { fields: [names] };
}

function namesBy({ verb = "", global, parsed }: GitCommand): readonly string[] | undefined {
  const names = verb === "ls-files" || (verb === "ls-tree" && has(parsed, "name-only")) ||
    (verb === "status" && has(parsed, "s short porcelain")) ||
    (/^(?:log|show)$/.test(verb) && has(parsed, "name-only") && isWithoutFormat(parsed)) ||
    (verb === "stash" && parsed.operands[0] === "show" && has(parsed, "name-only")) ||
    (verb === "grep" && (has(parsed, NAMES_ALONE) || !has(parsed, "z"))) ||
    (/^diff(?:-\w+)?$/.test(verb) && has(parsed, "name-only"));
  const keeps = /^(?:log|show)$/.test(verb) ? CHOOSES_COMMITS : KEEPS_NAMES;
  if (!names || global.length > 0 || !parsed.options.every(({ name }) => keeps.test(name))) {
    return undefined;
  }
  const own = verb === "stash" ? 2 : /^(?:grep|ls-tree)$/.test(verb) ? 1 : 0;
  const operands = parsed.operands.map(plainText).slice(own)
    .filter((each) => !/^:(?:[!^]|\(exclude\))/.test(each));
  // Of a tag or a file `git show` prints text.
  const isOther = (each: string) => verb === "show" ? !COMMIT.test(each) : each.startsWith(":");
  if (operands.some((each) => isOther(each) || isUnknown(each))) return undefined;
  const fitting = operands.flatMap((each) =>
    /[*?[]/.test(each) ? acrossNames(each) : [each, `${each}/**/*`]
  );
  // What has changed is seldom hidden.
  const isChanged = verb === "ls-files" && has(parsed, "m modified") && !has(parsed, "o others");
  if (/^(?:diff|status|log|show|stash)/.test(verb) || (isChanged && fitting.length === 0)) {
    return [`./${SOME_FILES}`, ...fitting];
  }
  return fitting.length > 0 ? fitting : ["**/*"];
}

/** A commit, and nothing else. */
const COMMIT = /^(?:HEAD|@|[\da-f]{7,40})[~^\d]*$/;

/** Options of `git log` that choose commits, beside the names of what they changed. */
const CHOOSES_COMMITS =
  /^(?:name-only|format|pretty|n|\d+|since|until|after|before|author|grep|diff-filter|(?:no-)?merges|reverse|first-parent|all)$/;

function isWithoutFormat(parsed: ParsedOptions): boolean {
  const formats = givenAs(parsed, "format pretty");
  return formats.length > 0 &&
    formats.every(({ value }) => /^(?:t?format:)?$/.test(plainText(value)));
}

/** What a `git` command starts, and the text that it hands to a shell. */
function startsOf({ verb, words, parsed, global }: GitCommand): Starting {
  const texts = valuesOf(parsed, `x exec upload-pack receive-pack`)
    .map((value): ShellText => ({ text: knownText(value), elsewhere: true }));
  for (const { value = "" } of [...global, { value: words.join("=") }]) {
    const alias = /(?:^|=)alias\.[^=]+=!([^]*)$/.exec(plainText(value))?.[1];
    if (alias !== undefined) texts.push({ text: knownText(alias) });
  }
  const at = words.findIndex((word) => /^(?:run|foreach)$/.test(plainText(word)));
  const inner = at < 0 ? [] : words.slice(at + 1);
  if (verb === "submodule" && inner.length > 0) {
    // The first word is text for a shell, those behind it are its arguments.
    const first = inner.findIndex((word) => !/^-/.test(plainText(word)));
    texts.push({ text: withArguments(inner.slice(first)), elsewhere: true });
  }
  const runs = verb === "bisect" && inner.length > 0;
  return { started: runs ? [{ words: inner, sure: true, elsewhere: true }] : [], texts };
}
