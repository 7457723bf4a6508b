import { GIVEN, OUTSIDE, SEVERAL, UNKNOWN } from "../words/placeholders.ts";
import {
  isMany,
  isPattern,
  isUnknown,
  PLACEHOLDERS,
  plainText,
  type Words,
} from "../words/word-marks.ts";
import type { ParsedOptions } from "./parse-options.ts";
import { type Started, withUnknown } from "./starts.ts";
import type { RawUse } from "./uses.ts";

const WRITES = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);
const READS = /^-(?:(?:a|c)?newer|newer[aBcm][aBcm]|samefile|files0-from)$/;
const ACTIONS = /^-(?:exec|execdir|ok|okdir)$/;

const ANY_EXPRESSION = new RegExp(
  String.raw`\0-[^]*\0(?:[^-\0][^\0]*\0${OUTSIDE}|[^\0]*[${SEVERAL}])`,
);

/** The commands that `find` and `fd` start. */
export function findStarted(name: string, words: Words): readonly Started[] {
  if (name !== "find") return fdStarted(words);
  const started: Started[] = [];
  // Behind a test, words that are known only at run time can be any expression.
  if (ANY_EXPRESSION.test(`\0${words.join("\0")}`)) {
    started.push({ words: [UNKNOWN], sure: false });
  }
  for (let at = 0; at < words.length; at++) {
    if (!ACTIONS.test(plainText(words[at]))) continue;
    const from = at + 1;
    for (at = from; at < words.length; at++) {
      const word = plainText(words[at]);
      if (word === ";" || (word === "+" && plainText(words[at - 1]) === "{}")) break;
    }
    const inner = withUnknown(words.slice(from, at), ["{}"]);
    const elsewhere = /dir$/.test(plainText(words[from - 1]));
    if (inner.length > 0) started.push({ words: inner, sure: true, elsewhere });
  }
  return started;
}

/** The option behind which a command stands, also behind others in one word. */
const FD_STARTS = /^(?:-[HIusigFaLplq01]*[xX]|--exec(?:-batch)?(?:=|$))([^]*)$/;

/** The words of `fd` before the command that it starts. */
export function fdWords(words: Words): readonly string[] {
  const at = words.findIndex((word) => FD_STARTS.test(plainText(word)));
  return at < 0 ? words : words.slice(0, at);
}

function fdStarted(words: Words): readonly Started[] {
  const at = fdWords(words).length;
  if (at === words.length) return [];
  const glued = FD_STARTS.exec(words[at] ?? "")?.[1]?.replace(/^=/, "") || [];
  const rest = [glued, ...words.slice(at + 1)].flat();
  const end = rest.findIndex((word) => plainText(word) === ";");
  const inner = rest.slice(0, end < 0 ? undefined : end).map((word) =>
    plainText(word) === "{}" ? GIVEN : /[{}]/.test(plainText(word)) ? UNKNOWN : word
  );
  const others = end < 0 ? [] : fdStarted(rest.slice(end + 1));
  return inner.length === 0 ? others : [{ words: [...inner, GIVEN], sure: true }, ...others];
}

/** The paths that `find` names; below them it reads, or deletes. */
export function findUses(words: Words): readonly RawUse[] {
  const uses: RawUse[] = [];
  const access = words.some((word) => plainText(word) === "-delete") ? "write" : "read";
  let at = 0;
  while (/^-(?:[HLP]|O\d*|D)$/.test(words[at] ?? "")) at += words[at] === "-D" ? 2 : 1;
  if (words[at] === "--") at++;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (/^[-(!]/.test(plainText(word)) || word === ",") break;
    uses.push({ access, marked: word });
  }
  if (uses.length === 0 && access === "write") uses.push({ access, marked: "." });
  if (access === "write") {
    const found = below(uses.map(({ marked }) => marked), namesIn(words.map(plainText)));
    uses.push(...found.map((marked): RawUse => ({ access, marked })));
  }
  for (; at < words.length; at++) {
    const word = plainText(words[at]);
    const value = words[at + 1];
    if (value === undefined) continue;
    if (WRITES.has(word)) uses.push({ access: "write", marked: value });
    else if (READS.test(word)) uses.push({ access: "read", marked: value });
  }
  return uses;
}

/** Whether `find` deletes what has any name. */
export function deletesAll(words: Words): boolean {
  const texts = words.map(plainText);
  return texts.includes("-delete") && namesIn(texts).includes("**/*");
}

/** What fits some names below where a search starts. */
function below(starts: readonly string[], fitting: readonly string[]): readonly string[] {
  return (starts.length === 0 ? ["."] : starts).flatMap((start) =>
    (fitting.length === 0 ? ["**/*"] : fitting).map((each) => `${start}/${each}`)
  );
}

