import { GIVEN, OUTSIDE, SEVERAL, UNKNOWN } from "../../words/placeholders.ts";
import { isMany, isUnknown, plainText, type Words } from "../../words/word-marks.ts";
import type { ParsedOptions } from "../parse-options.ts";
import { MOST_READINGS, type Started, withUnknown } from "../starts.ts";
import type { RawUse } from "../taken-apart.ts";
import { used } from "../uses.ts";
import { acrossNames, asExpression, hiddenLike, withDots } from "./name-patterns.ts";

const WRITES = /^-(?:fprint0?|fls|fprintf)$/;
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
  // What looks like an action can be the value of a test, in front of the action itself.
  const texts = words.map(plainText);
  for (const [at, action] of texts.entries()) {
    if (!ACTIONS.test(action) || started.length >= MOST_READINGS) continue;
    const end = texts.findIndex((text, place) =>
      place > at && (text === ";" || (text === "+" && texts[place - 1] === "{}"))
    );
    const inner = withUnknown(words.slice(at + 1, end < 0 ? undefined : end), ["{}"]);
    const elsewhere = /dir$/.test(action);
    if (inner.length > 0) started.push({ words: inner, sure: true, elsewhere });
  }
  return started;
}

/** The option behind which a command stands, also behind others in one word. */
const FD_STARTS = /^(?:-[HIusigFaLplq01]*[xX]|--exec(?:-batch)?(?:=|$))([^]*)$/;

/** The words of `fd` around the commands that it starts. */
export function fdWords(words: Words): readonly string[] {
  const at = words.findIndex((word) => FD_STARTS.test(plainText(word)));
  if (at < 0) return words;
  const end = words.findIndex((word, place) => place > at && plainText(word) === ";");
  return [...words.slice(0, at), ...end < 0 ? [] : fdWords(words.slice(end + 1))];
}

function fdStarted(words: Words): readonly Started[] {
  const at = words.findIndex((word) => FD_STARTS.test(plainText(word)));
  if (at < 0) return [];
  const glued = FD_STARTS.exec(words[at] ?? "")?.[1]?.replace(/^=/, "") || [];
  const rest = [glued, ...words.slice(at + 1)].flat();
  const end = rest.findIndex((word) => plainText(word) === ";");
  const inner = rest.slice(0, end < 0 ? undefined : end).map((word) =>
    plainText(word) === "{}" ? GIVEN : /[{}]/.test(plainText(word)) ? UNKNOWN : word
  );
  const others = end < 0 ? [] : fdStarted(rest.slice(end + 1));
  return inner.length === 0 ? others : [{ words: [...inner, GIVEN], sure: true }, ...others];
}

