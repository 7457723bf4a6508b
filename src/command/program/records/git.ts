import { ANY, TEMPORARY } from "../../words/placeholders.ts";
import { GIT_PRINTS } from "../git/git-prints.ts";
import type { DangerRule, Program } from "../program-record.ts";

/** A pathspec that leaves files out, of everything where nothing else is named. */
export const LEFT_OUT = "^:(?:[!^]|\\([^)]*\\bexclude\\b)";
/** An address for which git starts another program, `git-remote-NAME`. */
export const HELPER_ADDRESS =
  "^(?:--[\\w-]+=)?(?!(?:https?|ftps?|file|git|ssh|git\\+ssh|ssh\\+git)://)[\\w+.-]+:(?::|//)";
/** An address that is a command. */
const COMMAND_ADDRESS = "(?:^|[^a-z])ext::";
const ADDRESS = "://|^[^/]+@[^/]+:";
/** A pathspec for every file. */
const ALL = `^(?:\\.|\\./|:/|\\*|:\\([^)]*\\btop\\b[^)]*\\)|[^:]*/\\.\\./?)$|${LEFT_OUT}`;
/** What is no temporary directory. */
const KEPT = `^(?!remove$)(?:.*\\.\\.|(?!/tmp/\\w|${TEMPORARY}))`;

const RUNS = { name: "git-runs", reason: '"git" runs another program' };
const DROPS = { name: "git-branch-delete", reason: "commits are dropped" };
const RESETS = { name: "git-reset", reason: "changes are dropped" };
const ALL_CHANGES = { name: "git-checkout", reason: "changes of every file are dropped" };
const PUSHES = {
  name: "git-push-force",
  reason: '"git push" overwrites or deletes what others see',
};
const SENDS = { name: "sends-data", reason: '"git push" to an address' };
const LIST = { name: "list-file", reason: '"git" takes names from a file or its input' };
const SETTINGS = { name: "git-config", reason: '"git" keeps settings, which can name programs' };
const FORCES = "f force";

/** What any subcommand is dangerous by. */
const EVERY: readonly DangerRule[] = [
  { ...LIST, options: "pathspec-from-file stdin-paths" },
  { ...RUNS, words: COMMAND_ADDRESS },
];
/** The same for those that show what is in files. */
const FILTERS: DangerRule = { ...RUNS, options: "ext-diff textconv filters" };
/** The same for those that connect to other repositories. */
const CONNECTS: readonly DangerRule[] = [
  { ...RUNS, options: "upload-pack receive-pack x exec" },
  { ...RUNS, words: HELPER_ADDRESS },
];

/** What shows a commit or a difference; of all these subcommands only options that take the next word are listed. */
const LOG =
  "n,max-count= skip= author= committer= date= since= until= after= before= grep= L: S= G= I= O: output: diff-filter= format?= pretty?= " +
  "src-prefix= dst-prefix= *";
const STRATEGY = "s,strategy= X,strategy-option= *";
const FETCHES =
  "upload-pack: exec: depth= deepen= shallow-since= shallow-exclude= j,jobs= refmap= filter= o,server-option= ";
/** Options with which names are listed. */
const LISTS = "list contains no-contains merged no-merged points-at";
const LISTED = "contains= no-contains= merged= no-merged= points-at= sort= format= *";
/** Options with which what reads elsewhere writes, or runs something. */
const MORE =
  "output output-directory ext-diff textconv filters batch-command open-files-in-pager upload-pack exec no-index contents web lost-found";
const TEXTS = "x exec upload-pack receive-pack";

