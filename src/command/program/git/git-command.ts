import type { GivenOption, ParsedOptions } from "../parse-options.ts";
import { givenAs, optionSpec, parseOptions } from "../parse-options.ts";
import { plainText, type Words } from "../../words/word-marks.ts";

/** A `git` command, its options before the subcommand taken off. */
export interface GitCommand {
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

/** A pathspec that leaves files out, of everything where nothing else is named. */
export const LEFT_OUT: RegExp = /^:(?:[!^]|\([^)]*\bexclude\b)/;

/** Options of every subcommand that take the next word. */
const COMMON =
  "n,max-count= L: G= author= date= since= until= grep= format? pretty? o,output: output-directory:";

const LOG = optionSpec(`${COMMON} S= after= before= committer=`);

const GREP = optionSpec(
  "e= f: A,after-context= B,before-context= C,context= m,max-count= max-depth= threads= n h H i v w c l L o q r z p W E F G P " +
    "line-number ignore-case invert-match word-regexp count files-with-matches name-only files-without-match only-matching " +
    "untracked cached no-index recurse-submodules text a I column heading break show-function function-context " +
    "extended-regexp fixed-strings basic-regexp perl-regexp and or not all-match quiet no-color color? exclude-standard",
);

const FILES = optionSpec(
  "x,exclude= X,exclude-from: exclude-per-directory: format= abbrev? o,others c,cached d,deleted m,modified i,ignored " +
    "s,stage u,unmerged k,killed z t v f directory no-empty-directory exclude-standard error-unmatch full-name " +
    "recurse-submodules deduplicate eol",
);

const OTHERS = optionSpec(
  `${COMMON} m,message= F,file: C: c: S? b: B: t: x,exec: config: contents: upload-pack: receive-pack: onto: s,strategy: ` +
    "X,strategy-option: branch: depth: origin: j,jobs: reference: path: u,set-upstream,upstream",
);

const CONFIG = optionSpec("f,file: blob= type= default= comment= value=");

/** Take the words of a `git` command apart. */
export function takeApart(own: Words, global: ParsedOptions): GitCommand {
  const [verb, ...words] = own;
  return {
    global: global.options,
    unknown: global.unknown,
    verb: verb === undefined ? undefined : plainText(verb),
    words,
    // Only what is given matters, not what the table lacks.
    parsed: parseOptions(words, { spec: specOf(verb) }),
    loose: parseOptions(words.filter((word) => plainText(word) !== "--"), {}),
  };
}

function specOf(verb: string | undefined) {
  if (verb === "config") return CONFIG;
  if (verb === "ls-files") return FILES;
  return verb === "log" ? LOG : verb === "grep" ? GREP : OTHERS;
}

/** Options that are given in any reading of the words. */
export function given({ parsed, loose }: GitCommand, names: string): readonly GivenOption[] {
  return [...givenAs(parsed, names), ...givenAs(loose, names)];
}