/** The words of `find`, behind its first options: where it starts, and its tests and actions. */
export function readFind(words: Words): { readonly starts: Words; readonly expression: Words } {
  let from = 0;
  while (/^-(?:[HLP]|O\d*|D)$/.test(words[from] ?? "")) from += words[from] === "-D" ? 2 : 1;
  const own = words.slice(words[from] === "--" ? from + 1 : from);
  const end = own.findIndex((word) => /^-|^[(!,]$/.test(plainText(word)));
  return end < 0
    ? { starts: own, expression: [] }
    : { starts: own.slice(0, end), expression: own.slice(end) };
}

/** The paths that `find` names; below them it reads, or deletes. */
export function findUses(words: Words): readonly RawUse[] {
  const { starts, expression } = readFind(words);
  const behind = (tests: RegExp) =>
    expression.filter((_, at) => tests.test(plainText(expression[at - 1])));
  const named = [...used(behind(WRITES), "write"), ...used(behind(READS), "read")];
  if (!words.some((word) => plainText(word) === "-delete")) {
    return [...used(starts, "read"), ...named];
  }
  const all = starts.length === 0 ? ["."] : starts;
  const found = findsEmpty(words) ? [] : below(all, namesFitting(words.map(plainText)));
  // What is found through a link is elsewhere.
  const elsewhere = followsLinks(words) ? [UNKNOWN] : [];
  return [...used([...all, ...found, ...elsewhere], "write"), ...named];
}

/** Whether it looks behind links. */
export function followsLinks(words: Words): boolean {
  // `-L` of what it starts is that of another program.
  const found = words.map(plainText).find((word) =>
    /^-(?:L|follow)$/.test(word) || ACTIONS.test(word)
  );
  return words.includes("-follow") || found === "-L";
}

/** Whether `find` deletes files whatever their names are, and not only below directories that are named. */
export function deletesAll(words: Words): boolean {
  const texts = words.map(plainText);
  const { starts } = readFind(words);
  const isNamed = words[0] === starts[0] && !texts.includes(",") &&
    starts.every((start) => NAMED_START.test(plainText(start)));
  return texts.includes("-delete") && !isNamed && !findsEmpty(words) &&
    namesFitting(texts).includes("**/*");
}

const NAMED_START = /^(?!.*\.\.)(?:\.\/|\/tmp\/)?\w[\w./-]*$/;

/** Whether only directories are found that hold nothing: all that stands behind the starts says so. */
function findsEmpty(words: Words): boolean {
  return EMPTY.test(["", ...words.map(plainText)].join("\0").replace(NEGATED, ""));
}

const EMPTY =
  /^(?:\0[^(!,\0-][^\0]*)*\0-(?:type\0d\0-empty|empty\0-type\0d)\0(?:-print\0)?-delete$/;

/** What fits some names below where a search starts. */
export function below(starts: readonly string[], fitting: readonly string[]): readonly string[] {
  return (starts.length === 0 ? ["."] : starts).flatMap((start) =>
    (fitting.length === 0 ? ["**/*"] : fitting).map((each) => `${start}/${each}`)
  );
}

const NAMED = /\0-(i?name|i?path|i?wholename|i?regex|inum)\0([^\0]*)/g;

const NEGATED = /\0(?:!|-not)\0-i?(?:name|path|wholename|regex)\0[^\0]*/g;
/** What stands behind these restricts nothing. */
const PRINTS_FIRST =
  /\0(?:-(?:print0?|f?ls|delete|printf\0[^\0]*)|,)(?=\0)[^]*\0-i?(?:name|path|wholename|regex)\0/;

/** With more words than this, a search can find any name. */
const MOST_WORDS = 200;

/** What the names that `find` prints fit, by the branches of `-o`; none: any. */
export function namesFitting(words: Words): readonly string[] {
  const all = ["", ...words, ""].join("\0");
  // What a comma, a negated group or a negated negation makes of tests is not followed.
  if (words.length > MOST_WORDS || /\0,\0|\0(?:!|-not)\0(?:\(|!|-not)\0/.test(all)) return ["**/*"];
  const text = all.replace(NEGATED, "");
  const prunes = !/\0\((?=\0)/.test(text) && /\0-(?:print|exec|ok|f?ls)/.test(text);
  const branches = text.split(/\0-or?(?=\0)/)
    .filter((branch) => !prunes || !branch.endsWith("\0-prune"));
  return branches.flatMap((branch) => {
    const named = [...branch.matchAll(NAMED)].flatMap(([, kind = "", text = ""]) => {
      // It can be that of any file.
      if (kind === "inum") return withDots("**/.*");
      const value = text.replaceAll("[.]", /regex/.test(kind) ? "\\." : ".");
      const pattern =
        (/regex/.test(kind) ? value.replaceAll(".*", "*").replaceAll("\\.", ".") : value)
          .toLowerCase();
      if (/^i?name$/.test(kind)) return withDots(`**/${pattern}`);
      const expression = /regex/.test(kind) ? value : asExpression(value);
      const hidden = hiddenLike(expression).map((each) => `**/${each}`);
      return [...acrossNames(pattern), ...hidden];
    });
    return named.length === 0 || PRINTS_FIRST.test(branch) ? ["**/*", ...named] : named;
  });
}

const CHANGES = /^-(?:delete|fls|fprint0?|fprintf|files0-from)$/;

/** Whether `find` only reads; what it executes is judged on its own. */
export function findReads(name: string, words: Words, { options }: ParsedOptions): boolean {
  // A given name behind a dash can be any action.
  const mayChange = (word: string) =>
    CHANGES.test(plainText(word)) || (word.startsWith("-") && isUnknown(word));
  if (name === "find") return !words.some(mayChange);
  return !options.some((option) => option.name === "l") && !words.some(isMany);
}
