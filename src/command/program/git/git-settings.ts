import type { Danger } from "../../../event/analysis.ts";
import { isUnknown, plainText } from "../../words/word-marks.ts";
import { givenAs, has } from "../parse-options.ts";
import { HELPER_ADDRESS } from "../records/git.ts";
import { anyCase } from "../remembered.ts";
import type { Command } from "../taken-apart.ts";

/** Settings that only change how something looks, or what is written into commits. */
const HARMLESS_KEY =
  /^(?:user\.(?:name|email|signingkey)|author\.\w+|committer\.\w+|color\.[\w.]+|advice\.\w+|column\.\w+|init\.defaultbranch|pull\.\w+|push\.\w+|fetch\.\w+|rebase\.(?:auto\w+|stat)|merge\.(?:ff|conflictstyle|renames)|commit\.(?:gpgsign|verbose)|tag\.(?:gpgsign|sort)|branch\.(?:sort|[\w./-]+\.(?:remote|merge|rebase))|log\.\w+|diff\.(?:algorithm|renames\w*|context|mnemonicprefix|noprefix|colormoved)|status\.\w+|gc\.(?!recentobjectshook)\w+|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath|symlinks|longpaths|abbrev|bare|precomposeunicode|safecrlf|whitespace)|safe\.directory|remote\.[\w./-]+\.(?:url|fetch|pushurl)|rerere\.enabled|feature\.\w+|http\.postbuffer|blame\.ignorerevsfile|lfs\.fetch(?:in|ex)clude|submodule\.recurse)$/i;
/** Settings that choose what git runs, reads, overwrites or deletes, whatever their values are. */
const NEVER_HARMLESS =
  /^(?:protocol\.(?!version$)|(?:url|alias|filter|credential|include(?:if)?)\.|remote\..*\.(?:mirror|push|vcs)$|clean\.requireforce$|help\.autocorrect$)/i;
/** Values that switch something off, or name a program that does nothing. */
const HARMLESS_VALUE = /^(?:true|false|yes|no|on|off|cat|always|never|auto|\d*)$/i;

function isHarmless(key: string, value: string | undefined): boolean {
  if (isUnknown(key) || NEVER_HARMLESS.test(key)) return false;
  if (/url$/i.test(key)) {
    return value !== undefined && !/^-/.test(value) && !anyCase(HELPER_ADDRESS).test(value) &&
      !isUnknown(value);
  }
  // The name of a remote can be an address.
  if (/^branch\..*\.(?:remote|pushremote)$/i.test(key) && /:/.test(value ?? "")) return false;
  if (HARMLESS_KEY.test(key)) return true;
  return value !== undefined && HARMLESS_VALUE.test(value) && !/path|file|dir/i.test(key);
}

/** Whether `git config` only reads: it says so, and there is nothing that it could set. */
export function configReads({ name, words, parsed }: Command): boolean {
  const [first = "", ...others] = parsed.operands.map(plainText);
  if (name !== "config") return false;
  if (has(parsed, "add unset unset-all replace-all edit e rename-section remove-section")) {
    return false;
  }
  // Behind a key all words are its values, also those with a dash.
  const end = words.indexOf(parsed.operands[0] ?? "");
  const says = (flags: string) =>
    givenAs(parsed, flags).some(({ word }) => end < 0 || words.indexOf(word) < end);
  if (
    /^(?:get|list)$/.test(first) || says("get get-all get-regexp get-urlmatch get-color")
  ) {
    return others.length === 0 || (others.length === 1 && first === "get");
  }
  if (says("list l")) return first === "";
  return end === words.length - 1 && first.includes(".");
}

/** What is dangerous about a `git` command by the settings in its words, beside what its records say. */
export function gitDangers({ parsed, sub }: Command): readonly Danger[] {
  const verb = sub?.name ?? "";
  const danger = (name: string, reason: string, ...words: readonly string[]): Danger => ({
    name,
    reason,
    words: words.map(plainText),
  });
  const dangers: Danger[] = [];
  const settings = [
    ...givenAs(parsed, "c"),
    ...sub !== undefined && verb === "clone" ? givenAs(sub.parsed, "c") : [],
  ];
  for (const { value, word } of settings) {
    const [key = "", set = "true"] = plainText(value).split(/=([^]*)/);
    if (!isHarmless(key, set)) {
      const reason = '"git" takes settings that can run programs from its words';
      dangers.push(danger("git-config", reason, word));
    }
    if (verb === "push" && /^remote\..*url$/i.test(key)) {
      dangers.push(danger("sends-data", '"git push" to an address', verb, word));
    }
  }
  if (parsed.unknown || isUnknown(verb)) {
    dangers.push(danger("git-unknown", 'what "git" does is known only at run time'));
  }
  if (sub === undefined || verb !== "config" || configReads(sub)) return dangers;
  const operands = sub.parsed.operands.map(plainText);
  const [key = "", value] = operands[0] === "set" ? operands.slice(1) : operands;
  const [wide] = givenAs(sub.parsed, "global system");
  if (wide !== undefined) {
    const reason = '"git config" changes the settings of every repository';
    dangers.push(danger("git-config", reason, verb, wide.word));
  } else if (!has(sub.parsed, "unset unset-all remove-section") && !isHarmless(key, value)) {
    dangers.push(danger("git-config", '"git config" changes what git runs', verb, key));
  }
  return dangers;
}
