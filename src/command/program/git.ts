import { isUnknown, knownText, plainText, type Words } from "../words/word-marks.ts";
import type { GivenOption, ParsedOptions } from "./parse-options.ts";
import { givenAs, has, optionSpec, parseOptions, valuesOf } from "./parse-options.ts";
import type { Danger } from "../../event/analysis.ts";
import { acrossNames } from "./find.ts";
import { type ShellText, type Starting, withArguments } from "./starts.ts";
import { namedPaths, type RawUse, used } from "./uses.ts";

/** What a `git` command is and does. */
export interface GitEffects extends Starting {
  /** The subcommand and what stands behind it. */
  readonly words: Words;
  readonly dangers: readonly Danger[];
  readonly reads: boolean;
  readonly uses: readonly RawUse[];
  /** The names that it prints, as patterns. */
  readonly found: readonly string[] | undefined;
}

/** A `git` command, its options before the subcommand taken off. */
interface GitCommand {
  readonly global: readonly GivenOption[];
  /** Some option before the subcommand is not known, so the subcommand may be another word. */
  readonly unknown: boolean;
  /** Marked; absent where there is none. */
  readonly verb: string | undefined;
  readonly words: Words;
  readonly parsed: ParsedOptions;
  /** The same words where no option takes the next one: what takes it differs by subcommand. */
  readonly loose: ParsedOptions;
}

/** Options of subcommands that take the next word. */
const VALUES = optionSpec(
  "m,message: F,file: C: c: S? n,max-count: L: G: author: date: since: until: grep: format? pretty? o,output: b: B: t: " +
    "x,exec: config: contents: upload-pack: receive-pack: onto: s,strategy: X,strategy-option: output-directory: branch: depth: origin: j,jobs: reference: path: u,set-upstream,upstream",
);

/** Those of `git grep`. */
const GREP_VALUES = optionSpec(
  "e: f: A,after-context: B,before-context: C,context: m,max-count: max-depth: threads: n h H i v w c l L o q r z p W E F G P " +
    "line-number ignore-case invert-match word-regexp count files-with-matches name-only files-without-match only-matching " +
    "untracked cached no-index recurse-submodules text a I column heading break show-function function-context " +
    "extended-regexp fixed-strings basic-regexp perl-regexp and or not all-match quiet no-color color? exclude-standard",
);

/** Look at a `git` command. */
export function inspectGit(words: Words, global: ParsedOptions): GitEffects {
  const own = words.slice(global.rest);
  const [verb, ...rest] = own;
  const git: GitCommand = {
    global: global.options,
    unknown: global.unknown,
    verb: verb === undefined ? undefined : plainText(verb),
    words: rest,
    // Only what is given matters, not what the table lacks.
    parsed: parseOptions(rest, { spec: specOf(verb) }),
    loose: parseOptions(rest.filter((word) => plainText(word) !== "--"), {}),
  };
  const dangers = dangersOf(git);
  const reads = dangers.length === 0 && onlyReads(git);
  return { words: own, dangers, reads, uses: usesOf(git), found: foundBy(git), ...startsOf(git) };
}

function specOf(verb: string | undefined) {
  if (verb === "log" || verb === "config") return undefined;
  return verb === "grep" ? GREP_VALUES : VALUES;
}

/** Settings that only change how something looks, or what is written into commits. */
const HARMLESS_KEY =
  /^(?:user\.(?:name|email|signingkey)|author\.\w+|committer\.\w+|color\.[\w.]+|advice\.\w+|column\.\w+|init\.defaultbranch|pull\.\w+|push\.\w+|fetch\.\w+|rebase\.(?:auto\w+|stat)|merge\.(?:ff|conflictstyle|renames)|commit\.(?:gpgsign|verbose)|tag\.(?:gpgsign|sort)|branch\.(?:sort|[\w./-]+\.(?:remote|merge|rebase))|log\.\w+|diff\.(?:algorithm|renames\w*|context|mnemonicprefix|noprefix|colormoved)|status\.\w+|gc\.(?!recentobjectshook)\w+|core\.(?:autocrlf|eol|filemode|ignorecase|quotepath|symlinks|longpaths|abbrev|bare|precomposeunicode|safecrlf|whitespace)|safe\.directory|remote\.[\w./-]+\.(?:url|fetch|pushurl)|rerere\.enabled|feature\.\w+|help\.autocorrect|http\.postbuffer|submodule\.recurse)$/i;
