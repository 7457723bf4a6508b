import type { Danger } from "../../../event/analysis.ts";
import { TEMPORARY } from "../../words/placeholders.ts";
import { isUnknown, plainText } from "../../words/word-marks.ts";
import { givenAs, has } from "../parse-options.ts";
import { configReads } from "./git-reads.ts";
import { type GitCommand, given, LEFT_OUT } from "./git-command.ts";

/** Settings that only change how something looks, or what is written into commits. */
const HARMLESS_KEY =
  /^(?:user\.(?:name|email|signingkey)|author\.\w+|committer\.\w+|color\.[\w.]+|advice\.\w+|column\.\w+|init\.defaultbranch|pull\.\w+|push\.\w+|fetch\.\w+|rebase\.(?:auto\w+|stat)|merge\.(?:ff|conflictstyle|renames)|commit\.(?:gpgsign|verbose)|tag\.(?:gpgsign|sort)|branch\.(?:sort|[\w./-]+\.(?:remote|merge|rebase))|log\.\w+|diff\.(?:algorithm|renames\w*|context|mnemonicprefix|noprefix|colormoved)|status\.\w+|gc\.(?!recentobjectshook)\w+|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath|symlinks|longpaths|abbrev|bare|precomposeunicode|safecrlf|whitespace)|safe\.directory|remote\.[\w./-]+\.(?:url|fetch|pushurl)|rerere\.enabled|feature\.\w+|http\.postbuffer|submodule\.recurse)$/i;
/** Settings that choose what git runs, reads, overwrites or deletes, whatever their values are. */
const NEVER_HARMLESS =
  /^(?:protocol\.(?!version$)|(?:url|alias|filter|credential|include(?:if)?)\.|remote\..*\.(?:mirror|push|vcs)$|clean\.requireforce$|help\.autocorrect$)/i;
/** An address that is a command. */
const COMMAND_ADDRESS = /(?:^|[^a-z])ext::/i;
/** An address for which git starts another program, `git-remote-NAME`. */
const HELPER_ADDRESS =
  /^(?:--[\w-]+=)?(?!(?:https?|ftps?|file|git|ssh|git\+ssh|ssh\+git):\/\/)[\w+.-]+:(?::|\/\/)/i;
/** Values that switch something off, or name a program that does nothing. */
const HARMLESS_VALUE = /^(?:true|false|yes|no|on|off|cat|always|never|auto|\d*)$/i;

function isHarmless(key: string, value: string | undefined): boolean {
  if (isUnknown(key) || NEVER_HARMLESS.test(key)) return false;
  if (/url$/i.test(key)) {
    return value !== undefined && !/^-/.test(value) && !HELPER_ADDRESS.test(value) &&
      !isUnknown(value);
  }
  // The name of a remote can be an address.
  if (/^branch\..*\.(?:remote|pushremote)$/i.test(key) && /:/.test(value ?? "")) return false;
  if (HARMLESS_KEY.test(key)) return true;
  return value !== undefined && HARMLESS_VALUE.test(value) && !/path|file|dir/i.test(key);
}

/** What a kind of command is dangerous by: the word that makes it so, if it has one. */
type Test = (git: GitCommand) => string | undefined;
const EXEC = "x exec";
/** Whether what is removed could be more than a temporary directory. */
const isKept = (word: string) =>
  word !== "remove" && (/\.\./.test(word) || !new RegExp(`^(?:/tmp/\\w|${TEMPORARY})`).test(word));
const ALL = new RegExp(
  `^(?:\\.|\\./|:/|\\*|:\\([^)]*\\btop\\b[^)]*\\)|[^:]*/\\.\\./?)$|${LEFT_OUT.source}`,
);
const ADDRESS = /:\/\/|^[^/]+@[^/]+:/;
/** The first operand of a push is no refspec. */
const HOST_PATH = /^[\w.-]+:/;

