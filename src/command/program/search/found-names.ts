import { NUMBER, SOME_FILES } from "../../words/placeholders.ts";
import {
  isPattern,
  isUnknown,
  mayBeOption,
  PLACEHOLDERS,
  plainText,
  type Words,
} from "../../words/word-marks.ts";
import type { Lines } from "../output/output-lines.ts";
import type { ParsedOptions } from "../parse-options.ts";
import { below, followsLinks, namesFitting, readFind } from "./find.ts";
import { hiddenLike, withDots } from "./name-patterns.ts";

/** Patterns for the names of the files to which a search is limited. */
export function chosenGlobs(options: ParsedOptions["options"]): readonly string[] {
  return options.flatMap(({ name, value = "" }) => {
    const glob = plainText(value).toLowerCase();
    if (name === "G") return hiddenLike(plainText(value)).map((each) => `**/${each}`);
    if (!/^(?:g|i?glob|include)$/.test(name) || glob.startsWith("!") || glob === "") return [];
    return withDots(`**/${glob.replace(/^\//, "")}`);
  });
}

/** What a program that finds files prints: their names, as patterns, and what it says of them. */
export function foundLines(name: string, words: Words, parsed: ParsedOptions): Lines | undefined {
  const names = foundNames(name, words, parsed);
  if (names !== undefined) return { fields: [names] };
  const has = (test: RegExp) => parsed.options.some((option) => test.test(option.name));
  const isSearch = /^(?:[ef]?grep|rg)$/.test(name);
  if (!isSearch || parsed.unknown || has(MORE_THAN_LINES) || (name === "rg" && has(/^r$/))) {
    return undefined;
  }
  const files = parsed.operands.slice(has(/^[ef]$/) ? 0 : 1);
  const [file = ""] = files;
  if (mayBeOption(file.slice(0, 1))) return undefined;
  const isOne = files.length === 1 && !isPattern(file) && !file.includes("{");
  // Of a directory and of several files the names are printed, too.
  const isPlain = has(name === "rg" ? /^(?:I|no-filename)$/ : /^h$/) ||
    (name !== "rg" && !has(/^[rRH]$/));
  return isOne && isPlain && has(/^n$/) ? { fields: [[NUMBER], undefined], by: ":" } : undefined;
}

/** Options of a search with which more stands in its lines. */
const MORE_THAN_LINES =
  /^(?:[ABCbcLlTZzq\d]|json|heading|label|column|vimgrep|passthru|stats|count-matches|files|files-without-match|null)$/;

/** The names that a program prints, as patterns; `undefined` where it prints other text, too. */
function foundNames(
  name: string,
  words: Words,
  { options, operands, unknown }: ParsedOptions,
): readonly string[] | undefined {
  const has = (test: RegExp) => options.some((option) => test.test(option.name));
  const globs = chosenGlobs(options);
  if (name === "find") {
    if (followsLinks(words)) return undefined;
    if (words.some((word, at) => printsText(plainText(word), words[at + 1]))) return undefined;
    const { starts, expression } = readFind(words);
    const same = expression.filter((_, at) => plainText(expression[at - 1]) === "-samefile");
    // A file where it starts is found, too.
    return [...same, ...searchedBelow(starts, namesFitting(words.map(plainText)))];
  }
  if (name === "echo" || name === "printf") return spelledNames(name, words);
  if (/^[ef]?grep$/.test(name) && has(/^[lL]$/)) {
    return has(/^label$/) ? undefined : searchedBelow(operands.slice(1), globs);
  }
  if (unknown) return undefined;
  // These leave hidden files out, and so what is in `.git`.
  const isWide = !options.some(choosesFiles) &&
    operands.every((each) => /^\.{0,1}\/?$/.test(plainText(each)));
  const fitting = has(/^(?:H|hidden|u)$/) ? [] : [isWide ? "*" : SOME_FILES];
  // Where it starts is asked about by itself.
  if (/^fd/.test(name)) {
    if (has(/^l$/)) return undefined;
    const [first = ""] = operands;
    const isHidden = has(/^(?:H|u)$/);
    const text = plainText(first).replaceAll(PLACEHOLDERS, ".*");
    const named = has(/^(?:g|glob)$/) ? withDots(text.toLowerCase()) : hiddenLike(text);
    const like = named.filter((each) => isHidden || !each.startsWith("."))
      .map((each) => `**/${each}`);
    return below([], [...fitting, ...first === "" ? [] : [...isHidden ? ["**/*"] : [], ...like]]);
  }
  if (/^(?:rg|ag|ack)$/.test(name) && has(/^(?:l|files|files-without-match)$/)) {
    return searchedBelow(operands.slice(has(/^(?:e|f|files)$/) ? 0 : 1), [...fitting, ...globs]);
  }
  if (name === "ls" && !has(/^(?:[aAflngoF]|full-time|format)$/)) {
    // Of a directory it prints what is in it.
    const areFiles = operands.length > 0 && operands.every((each) => /\*\.[\w.]+$/.test(each));
    return areFiles ? operands : [...operands, "*"];
  }
  return undefined;
}

/** Whether a search finds some files alone by an option. */
function choosesFiles({ name, value }: ParsedOptions["options"][number]): boolean {
  return CHOOSES_FILES.test(name) && !(name === "t" && /^[fd]/.test(value ?? ""));
}

const CHOOSES_FILES =
  /^(?:e|extension|E|exclude|t|type|T|type-not|g|i?glob|G|file-search-regex|S|size|changed-\w+|d|max-depth|min-depth|exact-depth|o|owner|f|file)$/;

/** What is found in files and directories: the files themselves, and what is below the others. */
function searchedBelow(starts: Words, fitting: Words): Words {
  const files = starts.filter((marked) => !/^\.{0,2}$|\/$/.test(marked));
  return [...files, ...below(starts, fitting)];
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
