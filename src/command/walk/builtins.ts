import { safeSet, safeShopt } from "../program/safe-options.ts";
import { wholeLine } from "../program/output/lines.ts";
import { plainText, quoted, type Words } from "../words/word-marks.ts";
import { moved, MOVES } from "./changed-directory.ts";
import { changedArguments } from "./values/known-words.ts";
import { DECLARES, nameUse } from "./values/names.ts";
import { isTracked } from "./values/text-variables.ts";
import { ARGUMENTS, ELEMENTS, staying, withoutValues, withValues } from "./walk-state.ts";
import type { Reading } from "./walker.ts";

/** What changes how the rest of the line, or the next one, is read. */
const REWRITERS: readonly (readonly [name: RegExp, reason: string])[] = [
  [/^(?:un)?alias$/, "an alias changes what names mean"],
  [/^enable$/, "builtins are loaded or switched off"],
  [/^coproc$/, "a coprocess"],
  [/^bind$/, "keys are bound to commands"],
  [/^fc$/, "a command of the history is run again"],
  [/^comp(?:lete|gen|opt)$/, "a completion runs text"],
];

/** What a builtin does to the shell that reads the line. */
export function runBuiltin(reading: Reading, name: string, words: Words): void {
  const { walk, state } = reading;
  const rest = words.slice(1);
  for (const reason of doubtsOf(name, rest)) walk.doubt(reason, reading.node);
  if (/^(?:return|break|continue)$/.test(name)) walk.left.push(state);
  const options = rest.map(plainText).filter((word) => /^[-+]|^allexport$/.test(word)).join("");
  if (name === "set" ? /a/.test(options) : DECLARES.test(name) && options.includes("f")) {
    walk.context.exports = true;
  }
  if (name === "set" || name === "shift") {
    const given = changedArguments(name, rest, state.values.get(ARGUMENTS));
    reading.after = staying(withValues(state, [[ARGUMENTS, given]]));
  }
  if (/^(?:eval|source|\.)$/.test(name)) reading.after = staying(withoutValues(state));
  setNames(reading, name, words);
  move(reading, name, words);
}

/** Why what a builtin does is a question by itself. */
function doubtsOf(name: string, words: Words): readonly string[] {
  const texts = words.map(plainText);
  const rewrites = REWRITERS.flatMap(([rewriter, reason]) =>
    rewriter.test(name) && (name !== "alias" || words.length > 0) ? reason : []
  );
  const isSafe = name === "shopt" ? safeShopt(texts) : name !== "set" || safeSet(words);
  const runsText = /^(?:mapfile|readarray)$/.test(name) &&
    texts.some((text) => /^-\w*C/.test(text));
  return [
    ...rewrites,
    ...name === "hash" && /[^-r]/.test(words.join("")) ? ["the table of programs is changed"] : [],
    ...isSafe ? [] : ["a shell option changes how text is read"],
    ...runsText ? ["text is run for each line"] : [],
  ];
}

/** Note the variables that a builtin sets, and what they hold then. */
function setNames(reading: Reading, name: string, words: Words): void {
  const { walk: { context, variables, doubt }, node, span, state, input } = reading;
  const { doubts, sets } = nameUse(words, variables);
  for (const reason of doubts) doubt(reason, node);
  for (const set of sets) context.findings.sets.push({ ...set, span });
  if (sets.length === 0) return;
  const fills = /^(?:mapfile|readarray)$/.test(name);
  const changes = sets.flatMap(({ name: variable, value }) => {
    // What is read from a program that finds files are their names.
    const found = splits(reading, words) ? undefined : wholeLine(input.lines);
    if (fills && found !== undefined) {
      return isTracked(variable, variables) ? [[variable + ELEMENTS, found] as const] : [];
    }
    const known = value === null || value === ""
      ? name === "read" ? found : undefined
      : [quoted(value)];
    const values = isTracked(variable, variables) ? known : undefined;
    return [[variable, values], [`${variable}()`, undefined]] as const;
  });
  reading.after = staying(withValues(state, changes));
}

/** Whether `read` or `mapfile` splits what it reads elsewhere than at blanks, lines or NUL. */
function splits({ assignments }: Reading, words: Words): boolean {
  const texts = words.map(plainText);
  return assignments.some(({ name, value }) => name === "IFS" && value !== "") ||
    texts.some((text, at) => {
      const [, delimiter] = /^-[A-Za-z]*d([^]*)$/.exec(text) ?? [];
      return delimiter !== undefined && (delimiter || texts[at + 1]) !== "";
    });
}

/** Follow `cd` and what is like it. */
function move(reading: Reading, name: string, [first, ...words]: Words): void {
  const { walk: { context }, span, state } = reading;
  const spelled = plainText(first);
  if (!MOVES.test(spelled)) return;
  const { to, uses } = moved(context, [spelled, ...words], { state, cdpath: hasCdpath(reading) });
  for (const { path } of uses) {
    const use = { access: "read", span, by: name, path } as const;
    context.moves.add(use);
    context.findings.uses.push(use);
  }
  const before = state.lost || state.dirs.length === 0 ? undefined : state.dirs;
  reading.after = { ok: withValues(to, [["OLDPWD", before]]), fail: state };
}

function hasCdpath({ walk: { context: { findings, facts } }, assignments }: Reading): boolean {
  return [...findings.sets, ...assignments].some(({ name }) => name === "CDPATH") ||
    facts.state?.variables?.includes("CDPATH") === true || facts.env?.includes("CDPATH") === true;
}
