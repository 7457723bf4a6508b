import type { Inspection } from "../../program/taken-apart.ts";
import type { ShellText } from "../../program/starts.ts";
import { plainText, quoted, shellText, type Words } from "../../words/word-marks.ts";
import { textPrinted } from "../output/text-printed.ts";
import type { State } from "../walk-state.ts";
import type { Reading } from "../walker.ts";
import { resolveWord } from "./resolve.ts";

/** Note a text that the line spells, and the file into which a command writes it. */
export function noteScript(reading: Reading, words: Words, state: State): void {
  const { walk: { context }, redirects, input } = reading;
  const [first = "", ...operands] = words;
  const name = first.replace(/^.*\//, "");
  const isTee = name === "tee";
  const files = [
    ...redirects.flatMap(({ operator, target }) =>
      target !== undefined && WRITES.test(operator) ? quoted(target) : []
    ),
    ...isTee ? operands : [],
  ];
  if (files.length === 0 || (!isTee && !PRINTS.test(name))) return;
  const texts = isTee
    ? [input.text]
    : textPrinted(reading, [name, ...operands])?.texts?.map((each) => shellText(each));
  for (const text of texts ?? []) {
    if (typeof text !== "string") continue;
    for (const path of pathsOf(reading, files, state)) {
      context.scripts.set(path, (context.scripts.get(path) ?? new Set()).add(text));
    }
  }
}

const WRITES = /^(?:&?>>?|>\|)$/;
const PRINTS = /^(?:cat|echo|printf)$/;

/**
 * Judge what the line has written into a script that a command gives to a shell, as if it stood in
 * the line. What else is in a file is code of the workspace.
 */
export function judgeScripts(
  { reading, words, state }: {
    readonly reading: Reading;
    readonly words: Words;
    readonly state: State;
  },
  { name, command, uses }: Inspection,
  judge: (text: ShellText) => void,
): void {
  const { context: { scripts, programs } } = reading.walk;
  if (scripts.size === 0) return;
  const isShell = command?.program.syntax === "shell";
  const [front, next] = words.slice(1).map(plainText);
  if (isShell && ONLY_READS.test(front ?? "") && !/^[-+]/.test(next ?? "")) return;
  if (isShell) judgeInput(reading, { words, state, uses }, judge);
  const here = /^(?:source|\.)$/.test(name);
  for (const { access, marked } of uses) {
    const at = words.indexOf(marked);
    if (access !== "run" || at < 0 || (at > 0 && !isShell && !here)) continue;
    for (const path of pathsOf(reading, [marked], state)) {
      eachText(scripts, path, (text) => {
        const [, shell = NAMES_SCRIPT.test(path) ? "sh" : ""] = SHEBANG.exec(text) ?? [];
        if (at === 0 && programs.find([shell])?.program.syntax !== "shell") return;
        judge(here ? { text, here } : { text, given: words.slice(at) });
      });
    }
  }
}

/** Judge what the line has written into a file that a shell reads its commands from. */
function judgeInput(
  reading: Reading,
  { words, state, uses }:
    & { readonly words: Words; readonly state: State }
    & Pick<Inspection, "uses">,
  judge: (text: ShellText) => void,
): void {
  const { scripts } = reading.walk.context;
  // Beside other code it is data.
  const [, ...options] = words.map(plainText);
  if (uses.some(({ access }) => access === "run") || options.some((each) => CODE.test(each))) {
    return;
  }
  const files = reading.redirects.flatMap(({ operator, target }) =>
    operator === "<" && target !== undefined ? quoted(target) : []
  );
  for (const path of pathsOf(reading, files, state)) {
    eachText(scripts, path, (text) => judge({ text }));
  }
}

/** Go through the texts of a script, which meanwhile is none: it can run itself. */
function eachText(
  scripts: Map<string, Set<string>>,
  path: string,
  judge: (text: string) => void,
): void {
  const texts = scripts.get(path);
  if (texts === undefined) return;
  scripts.delete(path);
  texts.forEach(judge);
  scripts.set(path, texts);
}

/** Options that give a shell its code in its words. */
const CODE = /^[-+][a-zA-Z]*c/;

/** With it a shell only looks for errors; one for a person runs the script all the same. */
const ONLY_READS = /^-[aefhuvx]*n[aefhnuvx]*$/;
/** A file of another kind is none, also where it is named alone, as by a test runner. */
const NAMES_SCRIPT = /(?:^|\/)[^.\/]+$|\.(?:ba)?sh$/;
const SHEBANG = /^#![ \t]*(?:\S*\/)?(?:env[ \t]+(?:-\S+[ \t]+)*)?([^\s/]+)/;

function pathsOf({ walk: { context } }: Reading, files: Words, state: State): readonly string[] {
  return files.flatMap((marked) => resolveWord(context, marked, { state, reads: false }))
    .flatMap(({ path, pattern }) => path === undefined || pattern ? [] : path);
}