/** Settings that choose what git runs or reads, whatever their values are. */
const NEVER_HARMLESS =
  /^(?:protocol\.(?!version$)|(?:url|alias|filter|credential|include(?:if)?)\.)/i;
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
  if (HARMLESS_KEY.test(key)) return true;
  return value !== undefined && HARMLESS_VALUE.test(value) && !/path|file|dir/i.test(key);
}

/** What a kind of command is dangerous by: the word that makes it so, if it has one. */
type Test = (git: GitCommand) => string | undefined;

const EXEC = "x exec";
const ALL = /^(?:\.|\.\/|:\/|\*)$/;
const ADDRESS = /:\/\/|^[^/]+@[^/]+:/;

// deno-fmt-ignore
const KINDS: readonly (readonly [verb: RegExp, test: Test, name?: string, reason?: string])[] = [
  [/^clean$/, flag("f force"), "git-clean", '"git clean" deletes files that are not tracked'],
  [/^reset$/, flag("hard merge keep"), "git-reset", '"git reset" drops changes'],
  [/^(?:checkout|restore)$/, (git) => has(git.parsed, "staged S") && given(git, "worktree W").length === 0 ? undefined : operand(ALL)(git), "git-checkout", "changes of every file are dropped"],
  [/^(?:checkout|switch)$/, flag("f force discard-changes"), "git-checkout", "changes are dropped"],
  [/^push$/, flag("f force force-with-lease force-if-includes d delete mirror prune"), "git-push-force", '"git push" overwrites or deletes what others see'],
  [/^push$/, operand(/^[+:]/), "git-push-force", '"git push" overwrites or deletes what others see'],
  [/^push$/, operand(ADDRESS), "sends-data", '"git push" to an address'],
  [/^branch$/, (git) => flag("D")(git) ?? (flag("f force")(git) && flag("d delete")(git)), "git-branch-delete", '"git branch -D" drops commits'],
  [/^worktree$/, (git) => flag("f force")(git) && operand(/^remove$/)(git), "git-clean", "files that are not committed are deleted"],
  [/^stash$/, operand(/^(?:clear|drop)$/), "git-stash-drop", "stashed changes are dropped"],
  [/^(?:update-ref|symbolic-ref|gc|prune)$/, flag("d delete prune"), "git-branch-delete", "commits are dropped"],
  [/^reflog$/, operand(/^(?:delete|expire)$/), "git-branch-delete", "commits are dropped"],
  [/^(?:filter-branch|filter-repo|for-each-repo|daemon|upload-pack|receive-pack|difftool|mergetool|merge-index|web--browse|instaweb|send-email|credential(?:-\w+)?|remote-\w+|shell|fast-import|p4|svn|hook)$/, ({ verb }) => verb],
  [/^maintenance$/, operand(/^start$/)],
  [/^maintenance$/, operand(/^(?:un)?register$/), "git-config", '"git maintenance" changes the settings of every repository'],
  // What it runs is read otherwise.
  [/^rebase$/, ({ parsed, loose }) => givenAs(loose, EXEC).length > givenAs(parsed, EXEC).length ? "-x" : undefined],
  [/^(?:init|clone)$/, flag("template")],
  [/^grep$/, flag("O open-files-in-pager")],
  [/^(?:log|show|diff|blame|cat-file|grep|shortlog|format-patch|stash|whatchanged|difftool)$/, flag("ext-diff textconv filters")],
  [/^(?:fetch|pull|clone|ls-remote|push|fetch-pack|send-pack|archive|submodule)$/, flag("upload-pack receive-pack x exec")],
  [/^(?:clone|ls-remote)$/, flag("u")],
  [/^(?:fetch|pull|clone|ls-remote|push|fetch-pack|send-pack|archive|submodule|remote)$/, ({ words }) => words.find((word) => HELPER_ADDRESS.test(plainText(word)))],
  [/./, flag("pathspec-from-file stdin-paths"), "list-file", '"git" takes paths from a file'],
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

/** Options that are given in any reading of the words. */
function given({ parsed, loose }: GitCommand, names: string): readonly GivenOption[] {
  return [...givenAs(parsed, names), ...givenAs(loose, names)];
}

function operand(test: RegExp): Test {
  return ({ parsed, loose }) =>
    [...parsed.operands, ...loose.operands].find((word) => test.test(plainText(word)));
}

/** What is dangerous about a `git` command. */
function dangersOf(git: GitCommand): readonly Danger[] {
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

/** Whether `git config` only reads: it says so, and there is nothing that it could set. */
function configReads({ parsed }: GitCommand): boolean {
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
  "version whatchanged show-ref show-branch diff-tree diff-index diff-files count-objects check-ignore check-attr var cherry range-diff verify-commit"
).split(" "));
const ENDS_READING =
  "output output-directory ext-diff textconv filters batch-command open-files-in-pager O upload-pack exec no-index contents web";
/** Subcommands that read with this first operand, except with these options. */
// deno-fmt-ignore
const READ_FORMS: readonly (readonly [verb: string, first: RegExp, not: string])[] = [
  ["branch", /^$/, "d delete D m move M c copy C f force u set-upstream-to unset-upstream edit-description"],
  ["tag", /^$/, "d delete a s u m F f force"],
  ["remote", /^(?:get-url)?$/, ""], ["stash", /^(?:list|show)$/, ""], ["worktree", /^list$/, ""], ["submodule", /^status$/, ""],
  ["bisect", /^log$/, ""], ["help", /^/, "w web i info"], ["reflog", /^(?:show|\d+)?$/, ""],
];

/** Whether a `git` command only reads. */
function onlyReads(git: GitCommand): boolean {
  const { verb, words, loose, global } = git;
  if (git.unknown || words.some(isUnknown)) return false;
  if (global.some(({ name }) => /^(?:C|git-dir|work-tree|p)$/.test(name))) return false;
  if (verb === undefined) return global.some(({ name }) => name === "v" || name === "h");
  if (given(git, ENDS_READING).length > 0) return false;
  const first = plainText(loose.operands[0]);
  return READS.has(verb) || (verb === "config" && configReads(git)) ||
    READ_FORMS.some(([of, form, not]) =>
      of === verb && form.test(first) && (first === "" || plainText(words[0]) === first) &&
      given(git, not).length === 0
    );
}

/** Options with which names of files stay names of files, and nothing else is printed. */
const KEEPS_NAMES =
  /^(?:[zcmdorliwEFPGeI]|cached|modified|deleted|others|exclude-standard|staged|diff-filter|relative|ignore-case|name-only|files-with-matches|untracked)$/;

/** The names that a `git` command prints, as patterns. */
function foundBy({ verb = "", global, parsed }: GitCommand): readonly string[] | undefined {
  const names = verb === "ls-files" ||
    (verb === "grep" && has(parsed, "l files-with-matches name-only")) ||
    (/^diff(?:-\w+)?$/.test(verb) && has(parsed, "name-only"));
  if (!names || global.length > 0 || !parsed.options.every(({ name }) => KEEPS_NAMES.test(name))) {
    return undefined;
  }
  const operands = parsed.operands.map(plainText).slice(verb === "grep" ? 1 : 0)
    .filter((each) => !/^:(?:[!^]|\(exclude\))/.test(each));
  if (operands.some((each) => each.startsWith(":") || isUnknown(each))) return undefined;
  const fitting = operands.flatMap((each) =>
    /[*?[]/.test(each) ? acrossNames(each) : [each, `${each}/**/*`]
  );
  // What has changed is seldom hidden.
  if (verb.startsWith("diff")) return ["./*", ...fitting];
  return fitting.length > 0 ? fitting : ["**/*"];
}

/** What a `git` command starts, and the text that it hands to a shell. */
function startsOf({ verb, words, parsed, global }: GitCommand): Starting {
  const texts = valuesOf(parsed, `${EXEC} upload-pack receive-pack`)
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

/** Subcommands that say nothing of what is in the files that their operands name. */
const SHOWS_NAMES =
  /^(?:rm|check-ignore|check-attr|status|ls-files|ls-tree|checkout|switch|restore|reset|clean|branch|tag)$/;
/** Options with which `git log` and `git diff` show nothing of what is in files, and those that make it so. */
const NAMES_ONLY =
  /^(?:\d+|n|oneline|max-count|format|pretty|graph|all|branches|since|until|after|before|author|follow|decorate|date|reverse|merges|no-merges|first-parent|diff-filter|abbrev-commit|cached|staged|stat|shortstat|numstat|name-only|name-status|quiet)$/;
const SUMMARY = /^(?:stat|shortstat|numstat|name-only|name-status|quiet)$/;

const WRITES = /^(?:archive|diff|diff-\w+|format-patch|log|show|whatchanged)$/;

/** What can be a protected file, and is no branch. */
const PROTECTED = /(?:^|\/)(?:\.[^./]|hooks\/)/;

/** `:(top)FILE`, but not what is left out. */
const MAGIC = /^:\((?!exclude)[^)]*\)/;

/** The paths that a `git` command names; an operand can also be a file of a revision, as in `HEAD:FILE`. */
function usesOf(git: GitCommand): readonly RawUse[] {
  const { verb = "", words, parsed, loose } = git;
  const isMessage = /^(?:commit|tag|merge|stash|notes|revert|cherry-pick|am)$/.test(verb);
  const values = parsed.options.flatMap(({ name, value, word }) =>
    /^(?:message|author|date|grep|format|pretty|S|G)$/.test(name) || /^-[SG]/.test(word) ||
      (name === "m" && isMessage)
      ? []
      : [value ?? word]
  );
  const searches = verb === "grep" && !has(parsed, "e f");
  const operands = parsed.operands.slice(searches ? 1 : 0).map((word) => word.replace(MAGIC, ""));
  const names = parsed.options.map(({ name }) => name);
  const diffs = verb === "status" && given(git, "v verbose").length > 0;
  const shows = (SHOWS_NAMES.test(verb) && !diffs) ||
    (names.every((name) => NAMES_ONLY.test(name)) &&
      (verb === "log" || (verb === "diff" && names.some((name) => SUMMARY.test(name)))));
  // What `git diff` or `git archive` writes; elsewhere `-o` is another option.
  const written = WRITES.test(verb) ? valuesOf(parsed, "o output output-directory") : [];
  const dashes = words.findIndex((word) => plainText(word) === "--");
  const all = (dashes >= 0 ? words.slice(dashes + 1) : loose.operands)
    .map((word) => word.replace(MAGIC, ""));
  const isStaged = given(git, "S staged").length > 0 && given(git, "W worktree").length === 0;
  const restored = /^(?:checkout|rm)$/.test(verb) || (verb === "restore" && !isStaged)
    // What stands in front of dashes can be a branch.
    ? all.filter((word) => dashes >= 0 || verb !== "checkout" || PROTECTED.test(plainText(word)))
    : [];
  const away = operands.map((word) => word.replace(/^file:\/\//, ""))
    .filter((word) => /^[/~]|(?:^|\/)\.\.(?:\/|$)/.test(plainText(word)));
  return [
    ...used([...written, ...restored], "write"),
    ...namedPaths([...away, ...values], "use"),
    ...namedPaths(shows ? [] : operands, "name"),
  ];
}
