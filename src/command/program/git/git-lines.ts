import { SOME_FILES, UNKNOWN } from "../../words/placeholders.ts";
import { isUnknown, plainText } from "../../words/word-marks.ts";
import { acrossNames } from "../search/name-patterns.ts";
import type { Lines } from "../output/output-lines.ts";
import { givenAs, has, type ParsedOptions } from "../parse-options.ts";
import type { Command } from "../taken-apart.ts";

/** Options with which names of files stay names of files, and nothing else is printed. */
const KEEPS_NAMES =
  /^(?:[zcmdorlniwEFPGeI]|line-number|word-regexp|cached|modified|deleted|others|exclude-standard|staged|diff-filter|relative|ignore-case|name-only|files-with-matches|untracked|porcelain|short|s|no-commit-id|root)$/;

/** Options with which `git grep` prints names alone. */
const NAMES_ALONE = "l files-with-matches name-only";

/** The names that a `git` command prints, as patterns, and what it says of them. */
export function foundByGit(sub: Command): Lines | undefined {
  const { name, parsed } = sub;
  const names = namesBy(sub);
  if (names === undefined) return undefined;
  // A line of what it finds begins with the name.
  if (name === "grep" && !has(parsed, NAMES_ALONE)) return { fields: [names, undefined], by: ":" };
  return name === "status" && !has(parsed, "z")
    ? { fields: [[UNKNOWN], names] }
    : { fields: [names] };
}

function namesBy({ name, parsed }: Command): readonly string[] | undefined {
  const names = name === "ls-files" || (name === "ls-tree" && has(parsed, "name-only")) ||
    (name === "status" && has(parsed, "s short porcelain")) ||
    (/^(?:log|show)$/.test(name) && has(parsed, "name-only") && isWithoutFormat(parsed)) ||
    (name === "stash" && parsed.operands[0] === "show" && has(parsed, "name-only")) ||
    (name === "grep" && (has(parsed, NAMES_ALONE) || !has(parsed, "z"))) ||
    (/^diff(?:-\w+)?$/.test(name) && has(parsed, "name-only"));
  const keeps = /^(?:log|show)$/.test(name) ? CHOOSES_COMMITS : KEEPS_NAMES;
  // What git ignores are settings and keys of this machine, too: it can be any name.
  const listsIgnored = has(parsed, "i ignored") ||
    (has(parsed, "o others") && !has(parsed, "exclude-standard"));
  if (name === "ls-files" && listsIgnored) return undefined;
  if (!names || !parsed.options.every((each) => keeps.test(each.name))) return undefined;
  const own = name === "stash" ? 2 : /^(?:grep|ls-tree)$/.test(name) ? 1 : 0;
  const operands = parsed.operands.map(plainText).slice(own)
    .filter((each) => !/^:(?:[!^]|\(exclude\))/.test(each));
  // Of a tag or a file `git show` prints text.
  const isOther = (each: string) => name === "show" ? !COMMIT.test(each) : each.startsWith(":");
  if (operands.some((each) => isOther(each) || isUnknown(each))) return undefined;
  const fitting = operands.flatMap((each) =>
    /[*?[]/.test(each) ? acrossNames(each) : [each, `${each}/**/*`]
  );
  // What has changed is seldom hidden.
  const isChanged = name === "ls-files" && has(parsed, "m modified") && !has(parsed, "o others");
  if (/^(?:diff|status|log|show|stash)/.test(name) || (isChanged && fitting.length === 0)) {
    return [SOME_FILES, ...fitting];
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
