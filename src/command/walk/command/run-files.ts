import type { Danger, StartedBy } from "../../../event/analysis.ts";
import { isInput, languageDangers } from "../../program/code.ts";
import type { Inspection } from "../../program/taken-apart.ts";
import type { ShellText } from "../../program/starts.ts";
import { plainText, shellText, type Words } from "../../words/word-marks.ts";
import { textPrinted } from "../output/text-printed.ts";
import type { State } from "../walk-state.ts";
import type { Reading } from "../walker.ts";
import type { Text } from "../written-files.ts";
import { resolveWord } from "./resolve.ts";

/** A command that is read. */
export interface Read {
  readonly reading: Reading;
  readonly inspection: Inspection;
  readonly words: Words;
  readonly state: State;
  readonly startedBy: StartedBy | undefined;
}

/** What leaves the text of a file as it is. */
const KEEPS = /^(?:chmod|chown|chgrp|touch|rm|mkdir|git)$/;
const COPIES = /^(?:cp|mv|ln|install|rsync)$/;
/** An option behind which code stands. */
const HAS_CODE = /^-\w*[ceEpr]|^--(?:eval|print)/;

/** Note which texts a command writes into files. */
export function noteWritten(read: Read): void {
  const { reading: { walk: { context }, redirects, span: { start, end } }, words } = read;
  const writing = redirects.filter(({ operator }) => operator.includes(">"));
  const out = writing.flatMap(({ span }) =>
    context.findings.uses.flatMap(({ access, by, path, span: { start } }) =>
      access === "write" && by === undefined && start === span.start ? path ?? [] : []
    )
  );
  const { name } = read.inspection;
  const own = KEEPS.test(name) ? [] : pathsOf(read, /write/);
  // What is copied can go into a directory.
  const paths = [...out, ...own, ...COPIES.test(name) ? own.map((path) => `${path}/*`) : []];
  if (paths.length === 0) return;
  // Of a construct several commands can write there.
  const isPart = words.includes("-a") ||
    writing.some(({ operator, span }) => operator !== ">" || span.start < start || span.end > end);
  for (const text of textsMade(read)) {
    for (const path of paths) context.written.add(path, text, { isPart });
  }
}

/** The texts that a command writes; none: they are not those of the line. */
function textsMade(read: Read): readonly Text[] {
  const { reading: { walk: { context }, input }, inspection, words, startedBy } = read;
  const { name, command, facts, uses } = inspection;
  const { texts } = textPrinted(read.reading, words) ?? {};
  if (texts !== undefined) return texts.map(shellText);
  if (name === "tee") return [input.text ?? null];
  // Another text is made of one, or what follows prints there.
  const { path } = input;
  const made = [...pathsOf(read, /read|use|write/), ...path === undefined ? [] : [path]]
    .some((each) => context.written.texts(each).length > 0);
  if (made || /^(?:echo|printf|exec)$/.test(name)) return [null];
  const reads = uses.some(({ access, marked }) => access === "read" && !isInput(marked));
  if (command === undefined || facts.fetches || reads) return [];
  // Names for what starts it are no text.
  const isGiven = (input.from === "text" || (input.from === "pipe" && !input.stored)) &&
    !/^(?:xargs|parallel)$/.test(startedBy?.name ?? "");
  const { program: { syntax, operands }, parsed } = command;
  const isFilter = operands === "read" && parsed.operands.length === 0;
  const hasCode = syntax === "awk" || (syntax === "language" &&
    (input.text !== undefined || words.some((word) => HAS_CODE.test(plainText(word)))));
  return hasCode || isFilter || (isGiven && !facts.runs) ? [null] : [];
}

/** The paths that a command uses in such a way. */
function pathsOf(
  { reading: { walk: { context } }, inspection: { uses }, state }: Read,
  accesses: RegExp,
  isMeant: (marked: string) => boolean = () => true,
): readonly string[] {
  return uses.filter(({ access, marked }) => accesses.test(access) && isMeant(marked))
    .flatMap(({ marked }) => resolveWord(context, marked, { state, reads: false }))
    .flatMap(({ path }) => path ?? []);
}

/** How the texts of files that a command runs are judged. */
interface Judges {
  /** A shell reads it. */
  readonly shell: (text: ShellText, name: string) => void;
  /** An interpreter reads it. */
  readonly danger: (danger: Danger) => void;
}

/** Judge the texts of the line in the files that a command runs, as if they stood in its words. */
export function judgeRun(read: Read, { shell, danger }: Judges): void {
  const { reading: { walk: { context: { programs, written } }, input }, words } = read;
  const { inspection: { name, command }, startedBy } = read;
  const { syntax = "" } = command?.program ?? {};
  const [first = ""] = words;
  // It only reads it.
  if (syntax === "shell" && words.some((word) => /^-\w*n/.test(word))) return;
  const judge = (path: string, by?: string) => (text: Text) => {
    const reader = by ?? interpreterOf(text ?? "");
    const { name: own = reader, program } = programs.find([reader]) ?? {};
    if (/^(?:source|\.)$/.test(reader)) shell({ text, here: true }, reader);
    else if (program?.syntax === "shell") {
      const at = by === undefined ? 0 : words.findIndex((word) => path.endsWith(plainText(word)));
      shell({ text, given: at < 0 ? [] : words.slice(at) }, own);
    } else if (program?.syntax === "language") {
      languageDangers(own, [], { from: "text", text }).forEach(danger);
    } else if (by === undefined) shell({ text: null }, path);
  };
  for (const path of pathsOf(read, /run/, (marked) => marked === first)) {
    // Where it is not certain that it is a program, its name can say that it is none.
    const isData = startedBy?.how === "reading" && /\.(?!(?:ba)?sh$)\w+$/.test(path);
    if (!isData) written.run(path, judge(path));
  }
  const named = pathsOf(read, /run/, (marked) => marked !== first);
  // A module is named without its ending.
  const scripts = syntax === "language" ? named.flatMap((each) => [each, `${each}.*`]) : named;
  for (const path of input.path === undefined ? scripts : [...scripts, input.path]) {
    written.run(path, judge(path, name));
  }
}

/** The program that the first line of a file names. */
function interpreterOf(text: string): string {
  const [, line = "bash"] = /^#![ \t]*([^\n]*)/.exec(text) ?? [];
  const [program = ""] = line.replace(/^\S*\/env\s+(?:-\S+\s+)*/, "").split(/\s/);
  return program.replace(/^.*\//, "");
}