/** What the names of the files fit that a search is told to look at. */
export function chosenGlobs(options: ParsedOptions["options"]): readonly string[] {
  return options.flatMap(({ name, value = "" }) => {
    const glob = plainText(value).toLowerCase();
    if (name === "G") return hiddenLike(plainText(value)).map((each) => `**/${each}`);
    if (!/^(?:g|i?glob|include)$/.test(name) || glob.startsWith("!") || glob === "") return [];
    return withDots(`**/${glob.replace(/^\//, "")}`);
  });
}

/** The names that a program prints, as patterns; `undefined` where it prints other text, too. */
export function foundNames(
  name: string,
  words: Words,
  { options, operands, unknown }: ParsedOptions,
): readonly string[] | undefined {
  const has = (test: RegExp) => options.some((option) => test.test(option.name));
  const globs = chosenGlobs(options);
  if (name === "find") {
    if (words.some((word, at) => printsText(plainText(word), words[at + 1]))) return undefined;
    const starts = findUses(words).map(({ marked }) => marked);
    const first = starts.filter((marked) => words.indexOf(marked) < 9);
    // A file where it starts is found, too.
    const files = first.filter((marked) => !/^\.{0,2}$|\/$/.test(marked));
    return [...files, ...below(first, namesIn(words.map(plainText)))];
  }
  if (name === "echo" || name === "printf") return spelledNames(name, words);
  if (/^[ef]?grep$/.test(name) && has(/^l$/)) {
    return has(/^label$/) ? undefined : below(operands.slice(1), globs);
  }
  if (unknown) return undefined;
  // These leave hidden files out, and so what is in `.git`.
  const fitting = has(/^(?:H|hidden|u)$/) ? [] : ["*"];
  // Where it starts is asked about by itself.
  if (/^fd/.test(name)) {
    if (has(/^l$/)) return undefined;
    const [first = ""] = has(/^(?:H|u)$/) ? operands : [];
    const text = plainText(first).replaceAll(PLACEHOLDERS, ".*");
    const named = has(/^(?:g|glob)$/) ? withDots(text.toLowerCase()) : hiddenLike(text);
    const like = named.map((each) => `**/${each}`);
    return below([], [...fitting, ...first === "" ? [] : ["**/*", ...like]]);
  }
  if (/^(?:rg|ag|ack)$/.test(name) && has(/^(?:l|files|files-without-match)$/)) {
    return below(operands.slice(has(/^(?:e|f|files)$/) ? 0 : 1), [...fitting, ...globs]);
  }
  if (name === "ls" && !has(/^(?:[aAflngoF]|full-time|format)$/)) {
    // Of a directory it prints what is in it.
    const areFiles = operands.length > 0 && operands.every((each) => /\*\.\w+$/.test(each));
    return areFiles ? operands : [...operands, "./*"];
  }
  return undefined;
}

