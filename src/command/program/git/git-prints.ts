import { ANY, SEVERAL, UNQUOTED } from "../../words/placeholders.ts";

/** Options before the subcommand that change nothing of what is printed. */
const OWN = String.raw`(?:(?:-C \S+|--no-pager|-P) )*`;
/** What chooses commits, and shows nothing of them. */
const CHOOSES = String
  .raw`(?: (?:-s|-n ?\d+|-\d+|-[GS]\S+|--(?:reverse|no-merges|merges|first-parent|all|max-parents=0|max-count=\d+|(?:since|until|after|before|author)=\S+)))*`;
/** Revisions and paths: no word begins with what could be an option. */
const OPERANDS = String.raw`(?: (?![-${ANY}])[^\s:]+)*(?: -- [^]*)?`;
/** What chooses commits, and a date of digits. */
const DATED = String
  .raw`(?:(?:-s|-\d+|--reverse|--follow|--diff-filter=\w+|--date=(?:short|unix|format:(?:%[YmdHMSj]|[-_])+)) )*`;
const FORMAT = String.raw`--(?:format|pretty)=(?:t?format:)?`;
/** What a format shows of a commit in one line, behind what stands in front. */
const REST = String.raw`\x1f(?:[\w\x1f():,./|-]|%(?:[sdDfhHtT]|[ac][nNeEldDrtiIs]))+`;
/** Commits whose changes are counted. */
const LOG = String.raw`log${CHOOSES}`;
const EMPTY = String.raw`${FORMAT}(?= |$)`;
const COUNTS = String
  .raw`(?: (?:--(?:numstat|cached|staged|no-renames|no-color|merge-base|diff-filter=\w+)|-[wbM]))*`;
const COMPARED = String.raw`(?: (?![-${ANY}])[^\s:${UNQUOTED}${SEVERAL}]+)*`;

/** What `git` prints, see `Program.prints`. */
export const GIT_PRINTS: Readonly<Record<string, string>> = {
  [`^${OWN}rev-parse (?:--verify )?(?:--short(?:=\\d+)? )?HEAD(?:[~^]\\d*)*$`]: "part",
  // Names of refs: no part of one begins with a dot or a dash.
  [`^${OWN}(?:describe(?: --(?:tags|always|dirty|long|abbrev=\\d+|exact-match|first-parent|match[= ]\\S+))*(?: HEAD)?|branch --show-current|(?:rev-parse --abbrev-ref|symbolic-ref --short) HEAD)$`]:
    "ref",
  [`^${OWN}rev-list (?:.* )?--count(?: |$)`]: "number",
  [`^${OWN}rev-list${CHOOSES} (?![-${ANY}])\\S+${CHOOSES}${OPERANDS}$`]: "part",
  [`^${OWN}merge-base(?: (?![-${ANY}])[\\w./~^@-]+)+$`]: "part",
  [`^${OWN}log${CHOOSES} ${FORMAT}%[hHtT]${CHOOSES}${OPERANDS}$`]: "part",
  [`^${OWN}log${CHOOSES} ${FORMAT}%[ac]t${CHOOSES}${OPERANDS}$`]: "number",
  [`^${OWN}${LOG} ${FORMAT}%[hHtT]\\x1f%[ac]t${CHOOSES}${OPERANDS}$`]: "part number",
  [`^${OWN}${LOG} ${FORMAT}%[hHtT]\\x1f%[ac]t${REST}${CHOOSES}${OPERANDS}$`]: "part number any",
  [`^${OWN}${LOG} ${FORMAT}%[ac]t\\x1f%[hHtT]${CHOOSES}${OPERANDS}$`]: "number part",
  [`^${OWN}${LOG} ${FORMAT}%[ac]t\\x1f%[hHtT]${REST}${CHOOSES}${OPERANDS}$`]: "number part any",
  [`^${OWN}${LOG} ${FORMAT}%[ac]t${REST}${CHOOSES}${OPERANDS}$`]: "number any",
  [`^${OWN}${LOG} ${FORMAT}%[hHtT]${REST}${CHOOSES}${OPERANDS}$`]: "part any",
  [`^${OWN}diff(?=.* --numstat(?: |$))${COUNTS}${COMPARED}${COUNTS}(?: -- [^]*)?$`]:
    "count\tcount\tany",
  [`^${OWN}${LOG} (?:--numstat${CHOOSES} ${EMPTY}|${EMPTY}${CHOOSES} --numstat)${CHOOSES}${COMPARED}(?: -- [^]*)?$`]:
    "count\tcount\tany",
  [`^${OWN}log ${DATED}${FORMAT}%[ac]d ${DATED}(?:-- [^]*|(?![-${ANY}])\\S+)?$`]: "part",
};
