import type { Danger, StartedBy } from "../../../event/analysis.ts";
import { languageDangers } from "../../program/code.ts";
import type { Inspection } from "../../program/taken-apart.ts";
import type { ShellText } from "../../program/starts.ts";
import { plainText, shellText, type Words } from "../../words/word-marks.ts";
import { textPrinted } from "../output/text-printed.ts";
import type { State } from "../walk-state.ts";
import type { Reading } from "../walker.ts";
import { resolveWord } from "./resolve.ts";

/** A command that is read. */
export interface Read {
  readonly inspection: Inspection;
  readonly words: Words;
  readonly state: State;
  readonly startedBy: StartedBy | undefined;
}

/** What leaves the text of a file as it is. */
const KEEPS = /^(?:chmod|chown|chgrp|touch|rm|mkdir|git)$/;
/** What writes its input into the files that it names. */
const HANDS_ON = /^(?:tee|dd|cp|install|sponge)$/;
const COPIES = /^(?:cp|mv|ln|install|rsync|dd)$/;
/** An option behind which code stands. */
const HAS_CODE = /^-\w*[ceEpr]|^--(?:eval|print)/;

/** The paths that a command uses in such a way. */
function pathsOf(
  { walk: { context } }: Reading,
  { inspection: { uses }, state }: Read,
  isMeant: (access: string, marked: string) => boolean,
): readonly string[] {
  const found = uses.filter(({ access, marked }) => isMeant(access, marked))
    .flatMap(({ marked }) => resolveWord(context, marked, { state, reads: false }));
  return [...new Set(found.flatMap(({ path }) => path ?? []))];
}

/** Whether the input of a command is no file, and no list of names for what starts it. */
function isGiven({ input: { from, stored } }: Reading, { startedBy }: Read): boolean {
  return (from === "text" || (from === "pipe" && !stored)) &&
    !/^(?:xargs|parallel)$/.test(startedBy?.name ?? "");
}