/** The patterns that `echo` prints, and `printf '%s\n'`. */
function spelledNames(name: string, words: Words): readonly string[] | undefined {
  const separates = name === "echo" || /^%s(?:\\[n0]| )$/.test(plainText(words[0]));
  const names = name === "echo" ? words : words.slice(1);
  const isNames = names.some(isPattern) &&
    names.every((word) => !/^-|[\s"'\\]/.test(plainText(word)) && !isUnknown(word));
  return separates && isNames ? names : undefined;
}

/** Whether an action of `find` prints something else than names. */
function printsText(action: string, format: string | undefined): boolean {
  if (action === "-printf") return !/^(?:%[pPf](?:\\n|\\0)?)+$/.test(plainText(format));
  return /^-(?:ls|fls|fprintf)$/.test(action);
}

const NAMED = /\0-(i?name|i?path|i?wholename|i?regex)\0([^\0]*)/g;

const NEGATED = /\0(?:!|-not)\0-i?(?:name|path|wholename|regex)\0[^\0]*/g;
/** What stands behind these restricts nothing. */
const PRINTS_FIRST =
  /\0(?:-(?:print0?|f?ls|delete)|,)(?=\0)[^]*\0-i?(?:name|path|wholename|regex)\0/;

/** What the names that `find` prints fit, by the branches of `-o`; none: any. */
function namesIn(words: Words): readonly string[] {
  const all = ["", ...words].join("\0");
  const stripped = all.replace(NEGATED, "");
  const text = /\0(?:!|-not)(?=\0|$)/.test(stripped) ? all : stripped;
  const prunes = !/\0\((?=\0)/.test(text) && /\0-(?:print|exec|ok|f?ls)/.test(text);
  const branches = text.split(/\0-or?(?=\0)/)
    .filter((branch) => !prunes || !branch.endsWith("\0-prune"));
  return branches.flatMap((branch) => {
    const named = [...branch.matchAll(NAMED)].flatMap(([, kind = "", value = ""]) => {
      const pattern = (/regex/.test(kind) ? value.replaceAll(".*", "*") : value).toLowerCase();
      if (/^i?name$/.test(kind)) return withDots(`**/${pattern}`);
      const expression = /regex/.test(kind) ? value : asExpression(value);
      const hidden = hiddenLike(expression).map((each) => `**/${each}`);
      return [...acrossNames(pattern), ...hidden];
    });
    return named.length === 0 || PRINTS_FIRST.test(branch) ? ["**/*", ...named] : named;
  });
}

/** A pattern of paths as regular expression. */
function asExpression(pattern: string): string {
  const plain = pattern.replace(/[.+^${}()|\\]/g, "\\$&");
  return `^${plain.replaceAll("*", ".*").replaceAll("?", ".")}$`;
}

/** Names of every kind that is protected, with which regular expressions are tried. */
const HIDDEN =
  ".env .env.local .netrc .pgpass .git-credentials .ssh/x .aws/x .gnupg/x .kube/x .envrc .npmrc .bashrc .profile .git/x .git/hooks/pre-commit .vscode/x .husky/x .claude/x"
    .split(" ");

/** The end of a regular expression that says nothing of a name. */
const ANY = /^(?:\.\*)?\$?$/;

/** The hidden names that a regular expression means; none for one that fits any name. */
export function hiddenLike(expression: string): readonly string[] {
  const plain = expression.replaceAll("\\|", "|");
  // What could take long is not tried.
  if ((plain.match(/[*+?{]/g)?.length ?? 0) > 6 || /\)[*+?{]/.test(plain)) return HIDDEN;
  try {
    const [, name] = /\/([^/]+)$/.exec(plain) ?? [];
    const all = new RegExp(
      name === undefined || ANY.test(name) ? plain : `${plain}|^(?:${name})`,
      "i",
    );
    const fits = (each: string) => all.test(each) || all.test(`./${each}`);
    return fits("q") ? [] : HIDDEN.filter(fits);
  } catch {
    return HIDDEN;
  }
}

/** A pattern whose `*` fits slashes, too. */
export function acrossNames(pattern: string): readonly string[] {
  const below = `**/${pattern.replace(/^\.\//, "")}`;
  const star = /(?<!\*)\*(?!\*)/g;
  return [...withDots(below), ...star.test(pattern) ? withDots(below.replace(star, "*/**/*")) : []];
}

/** A pattern, and what it fits where it stands for a leading dot, too; `*.ts` is seldom meant for `.env.ts`. */
export function withDots(pattern: string): readonly string[] {
  const [, before, choices, after = ""] = /^([^{]*)\{([^{}]*)\}([^{]*)$/.exec(pattern) ?? [];
  if (choices !== undefined && choices.length < 100) {
    return choices.split(",").flatMap((each) => withDots(`${before}${each}${after}`));
  }
  const plain = pattern.replace(/\\([^])/g, "$1")
    .replace(/\{[^{}]*\}/g, (group) => /[{,]\./.test(group) ? ".*" : "*");
  const dotted = plain.split("/").map((name) => {
    if (name.startsWith("?")) return `.${name.slice(1)}`;
    if (name.startsWith("*") && !/^\*+$/.test(name)) {
      return /^\*+(?:[^*?[]*[^v*?[])?\.(?!(?:local|dev|prod|test|stag)\w*$)/.test(name)
        ? name.replace(/^\*+/, "")
        : `.${name}`;
    }
    const set = /^\[[!^]?\]?[^\]]*\]/.exec(name)?.[0];
    const fitsDot = set !== undefined && (/^\[[!^]|\./.test(set) || set.includes("[:") ||
      [...set.matchAll(/(.)-(.)/gu)].some(([, from = "", to = ""]) => from <= "." && to >= "."));
    return fitsDot ? `.${name.slice(set.length)}` : name;
  }).join("/");
  return dotted === plain ? [plain] : [plain, dotted];
}

const CHANGES = /^-(?:delete|fls|fprint0?|fprintf|files0-from)$/;

/** Whether `find` only reads; what it executes is judged on its own. */
export function findReads(name: string, words: Words, { options }: ParsedOptions): boolean {
  if (name === "find") return !words.some((word) => CHANGES.test(plainText(word)));
  return !options.some((option) => option.name === "l") && !words.some(isMany);
}
