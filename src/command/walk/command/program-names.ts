import type { Word } from "unbash";
import { TEMPORARY } from "../../words/placeholders.ts";
import { isPattern, isUnknown, plainText, type Words } from "../../words/word-marks.ts";
import { type Resolved, resolveWord } from "./resolve.ts";
import { shadowOf } from "./shadows.ts";
import { UNKNOWN_NAME } from "../values/names.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

/** Doubt a program whose name is not written in plain letters. */
export function nameDoubts(
  walk: Walker,
  name: Word,
  { words, state }: { readonly words: Words; readonly state: State },
): void {
  const [first = ""] = words;
  const question = (reason: string) => walk.doubt(reason, name);
  const types = new Set(name.parts?.map(({ type }) => type));
  const expands = /[$`]/.test(name.text.replace(/\\.|'[^']*'|\$$/g, ""));
  const files = types.has("BraceExpansion") ? undefined : filesNamed(walk, first, state);
  if (files !== undefined) {
    const use = { access: "use", span: walk.span(name), by: name.text } as const;
    walk.context.findings.uses.push(...files.map((file) => ({ ...use, ...file })));
    return;
  }
  if (types.has("AnsiCQuoted")) question("a program's name in escapes");
  else if (isUnknown(first) || (expands && !isTold(walk, name, words))) question(UNKNOWN_NAME);
  if (isPattern(first) && first !== "[") question("a program named by a pattern");
  if (/^~(?!\/)/.test(first)) question("a program below another user's home directory");
  if (types.has("BraceExpansion")) question("a program named by braces");
  const shadow = shadowOf(plainText(first), walk.context.facts.state);
  if (shadow !== undefined) question(shadow);
}

/**
 * The files of a directory that a program's name can mean; `undefined`: it can mean another program. Where
 * they lie is checked as for any path.
 */
function filesNamed(
  { context }: Walker,
  first: string,
  state: State,
): readonly Resolved[] | undefined {
  if (!isUnknown(first) && !isPattern(first)) return undefined;
  if (!context.choices.expand(first).every((each) => IN_A_DIRECTORY.test(each))) return undefined;
  const found = resolveWord(context, first, { state, reads: false });
  return found.some(({ path }) => path === undefined) ? undefined : found;
}

/** A path that begins with a directory, and with none where the system has its programs; `ls` prints names alone. */
const IN_A_DIRECTORY = new RegExp(
  `^(?!\\./(?:\\[!\\./\\])?\\*$)(?:\\./|${TEMPORARY}/|/tmp/|[\\w-][\\w.-]*/)[^~]*$`,
);

/** A variable, an array or the arguments, alone, behind plain letters or before a path; or what is printed before one. */
const VALUE =
  /^"?(?:[\w./-]*\$(?:\w+|@|\{\w+(?:\[@\])?\})(?:"?\/[\w./-]+)?|\$\([\w -]+\)"?\/[\w./-]+)"?$/;

/** Whether the line tells which program a value stands for; builtins do more than programs. */
function isTold({ context: { programs } }: Walker, { text }: Word, words: Words): boolean {
  const found = programs.find(words);
  const { name = "", program } = found ?? {};
  const isHarmless = !program?.inert || /^(?:true|false|:)$/.test(name);
  return VALUE.test(text) && isHarmless && !/^(?:source|\.|builtin)$/.test(name);
}
