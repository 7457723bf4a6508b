import type { VariableSet } from "../../event/analysis.ts";
import { GIVEN, UNKNOWN, UNKNOWN_WORDS } from "../words/placeholders.ts";
import {
  isMany,
  isUnknown,
  joinedText,
  knownText,
  plainText,
  quoted,
  setText,
  type Words,
} from "../words/word-marks.ts";
import { givenAs, has, type ParsedOptions, parseOptions } from "./parse-options.ts";
import type { FoundProgram } from "./programs.ts";
import { pattern } from "./remembered.ts";

/** A variable that a command gets. */
export interface Setting extends Omit<VariableSet, "span"> {
  /** Its value as a marked word. */
  readonly marked: string;
}

/** A command in the words of another one; its words are marked. */
export interface Started {
  readonly words: Words;
  readonly assignments?: readonly Setting[];
  /** Whether it is sure that this command is started; otherwise it is one of several readings. */
  readonly sure: boolean;
  /** It is started in a directory that is not followed. */
  readonly elsewhere?: boolean;
}

/** Text that a command hands to a shell. */
export interface ShellText {
  /** `null`: known only at run time. */
  readonly text: string | null;
  /** The shell that reads the line runs it itself. */
  readonly here?: true;
  /** It runs in a directory that is not followed. */
  readonly elsewhere?: true;
  /** It can run before the line has ended, as what a signal traps. */
  readonly early?: true;
  /** Its name and its arguments, marked. */
  readonly given?: readonly string[];
}

/** What a program starts. */
export interface Starting {
  readonly started?: readonly Started[];
  readonly texts?: readonly ShellText[];
}

/** What a program starts by its record. */
export function startedBy(found: FoundProgram, parsed: ParsedOptions): Starting {
  const { program, name, words, spec } = found;
  const { starts } = program;
  if (starts === undefined) return {};
  if (starts.behind !== undefined && starts.text) {
    if (!pattern(starts.behind).test(plainText(words[0]))) return {};
    const rest = words.slice(1);
    const inner = rest.slice(parseOptions(rest, { spec, strict: true }).rest);
    return inner.length < 2 || /\s/.test(plainText(inner[0]))
      ? { texts: inner.slice(0, 1).map((word) => ({ text: knownText(word) })) }
      : { started: [{ words: inner, sure: true }] };
  }
  if (starts.behind !== undefined) {
    // Words before it can be values of options.
    const verb = pattern(starts.behind);
    const end = words.findIndex((word) => plainText(word) === "--");
    const at = words.slice(0, end < 0 ? undefined : end)
      .findIndex((word) => verb.test(plainText(word)));
    return at >= 0 ? { started: readings(words.slice(at + 1)) } : {};
  }
  const texts: ShellText[] = [];
  let rest = words.slice(parsed.rest);
  // `su bob -c 'text'`: some take the text behind their operands, too, and short for `--command`.
  for (const [index, word] of rest.entries()) {
    const [, value] =
      /^(?:-[A-Za-z]*?c|--c(?:o|om|omm|omma|omman|ommand)?(?:=|$))([^]*)$/.exec(word) ?? [];
    const text = program.texts === undefined || value === undefined
      ? undefined
      : value || rest[index + 1];
    if (text !== undefined) texts.push({ text: knownText(text) });
  }
  if (parsed.unknown) {
    const found = readings(words);
    if (starts.text || starts.each) {
      texts.push(
        ...found.map(({ words }) => ({
          text: joinedText(starts.each ? words.slice(0, 1) : words),
        })),
      );
    }
    return { started: found, texts };
  }
  if (starts.each) {
    // `npm:build` stands for `npm run build`.
    const run = (word: string) =>
      word.replace(/^(npm|pnpm|yarn|bun|node|deno):(\S+)$/, "$1 run '$2'");
    return { texts: parsed.operands.map((word) => ({ text: knownText(run(word)) })) };
  }
  const lines = name === "parallel" ? parallelTexts(rest) : undefined;
  if (lines !== undefined) return { texts: lines };
  if (has(parsed, starts.except)) return { texts };
  if (name === "env" && rest[0] === "-") rest = rest.slice(1);
  const skipped = rest.slice(0, starts.operands ?? 0);
  if (skipped.some(isMany)) {
    // One of them can be the program, as in `timeout $(cat f)`.
    const several = skipped.filter((word) => word.includes(UNKNOWN_WORDS))
      .map((word): Started => ({ words: [word], sure: true }));
    return { started: [...several, ...readings(rest)], texts };
  }
  rest = rest.slice(starts.operands ?? 0);
  const assignments: Setting[] = [];
  while (starts.assignments) {
    const [, variable, value = ""] = /^([^=]+)=([^]*)$/.exec(rest[0] ?? "") ?? [];
    if (variable === undefined) break;
    if (isMany(value)) return { started: readings(rest), texts };
    const set = plainText(variable);
    assignments.push({ name: set, ...setText(set, value), marked: value });
    rest = rest.slice(1);
  }
  if (rest.length === 0) return { texts };
  const replaced = givenAs(parsed, starts.replaces).map(({ value = "{}" }) => plainText(value));
  // Of options that exclude each other the last one holds.
  const isFilled = replaced.length > 0 && !has(parsed, "n l L max-lines");
  const isDefault = replaced.length === 0 && starts.replaces !== undefined && starts.text;
  const inner = withUnknown(rest, isDefault ? PLACES : replaced);
  if (starts.text) texts.push({ text: joinedText(inner) });
  const command: Started = {
    words: starts.appends && !isFilled ? [...inner, GIVEN] : inner,
    assignments,
    sure: !has(parsed, starts.unless),
    elsewhere: has(parsed, starts.directory),
  };
  return { started: [command], texts };
}