/** The subcommands of git; the name of one is a regular expression, and the first that fits holds. */
// deno-fmt-ignore
const SUBCOMMANDS: readonly Program[] = [
  { names: "log show whatchanged diff", options: LOG, operands: "name", writes: "output output-directory", readOnly: MORE, dangers: [FILTERS] },
  { names: "rev-list diff-\\w+ range-diff", options: LOG, operands: "name", writes: "output output-directory", readOnly: MORE },
  { names: "reflog", options: LOG, operands: "name", readOnly: MORE, verbs: "|show", dangers: [{ ...DROPS, verbs: "delete|expire" }] },
  { names: "shortlog", options: "author= since= until= after= before= grep= group= format?= *", operands: "name", readOnly: MORE, dangers: [FILTERS] },
  { names: "blame annotate", options: "L: S: contents: date= since= ignore-rev= ignore-revs-file: *", operands: "name", readOnly: MORE, dangers: [FILTERS] },
  { names: "cat-file", options: "*", operands: "name", readOnly: MORE, dangers: [FILTERS, { ...LIST, options: "batch batch-command" }] },
  { names: "grep", options: "e= f: A,after-context= B,before-context= C,context= m,max-count= max-depth= threads= *", operands: "name", readOnly: `${MORE} O`,
    dangers: [FILTERS, { ...RUNS, options: "O open-files-in-pager" }] },
  { names: "rev-parse name-rev merge-base show-branch count-objects var cherry verify-commit check-ref-format version fsck describe", options: "match= *", operands: "name", readOnly: MORE },
  { names: "status", options: "*", operands: "name", readOnly: MORE },
  { names: "ls-files", options: "x,exclude= X,exclude-from: exclude-per-directory: format= o,others c,cached m,modified d,deleted *", operands: "none", readOnly: MORE },
  { names: "ls-tree check-ignore check-attr for-each-ref show-ref", options: `count= ${LISTED}`, operands: "none", readOnly: MORE },
  { names: "symbolic-ref", options: "m= *", operands: "name", most: 1, readOnly: "d delete m", dangers: [{ ...DROPS, options: "d delete" }] },
  { names: "update-ref gc", options: "m= *", operands: "name", dangers: [{ ...DROPS, options: "d delete prune" }] },
  { names: "prune", options: "n,dry-run *", operands: "name", dangers: [{ ...DROPS, without: "^(?:-n|--dry-run)(?: |$)" }] },
  { names: "branch", sameOptions: "d,delete m,move c,copy f,force t,track a,all r,remotes l,list v,verbose", options: `u,set-upstream-to: ${LISTED}`, operands: "none", most: 0, shows: LISTS,
    readOnly: `${MORE} d delete D m move M c copy C f force u unset-upstream edit-description`, dangers: [
    { ...DROPS, options: "D" }, { ...DROPS, options: FORCES, words: "^(?:--de\\w*|-\\w*d\\w*)$" }] },
  { names: "tag", sameOptions: "d,delete a,annotate s,sign f,force l,list v,verify", options: `m,message= F,file: u,local-user= ${LISTED}`, operands: "none", most: 0, shows: `l ${LISTS}`, readOnly: `${MORE} d delete a s u m F f force` },
  { names: "remote", options: "t= m= *", operands: "name", readOnly: MORE, verbs: "|get-url", dangers: [...CONNECTS,
    { ...SETTINGS, reason: "an address known only at run time", verbs: "add|set-url", words: `[${ANY}]` }] },
  { names: "notes", options: "m,message= F,file: C: c: ref= *", operands: "name", readOnly: MORE, verbs: "|list|show" },
  { names: "help", options: "*", operands: "name", readOnly: `${MORE} w i info` },
  { names: "ls-remote", options: "upload-pack: exec: sort= o,server-option= *", operands: "none", texts: TEXTS, readOnly: `${MORE} u`, plain: "^(?:[\\w.-]+|refs/[\\w./*-]+)$", dangers: [...CONNECTS, { ...RUNS, options: "u" }] },
  { names: "fetch fetch-pack", sameOptions: "f,force p,prune P,prune-tags t,tags a,append n,no-tags u,update-head-ok k,keep a,all", options: `${FETCHES} *`, operands: "none", texts: TEXTS, dangers: CONNECTS },
  { names: "pull", sameOptions: "f,force p,prune t,tags a,append n,no-stat r,rebase a,all", options: FETCHES + STRATEGY, operands: "none", texts: TEXTS, dangers: CONNECTS },
  { names: "archive", options: "format= o,output: prefix= remote: exec: *", operands: "name", writes: "o", texts: TEXTS, dangers: CONNECTS },
  { names: "submodule", options: "b,branch= name= reference: depth= j,jobs= *", operands: "use", readOnly: MORE, verbs: "status", dangers: CONNECTS },
  { names: "clone", options: "template: separate-git-dir: upload-pack,u: c,config= o,origin= b,branch= j,jobs= reference: reference-if-able: depth= shallow-since= shallow-exclude= filter= *",
    operands: "use", texts: TEXTS, dangers: [...CONNECTS, { ...RUNS, options: "template separate-git-dir" }] },
  { names: "init", options: "template: separate-git-dir: b,initial-branch= *", operands: "write", dangers: [{ ...RUNS, options: "template separate-git-dir" }] },
  { names: "push send-pack", sameOptions: "f,force d,delete n,dry-run u,set-upstream q,quiet v,verbose 4,ipv4 6,ipv6", options: "repo: receive-pack: exec: o,push-option= *", operands: "none", texts: TEXTS, dangers: [...CONNECTS,
    { ...PUSHES, options: `${FORCES} force-with-lease force-if-includes d delete mirror prune` }, { ...PUSHES, words: "^[+:]", operandsAlone: true },
    { ...SENDS, words: ADDRESS, operandsAlone: true }, { ...SENDS, first: "^[\\w.-]+:" }, { ...SENDS, options: "repo", values: ADDRESS }] },
  { names: "clean", sameOptions: "f,force n,dry-run i,interactive q,quiet", options: "e,exclude= *", operands: "none", dangers: [{ name: "git-clean", reason: '"git clean" deletes files that are not tracked', options: `${FORCES} i interactive` }] },
  { names: "reset", sameOptions: "p,patch q,quiet N,intent-to-add", options: "*", operands: "none", dangers: [{ ...RESETS, options: "hard merge keep" }] },
  { names: "read-tree", options: "prefix= index-output: *", operands: "name", dangers: [{ ...RESETS, options: "reset" }] },
  { names: "checkout switch", sameOptions: "f,force,discard-changes p,patch m,merge t,track q,quiet d,detach c,create C,force-create", options: "*", operands: "none", dangers: [{ ...ALL_CHANGES, words: ALL, operandsAlone: true },
    { name: "git-checkout", reason: "changes are dropped", options: `${FORCES} discard-changes` }] },
  { names: "restore", options: "S,staged W,worktree q,quiet s,source= conflict= *", operands: "write", dangers: [{ ...ALL_CHANGES, words: ALL, operandsAlone: true, except: "S q s" }] },
  { names: "rm", sameOptions: "f,force n,dry-run q,quiet", options: "*", operands: "write", dangers: [{ ...ALL_CHANGES, options: FORCES, words: ALL, operandsAlone: true, without: "(?:^| )--cached(?: |$)" }] },
  { names: "checkout-index", options: "prefix: stage= *", operands: "use", dangers: [{ ...ALL_CHANGES, options: FORCES, words: "^(?:--al?l?|-\\w*a\\w*)$" }, { ...LIST, options: "stdin" }] },
  { names: "update-index", options: "chmod= *", operands: "name", dangers: [{ ...LIST, options: "stdin" }] },
  { names: "stash", sameOptions: "u,include-untracked a,all k,keep-index p,patch S,staged", options: "m,message= *", operands: "name", readOnly: MORE, verbs: "list|show", dangers: [FILTERS,
    { name: "git-stash-drop", reason: "stashed changes are dropped", verbs: "clear|drop" },
    { name: "git-clean", reason: "files that git ignores are taken away", options: "a all" }] },
  { names: "worktree", sameOptions: "f,force d,detach", options: "b= B= reason= *", operands: "use", readOnly: MORE, verbs: "list", dangers: [
    { name: "git-clean", reason: "files that are not committed are deleted", options: FORCES, verbs: "remove", words: KEPT, operandsAlone: true }] },
  { names: "add", sameOptions: "A,all f,force p,patch u,update i,interactive e,edit n,dry-run N,intent-to-add", options: "chmod= *", operands: "name", dangers: [{ name: "reads-secrets", reason: "files that git ignores are added", options: FORCES, words: `${ALL}|^-\\w*A|^--all$` }] },
  { names: "bundle merge-file interpret-trailers hash-object index-pack mv", options: "*", operands: "use" },
  { names: "bisect", options: "*", operands: "name", readOnly: MORE, verbs: "log" },
  { names: "config", options: "f,file: blob= type= default= comment= value= *", operands: "name" },
  { names: "maintenance", options: "*", operands: "name", dangers: [{ ...RUNS, verbs: "start" }, { ...SETTINGS, verbs: "register|unregister" }] },
  { names: "lfs", options: "I,include= X,exclude= *", operands: "name", dangers: [{ ...SETTINGS, verbs: "install" }, { ...SENDS, verbs: "push", words: ADDRESS, operandsAlone: true }] },
  { names: "commit", sameOptions: "n,no-verify a,all p,patch s,signoff S,gpg-sign q,quiet v,verbose e,edit o,only i,include u,untracked-files", options: "author= date= fixup= squash= trailer= t,template: C: c: m,message= F,file: cleanup= *", operands: "name" },
  { names: "merge", sameOptions: "s,signoff S,gpg-sign n,no-stat q,quiet e,edit", options: `m,message= F,file: into-name= cleanup= ${STRATEGY}`, operands: "name" },
  { names: "cherry-pick revert", sameOptions: "n,no-commit s,signoff S,gpg-sign e,edit", options: "m,mainline= strategy= X,strategy-option= cleanup= *", operands: "name" },
  { names: "rebase", sameOptions: "i,interactive n,no-stat f,force-rebase,no-ff r,rebase-merges S,gpg-sign", options: `x,exec: onto: C= whitespace= empty= ${STRATEGY}`, operands: "name", texts: TEXTS },
  { names: "am", sameOptions: "n,no-verify 3,3way s,signoff i,interactive", options: "directory: p= C= exclude= include= whitespace= patch-format= *", operands: "name" },
  { names: "apply", sameOptions: "3,3way R,reverse", options: "directory: p= C= exclude= include= whitespace= *", operands: "name", dangers: [{ name: "absolute-names", reason: "a patch can lead anywhere", options: "unsafe-paths" }] },
  { names: "format-patch", options: "o,output-directory: output: to= cc= subject-prefix= in-reply-to= base= signature= signature-file: *", operands: "name", writes: "o output", dangers: [FILTERS] },
  { names: "difftool", options: "x,extcmd: t= *", operands: "name", texts: "x", dangers: [RUNS, FILTERS] },
  { names: "filter-branch filter-repo for-each-repo daemon upload-pack receive-pack mergetool merge-index web--browse instaweb send-email credential(?:-\\w+)? remote-\\w+ shell fast-import p4 svn hook .*--helper",
    options: "*", operands: "name", texts: TEXTS, dangers: [RUNS] },
  { names: "[^]*", options: "C: c: m,message= F,file: *", operands: "name", texts: TEXTS },
];

/** Git: its options, and its subcommands as programs of their own. */
// deno-fmt-ignore
export const GIT: Program = { names: "git", syntax: "git", synonyms: "add,stage blame,annotate remote/remove,remote/rm stash/push,stash/save init,init-db", unpacks: "(?:^| )(?:apply|am)(?: |$)", prints: GIT_PRINTS,
  options: "C: c: git-dir: work-tree: exec-path? namespace: super-prefix: config-env: p,paginate P,no-pager no-replace-objects bare literal-pathspecs " +
  "glob-pathspecs noglob-pathspecs icase-pathspecs no-optional-locks html-path man-path info-path v,version h,help", writes: "git-dir work-tree", readOnly: "git-dir work-tree p", arity: 2,
  arities: "remote:3 stash:3 config:3 worktree:3", dangers: [
  { name: "git-config", reason: '"git" takes settings that can run programs from its words', options: "config-env exec-path git-dir work-tree" }, { ...RUNS, words: COMMAND_ADDRESS }],
  commands: SUBCOMMANDS.map((each) => ({ ...each, dangers: [...each.dangers ?? [], ...EVERY] })) };