// deno-fmt-ignore
const KINDS: readonly (readonly [verb: RegExp, test: Test, name?: string, reason?: string])[] = [
  [/^clean$/, flag("f force i interactive"), "git-clean", '"git clean" deletes files that are not tracked'],
  [/^reset$/, flag("hard merge keep"), "git-reset", '"git reset" drops changes'],
  [/^(?:checkout|restore)$/, (git) => has(git.parsed, "staged S") && given(git, "worktree W").length === 0 ? undefined : operand(ALL)(git), "git-checkout", "changes of every file are dropped"],
  [/^rm$/, (git) => has(git.parsed, "cached") ? undefined : flag("f force")(git) && operand(ALL)(git), "git-checkout", "changes of every file are dropped"],
  [/^checkout-index$/, (git) => flag("f force")(git) && flag("a all")(git), "git-checkout", "changes of every file are dropped"],
  [/^read-tree$/, flag("reset"), "git-reset", "changes are dropped"],
  [/^(?:checkout|switch)$/, flag("f force discard-changes"), "git-checkout", "changes are dropped"],
  [/^(?:push|send-pack)$/, flag("f force force-with-lease force-if-includes d delete mirror prune"), "git-push-force", '"git push" overwrites or deletes what others see'],
  [/^push$/, operand(/^[+:]/), "git-push-force", '"git push" overwrites or deletes what others see'],
  [/^push$/, (git) => operand(ADDRESS)(git) ?? git.parsed.operands.slice(0, 1).find((word) => HOST_PATH.test(plainText(word))) ?? given(git, "repo").find(({ value }) => ADDRESS.test(plainText(value)))?.word, "sends-data", '"git push" to an address'],
  [/^push$/, ({ global }) => global.find(({ value }) => /^remote\..*url=/i.test(plainText(value)))?.word, "sends-data", '"git push" to an address'],
  [/^branch$/, (git) => flag("D")(git) ?? (flag("f force")(git) && flag("d delete")(git)), "git-branch-delete", '"git branch -D" drops commits'],
  [/^worktree$/, (git) => flag("f force")(git) && git.parsed.operands.some(isKept) ? operand(/^remove$/)(git) : undefined, "git-clean", "files that are not committed are deleted"],
  [/^stash$/, operand(/^(?:clear|drop)$/), "git-stash-drop", "stashed changes are dropped"],
  [/^(?:update-ref|symbolic-ref|gc|prune)$/, flag("d delete prune"), "git-branch-delete", "commits are dropped"],
  [/^reflog$/, operand(/^(?:delete|expire)$/), "git-branch-delete", "commits are dropped"],
  [/^(?:filter-branch|filter-repo|for-each-repo|daemon|upload-pack|receive-pack|difftool|mergetool|merge-index|web--browse|instaweb|send-email|credential(?:-\w+)?|remote-\w+|shell|fast-import|p4|svn|hook|.*--helper)$/, ({ verb }) => verb],
  [/^maintenance$/, operand(/^start$/)],
  [/^maintenance$/, operand(/^(?:un)?register$/), "git-config", '"git maintenance" changes the settings of every repository'],
  // What it runs is read otherwise.
  [/^rebase$/, ({ parsed, loose }) => givenAs(loose, EXEC).length > givenAs(parsed, EXEC).length ? "-x" : undefined],
  [/^(?:init|clone)$/, flag("template separate-git-dir")],
  [/^lfs$/, operand(/^install$/), "git-config", '"git lfs" writes hooks and settings'],
  [/^grep$/, flag("O open-files-in-pager")],
  [/^(?:log|show|diff|blame|cat-file|grep|shortlog|format-patch|stash|whatchanged|difftool)$/, flag("ext-diff textconv filters")],
  [/^(?:fetch|pull|clone|ls-remote|push|fetch-pack|send-pack|archive|submodule)$/, flag("upload-pack receive-pack x exec")],
  [/^(?:clone|ls-remote)$/, flag("u")],
  [/^(?:fetch|pull|clone|ls-remote|push|fetch-pack|send-pack|archive|submodule|remote)$/, ({ words }) => words.find((word) => HELPER_ADDRESS.test(plainText(word)))],
  [/./, flag("pathspec-from-file stdin-paths"), "list-file", '"git" takes paths from a file'],
  [/^cat-file$/, flag("batch batch-command"), "list-file", '"git" takes objects from its input'],
  [/^apply$/, flag("unsafe-paths"), "absolute-names", "a patch can lead anywhere"],
  [/^(?:update-index|checkout-index)$/, flag("stdin"), "list-file", '"git" takes paths from a file'],
  [/./, ({ global, words }) => [...global.flatMap(({ value, word }) => [word, value ?? ""]), ...words].find((word) => COMMAND_ADDRESS.test(plainText(word)))],
];

/** The names of what can be dangerous about a `git` command. */
export const GIT_DANGERS: readonly string[] = [
  "git-config",
  "git-unknown",
  ...KINDS.map(([, , name = "git-runs"]) => name),
];

function flag(names: string): Test {
  return (git) => given(git, names)[0]?.word;
}

function operand(test: RegExp): Test {
  return ({ parsed, loose }) =>
    [...parsed.operands, ...loose.operands].find((word) => test.test(plainText(word)));
}

/** What is dangerous about a `git` command. */
export function gitDangers(git: GitCommand): readonly Danger[] {
  const { verb, global, unknown, parsed, words } = git;
  const dangers: Danger[] = [];
  const add = (name: string, reason: string, ...spelled: readonly string[]) =>
    dangers.push({ name, reason, words: spelled.map(plainText) });
  const settings = verb === "clone" ? givenAs(parsed, "c config") : [];
  for (const { name, value, word } of [...global, ...settings]) {
    const [key = "", set = "true"] = plainText(value).split(/=([^]*)/);
    if (/^(?:c|config)$/.test(name) && isHarmless(key, set)) continue;
    if (!/^(?:c|config|config-env|exec-path|git-dir|work-tree)$/.test(name)) continue;
    add("git-config", '"git" takes settings that can run programs from its words', word);
  }
  if (unknown || isUnknown(verb)) {
    add("git-unknown", 'what "git" does is known only at run time');
  }
  if (verb === undefined) return dangers;
  for (const [of, test, name = "git-runs", reason] of KINDS) {
    const word = of.test(verb) ? test(git) : undefined;
    if (word !== undefined) add(name, reason ?? `"git ${verb}" runs another program`, verb, word);
  }
  const operands = parsed.operands.map(plainText);
  if (verb === "config" && !configReads(git)) {
    const [key = "", value] = operands[0] === "set" ? operands.slice(1) : operands;
    const [wide] = given(git, "global system");
    if (wide !== undefined) {
      add("git-config", '"git config" changes the settings of every repository', verb, wide.word);
    } else if (!has(parsed, "unset unset-all remove-section") && !isHarmless(key, value)) {
      add("git-config", '"git config" changes what git runs', verb, key);
    }
  }
  if (verb === "remote" && /^(?:add|set-url)$/.test(operands[0] ?? "") && words.some(isUnknown)) {
    add("git-config", "an address known only at run time", verb);
  }
  return dangers;
}
