import { parseOptions } from "../options.ts";
import {
  isUnknown,
  joinedText,
  knownText,
  plainText,
  UNKNOWN,
  UNKNOWN_WORDS,
} from "../words/marks.ts";
import { programName } from "../words/program-name.ts";
import { type Script, scriptsOf } from "./scripts.ts";
import { RUNNERS, type Wrapper, WRAPPERS } from "./wrappers.ts";

/** A command in the arguments of another one; its words are marked. */
export interface RawLayer {
  readonly by: string;
  readonly words: readonly string[];
  readonly assignments: readonly { readonly name: string; readonly value: string | null }[];
  readonly sure: boolean;
}

/** What a command starts besides itself. */
interface Unwrapped {
  readonly layers: readonly RawLayer[];
  /** Text that some layer hands to a shell. */
  readonly scripts: readonly Script[];
}

const MOST_LAYERS = 48;

/** Look through every program that starts another one. */
export function unwrap(words: readonly string[]): Unwrapped {
  const layers: RawLayer[] = [];
  const scripts: Script[] = [];
  const visit = (outer: readonly string[]) => {
    const found = step(outer);
    scripts.push(...scriptsOf(outer), ...found.scripts);
    for (const layer of found.layers) {
      if (layers.length >= MOST_LAYERS) return;
      layers.push(layer);
      visit(layer.words);
    }
  };
  visit(words);
  return { layers, scripts };
}

const NOTHING: Unwrapped = { layers: [], scripts: [] };

function step(words: readonly string[]): Unwrapped {
  const [program, ...rest] = words;
  if (program === undefined || isUnknown(program)) return NOTHING;
  const name = programName(program);
  if (name === "find") return { layers: findActions(rest), scripts: [] };
  if (name === "fd" || name === "fdfind") return { layers: fdActions(name, rest), scripts: [] };
  if (/^ld(?:-linux[\w.-]*|-musl[\w.-]*|\.so[\w.-]*)$/.test(name)) {
    return { layers: guesses(name, rest), scripts: [] };
  }
  const wrapper = WRAPPERS.get(name);
  if (wrapper !== undefined) return unwrapOne(name, rest, wrapper);
  const runner = RUNNERS.get(name);
  if (runner === undefined) return NOTHING;
  const subcommand = rest.findIndex((word) => !plainText(word).startsWith("-"));
  const word = plainText(rest[subcommand] ?? "");
  if (runner.length > 0 && !runner.includes(word)) return NOTHING;
  return { layers: guesses(name, rest.slice(runner.length > 0 ? subcommand + 1 : 0)), scripts: [] };
}

function unwrapOne(name: string, words: readonly string[], wrapper: Wrapper): Unwrapped {
  const numeric = name === "nice" ? words.findIndex((word) => !/^--?\d+$/.test(word)) : 0;
  const tail = numeric === -1 ? [] : words.slice(numeric);
  const parsed = parseOptions(tail, wrapper.spec);
  const scripts: Script[] = [];
  for (const option of parsed.options) {
    if (!wrapper.scripts.includes(option.name)) continue;
    scripts.push({ by: name, text: knownText(option.value ?? UNKNOWN) });
  }
  // `su bob -c 'text'`: some take the text behind their operands, too.
  for (const [index, word] of tail.entries()) {
    if (index < parsed.rest || wrapper.scripts.length === 0) continue;
    const text = /^(?:-c|--command)$/.test(plainText(word)) ? tail[index + 1] : undefined;
    if (text !== undefined) scripts.push({ by: name, text: knownText(text) });
  }
  if (parsed.unknown) return { layers: guesses(name, tail), scripts };
  let rest = tail.slice(parsed.rest);
  if (name === "env" && rest[0] === "-") rest = rest.slice(1);
  const given = new Set(parsed.options.map((option) => option.name));
  if (name === "command" && (given.has("v") || given.has("V"))) return { layers: [], scripts };
  rest = rest.slice(wrapper.operands);
  const assignments: { name: string; value: string | null }[] = [];
  while (wrapper.assignments) {
    const match = /^([^=]+)=([^]*)$/.exec(rest[0] ?? "");
    if (match === null) break;
    assignments.push({ name: plainText(match[1] ?? ""), value: knownText(match[2] ?? "") });
    rest = rest.slice(1);
  }
  if (rest.length === 0) return { layers: [], scripts };
  if (wrapper.text) scripts.push({ by: name, text: joinedText(rest) });
  const sure = !wrapper.except.some((option) => given.has(option));
  const inner = wrapper.appends ? [...rest, UNKNOWN_WORDS] : rest;
  return { layers: [{ by: name, words: inner, assignments, sure }], scripts };
}

/** Every reading of what a program with unknown options could start. */
function guesses(by: string, words: readonly string[]): RawLayer[] {
  const layers: RawLayer[] = [];
  for (const [index, word] of words.entries()) {
    if (plainText(word).startsWith("-") || index > 24) continue;
    layers.push({ by, words: words.slice(index), assignments: [], sure: false });
  }
  return layers;
}

function findActions(words: readonly string[]): RawLayer[] {
  const layers: RawLayer[] = [];
  for (let at = 0; at < words.length; at++) {
    if (!/^-(?:exec|execdir|ok|okdir)$/.test(plainText(words[at] ?? ""))) continue;
    const from = at + 1;
    let end = from;
    while (end < words.length && words[end] !== ";" && plainText(words[end] ?? "") !== ";") {
      if (words[end] === "+" && plainText(words[end - 1] ?? "") === "{}") break;
      if (plainText(words[end] ?? "") === "+" && plainText(words[end - 1] ?? "") === "{}") break;
      end++;
    }
    const inner = words.slice(from, end).map((word) =>
      plainText(word).includes("{}") ? UNKNOWN : word
    );
    if (inner.length > 0) layers.push({ by: "find", words: inner, assignments: [], sure: true });
    at = end;
  }
  return layers;
}

function fdActions(by: string, words: readonly string[]): RawLayer[] {
  const at = words.findIndex((word) => /^(?:-[xX]|--exec(?:-batch)?)$/.test(plainText(word)));
  if (at === -1 || at + 1 >= words.length) return [];
  const inner = words.slice(at + 1).map((word) => /[{}]/.test(plainText(word)) ? UNKNOWN : word);
  return [{ by, words: [...inner, UNKNOWN_WORDS], assignments: [], sure: true }];
}
