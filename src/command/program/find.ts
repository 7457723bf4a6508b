import { FOUND, GIVEN, plainText, UNKNOWN } from "../words/marks.ts";
import type { ParsedOptions } from "./options.ts";
import type { Started } from "./starts.ts";
import { withUnknown } from "./starts.ts";
import type { RawUse } from "./uses.ts";

const WRITES = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);
const READS = /^-(?:(?:a|c)?newer|newer[aBcm][aBcm]|samefile|files0-from)$/;
const ACTIONS = /^-(?:exec|execdir|ok|okdir)$/;

/** The commands that `find` and `fd` start. */
export function findStarted(name: string, words: readonly string[]): readonly Started[] {
  if (name !== "find") return fdStarted(words);
  const started: Started[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!ACTIONS.test(plainText(words[at] ?? ""))) continue;
    const from = at + 1;
    for (at = from; at < words.length; at++) {
      const word = plainText(words[at] ?? "");
      if (word === ";" || (word === "+" && plainText(words[at - 1] ?? "") === "{}")) break;
    }
    const inner = withUnknown(words.slice(from, at), ["{}"]);
    const elsewhere = /dir$/.test(plainText(words[from - 1] ?? ""));
    if (inner.length > 0) started.push({ words: inner, assignments: [], sure: true, elsewhere });
  }
  return started;
}

function fdStarted(words: readonly string[]): readonly Started[] {
  const at = words.findIndex((word) =>
    /^(?:-[xX].*|--exec(?:-batch)?(?:=.*)?)$/.test(plainText(word))
  );
  if (at === -1) return [];
  const glued = /^(?:-[xX]|--exec(?:-batch)?=)([^]+)$/.exec(words[at] ?? "")?.[1];
  const inner = [...(glued === undefined ? [] : [glued]), ...words.slice(at + 1)]
    .map((word) =>
      plainText(word) === "{}" ? GIVEN : /[{}]/.test(plainText(word)) ? UNKNOWN : word
    );
  return inner.length === 0 ? [] : [{ words: [...inner, GIVEN], assignments: [], sure: true }];
}

/** The paths that `find` names; below them it reads, or deletes. */
export function findUses(words: readonly string[]): readonly RawUse[] {
  const uses: RawUse[] = [];
  const access = words.some((word) => plainText(word) === "-delete") ? "write" : "read";
  let at = 0;
  while (/^-(?:[HLP]|O\d|D)$/.test(words[at] ?? "")) at += words[at] === "-D" ? 2 : 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (/^[-(!]/.test(plainText(word)) || word === ",") break;
    uses.push({ access, marked: word });
  }
  if (uses.length === 0 && access === "write") uses.push({ access, marked: "." });
  for (; at < words.length; at++) {
    const word = plainText(words[at] ?? "");
    const value = words[at + 1];
    if (value === undefined) continue;
    if (WRITES.has(word)) uses.push({ access: "write", marked: value });
    else if (READS.test(word)) uses.push({ access: "read", marked: value });
  }
  return uses;
}

/** The names that a program prints, as patterns; `undefined` where it prints others, too. */
export function foundNames(
  name: string,
  words: readonly string[],
  { options, operands }: ParsedOptions,
): readonly string[] | undefined {
  const starts = (given: readonly string[]) => given.length === 0 ? ["."] : given;
  if (name === "find") {
    const from = starts(
      findUses(words).filter(({ marked }) => words.indexOf(marked) < 9).map(({ marked }) => marked),
    );
    // Of `-name a -o -name b` any can be the one; where any file can be, none is named.
    const names = words.some((word) => /^(?:!|-not|,)$/.test(plainText(word)))
      ? [undefined]
      : ["", ...words.map(plainText)].join("\0").split(/\0-or?(?=\0)/).map((branch) =>
        /^(?:(?!\0-(?:print|f?ls))[^])*?\0-i?name\0([^\0]+)/.exec(branch)?.[1]?.toLowerCase()
      );
    const fitting = names.flatMap((each) => names.includes(undefined) ? [] : each ?? []);
    return from.flatMap((start) =>
      (fitting.length > 0 ? fitting : ["*"]).map((each) => `${start}/**/${each}`)
    );
  }
  if (/^[ef]?grep$/.test(name) && options.some((option) => option.name === "l")) {
    const names = options.filter((option) => option.name === "include").map(({ value = "*" }) =>
      plainText(value)
    );
    return starts(operands.slice(1)).flatMap((start) =>
      (names.length > 0 ? names : ["*"]).map((each) => `${start}/**/${each}`)
    );
  }
  return /^(?:fd|fdfind|rg|ls|git)$/.test(name) ? [FOUND] : undefined;
}

const CHANGES = /^-(?:exec(?:dir)?|ok(?:dir)?|delete|fls|fprint0?|fprintf|files0-from)$/;

/** Whether `find` only reads; what it executes is judged on its own. */
export function findReads(
  name: string,
  words: readonly string[],
  { options }: ParsedOptions,
): boolean {
  if (name === "find") return !words.some((word) => CHANGES.test(plainText(word)));
  return !options.some((option) => /^(?:x|X|exec|exec-batch|l|list-details)$/.test(option.name));
}

/** `tar xzf a.tgz`: the first word is a cluster whose values follow in order. */
export function tarWords(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined || !/^[A-Za-z]+$/.test(first)) return words;
  const opened: string[] = [];
  for (const letter of first) {
    opened.push(`-${letter}`);
    if (/[bCfgHIKLNTVXF]/.test(letter)) {
      const value = rest.shift();
      if (value !== undefined) opened.push(value);
    }
  }
  return [...opened, ...rest];
}