/** What `parallel` replaces by a given word, or by a part of it. */
const PLACES = ["{}", "{.}", "{/}", "{//}", "{/.}"];

/** More lines of `parallel` than this are not followed. */
const MOST_LINES = 32;

/** The lines of `parallel COMMAND ::: WORDS`; `undefined` where the words are not all in the line. */
function parallelTexts(words: Words): readonly ShellText[] | undefined {
  const at = words.findIndex((word) => /^:::/.test(word));
  // Code of Perl.
  if (words.some((word) => plainText(word).includes("{="))) return [{ text: null }];
  if (at < 0) return words.length === 0 ? [{ text: null }] : undefined;
  const command = joinedText(words.slice(0, at));
  const given = words.slice(at + 1);
  const unclear = words[at] !== ":::" ||
    given.some((word) => isUnknown(word) || /^(?::::|$)|\(/.test(word)) ||
    (at > 0 && given.length > MOST_LINES);
  if (command === null || unclear) return [{ text: null }];
  if (/\{[^}]+\}/.test(command)) return undefined;
  const whole = command.includes("{}") ? command : `${command} {}`;
  // By itself it is the text.
  if (whole.trim() === "{}") return given.map((word) => ({ text: plainText(word) }));
  return given.map((word) => ({ text: whole.replaceAll("{}", () => inQuotes(word)) }));
}

/** A marked word as it is written for a shell: what is not quoted in it stays so. */
function inQuotes(marked: string): string {
  const inside = (text: string) => `'${plainText(text).replaceAll("'", "'\\''")}'`;
  return marked === "" ? "''" : marked.replace(/[^\w./:=,*?[\]{}~+@!^-]+/g, inside);
}

/** Shell text with arguments behind it; `null` where a part is known only at run time. */
export function withArguments([first = "", ...words]: Words): string | null {
  return joinedText([first, ...words.map((word) => inQuotes(word))]);
}

/** Words in which placeholders are replaced by what is given. */
export function withUnknown(words: Words, placeholders: readonly string[]): readonly string[] {
  return words.map((word) => {
    const text = plainText(word);
    const [only, ...others] = placeholders.filter((each) => each !== "" && text.includes(each));
    if (only === undefined) return word;
    return others.length > 0 || word.startsWith("~")
      ? UNKNOWN
      : quoted(text.replaceAll(only, GIVEN));
  });
}

/** How many readings of the words of a program with options that are not known. */
export const MOST_READINGS = 50;

/** Every reading of what a program with options that are not known could start. */
function readings(words: Words): readonly Started[] {
  const found: Started[] = [];
  for (let at = 0; at < words.length && found.length < MOST_READINGS; at++) {
    if (plainText(words[at]).startsWith("-")) continue;
    found.push({ words: words.slice(at), sure: false });
  }
  return found;
}