/** Note which texts a command writes into files. */
export function noteWritten(reading: Reading, read: Read): void {
  const { walk: { context: { findings, written } }, redirects, input } = reading;
  const { inspection, words } = read;
  const own = pathsOf(reading, read, (access) => access === "write");
  const writing = redirects.filter(({ operator }) => operator.includes(">"));
  const out = writing.flatMap(({ span }) =>
    findings.uses.flatMap(({ access, by, path, span: { start } }) =>
      access === "write" && by === undefined && start === span.start ? path ?? [] : []
    )
  );
  if (own.length + out.length === 0) return;
  // Of a construct several commands can write there.
  const { start, end } = reading.span;
  const isPart = (inspection.name === "cat" && words.length > 2) ||
    writing.some(({ operator, span }) => operator !== ">" || span.start < start || span.end > end);
  for (const text of textsPrinted(reading, read)) {
    for (const path of out) written.add({ path, text, isPart });
  }
  const name = inspection.name.replace(/^.*\//, "");
  if (KEEPS.test(name)) return;
  const sources = textsRead(reading, read);
  const copied = COPIES.test(name) ? sources : [];
  const isRead = name === "tee" || (HANDS_ON.test(name) && isGiven(reading, read));
  const given = isRead ? [{ text: input.text ?? null, name: "" }] : [];
  for (const path of own) {
    for (const { text, name: last } of [...copied, ...given]) {
      written.add({ path, text, isPart: words.includes("-a") });
      // It can be a directory.
      if (last !== "") written.add({ path: `${path}/${last}`, text, isPart: false });
    }
    // What is changed where it is, or made of a text in another way.
    const isChanged = copied.length + given.length === 0 &&
      (isGiven(reading, read) || sources.length > 0 || written.texts(path).length > 0);
    if (isChanged) written.add({ path, text: null, isPart: false });
  }
}

/** A text in a file that is read. */
interface TextRead {
  readonly text: string | null;
  /** The last name of the file. */
  readonly name: string;
}

/** The texts of the line that are in the files which a command reads. */
function textsRead(reading: Reading, read: Read): readonly TextRead[] {
  const { walk: { context: { written } }, input: { path } } = reading;
  const named = pathsOf(reading, read, (access) => /read|use/.test(access));
  return [...named, ...path === undefined ? [] : [path]].flatMap((each) =>
    written.texts(each).map((text) => ({ text, name: each.replace(/^.*\//, "") }))
  );
}

/** The texts that a command can print; none: they are not those of the line. */
function textsPrinted(reading: Reading, read: Read): readonly (string | null)[] {
  const { inspection: { command, facts, uses, name, started }, words } = read;
  const { texts } = textPrinted(reading, words) ?? {};
  if (texts !== undefined) return texts.map(shellText);
  // What follows prints there.
  if (/^(?:echo|printf)$/.test(name) || (name === "exec" && started.length === 0)) return [null];
  const copied = textsRead(reading, read);
  if (copied.length > 0) return name === "cat" ? copied.map(({ text }) => text) : [null];
  const reads = uses.some(({ access }) => access === "read");
  if (command === undefined || facts.fetches || reads) return [];
  const { program: { syntax, operands }, parsed, input } = command;
  const isFilter = operands === "read" && parsed.operands.length === 0;
  const hasCode = syntax === "awk" || (syntax === "language" &&
    (input.text !== undefined || words.some((word) => HAS_CODE.test(plainText(word)))));
  return hasCode || isFilter || (isGiven(reading, read) && !facts.runs) ? [null] : [];
}

/** How the texts of files that a command runs are judged. */
export interface Judged {
  /** A shell reads it. */
  readonly shell: (text: ShellText, name: string) => void;
  /** It is dangerous. */
  readonly danger: (danger: Danger) => void;
  /** A program runs commands that stand in it. */
  readonly commands: (texts: Words) => void;
}

/** Judge the texts of the line in the files that a command runs, as if they stood in its words. */
export function judgeRun(reading: Reading, read: Read, judged: Judged): void {
  const { walk: { context: { written } }, input, span } = reading;
  const { inspection: { name, command }, words } = read;
  const [first = ""] = words;
  const isRun = (isProgram: boolean) => (access: string, marked: string) =>
    access === "run" && (marked === first) === isProgram;
  const reads = /^(?:shell|language)$/.test(command?.program.syntax ?? "");
  // It only reads it.
  if (command?.program.syntax === "shell" && words.some((word) => /^-\w*n/.test(word))) return;
  const scripts = [
    ...pathsOf(reading, read, isRun(false)),
    ...reads && input.path ? [input.path] : [],
  ];
  const key = `${span.start} ${span.end} ${name}`;
  const isLanguage = command?.program.syntax === "language";
  for (const path of pathsOf(reading, read, isRun(true))) {
    written.run(path, key, {
      judge: (text) => {
        // Where it is not certain that it is a program, it is one by its first line or its name.
        const isData = read.startedBy?.how === "reading" && !text?.startsWith("#!") &&
          /\.(?!(?:ba)?sh$)\w+$/.test(path);
        if (!isData) judgeText({ text, path, words }, reading, judged);
      },
    });
  }
  for (const path of scripts) {
    const by = first.startsWith("/") || !first.includes("/") ? name : "bash";
    written.run(path, key, {
      isLanguage,
      judge: (text) => judgeText({ text, path, words, by }, reading, judged),
    });
  }
}

interface Script {
  readonly text: string | null;
  readonly path: string;
  readonly words: Words;
  /** What reads it; absent: it is started as a program. */
  readonly by?: string;
}

function judgeText({ text, path, words, by }: Script, reading: Reading, judged: Judged): void {
  const name = by ?? interpreterOf(text ?? "");
  if (/^(?:source|\.)$/.test(name)) return judged.shell({ text, here: true }, name);
  const { program: { syntax } = {}, name: own = name } =
    reading.walk.context.programs.find([name]) ??
      {};
  if (syntax === "shell") {
    const at = by === undefined ? 0 : words.findIndex((word) => path.endsWith(plainText(word)));
    return judged.shell({ text, given: at < 0 ? [] : words.slice(at) }, own);
  }
  if (syntax === "language") {
    return languageDangers(own, [], { from: "text", text }).forEach(judged.danger);
  }
  if (by === undefined) return judged.shell({ text: null }, path);
  if (text !== null) judged.commands(commandsOf(path, text));
}

/** The program that the first line of a file names. */
function interpreterOf(text: string): string {
  const [, line = "bash"] = /^#![ \t]*([^\n]*)/.exec(text) ?? [];
  const [program = ""] = line.replace(/^\S*\/env\s+(?:-\S+\s+)*/, "").split(/\s/);
  return program.replace(/^.*\//, "");
}

/** The texts of commands in a file that a program runs by its name. */
function commandsOf(path: string, text: string): Words {
  if (/akefile$|\.mk$/.test(path)) {
    return [...text.matchAll(RECIPE)].map(([, command, shell]) => command ?? shell ?? "");
  }
  return path.endsWith("/package.json")
    ? [...text.matchAll(/"((?:[^"\\]|\\.)*)"/g)].map(([, each = ""]) => each)
    : [];
}

/** What `make` gives to a shell. */
const RECIPE = /^(?:\t|[^\t\n#:=]+:(?![=:])[^\n;=]*;)[ @+-]*(.*)|\$\(shell ([^\n]*)\)/gm;
