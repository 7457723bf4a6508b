import { plainText, UNKNOWN, UNKNOWN_WORDS } from "../words/marks.ts";
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
    if (inner.length > 0) started.push({ words: inner, assignments: [], sure: true });
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
    .map((word) => /[{}]/.test(plainText(word)) ? UNKNOWN : word);
  return inner.length === 0
    ? []
    : [{ words: [...inner, UNKNOWN_WORDS], assignments: [], sure: true }];
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
