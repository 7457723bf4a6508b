import { defined } from "../../value/defined.ts";
import { parseOptions } from "../program/parse-options.ts";
import { safeSet, safeShopt } from "../program/safe-options.ts";
import { noteEarly } from "./output/printed.ts";
import { textPrinted } from "./output/text-printed.ts";
import { columnOf, wholeLine } from "../program/output/output-lines.ts";
import { plainText, quoted, type Words } from "../words/word-marks.ts";
import { hasCdpath, moved } from "./changed-directory.ts";
import { entered, madeDirectories } from "./sure-directories.ts";
import { ARGUMENTS, type Held, held } from "./values/held.ts";
import { sourcesFile } from "./values/names-set.ts";
import { changedArguments } from "./values/known-words.ts";
import { DECLARES, NAME_TAKERS } from "./shell-options.ts";
import { nameUse } from "./values/names.ts";
import { isLost, staying, withoutValues, withValues } from "./walk-state.ts";
import type { Reading } from "./walker.ts";

type Effect = (reading: Reading, name: string, words: Words) => void;

function asks(reason: string, when: (words: Words) => boolean = () => true): Effect {
  return ({ walk, node }, _, words) => {
    if (when(words)) walk.doubt(reason, node);
  };
}

/** What builtins do to the shell that reads the line, by their names. */
const EFFECTS: ReadonlyMap<string, Effect> = new Map(([
  ["alias unalias", asks("an alias changes what names mean", ({ length }) => length > 0)],
  ["enable", asks("builtins are loaded or switched off")],
  ["coproc", asks("a coprocess")],
  ["bind", asks("keys are bound to commands")],
  ["fc", asks("a command of the history is run again")],
  ["complete compgen compopt", asks("a completion runs text")],
  ["hash", asks("the table of programs is changed", (words) => CHANGES.test(words.join(" ")))],
  ["set shopt", changeOptions],
  ["shift", changeArguments],
  ["trap", noteTracing],
  ["eval source .", runCode],
  ["cd chdir pushd popd", move],
  ["dirs", changeStack],
  ["mkdir", madeDirectories],
  ["exit return break continue", leave],
  [`test [ ${[...NAME_TAKERS.keys()].join(" ")}`, setNames],
] as const).flatMap(([names, effect]) => names.split(" ").map((name) => [name, effect] as const)));

/** What a builtin does to the shell that reads the line. */
export function runBuiltin(reading: Reading, [first, ...words]: Words): void {
  const name = plainText(first);
  EFFECTS.get(name)?.(reading, name, words);
}

/** Words of `hash` that do more than to find a program as a command would. */
const CHANGES = /(?:^| )(?!-[rlt]+(?: |$)|\w[\w.+-]*(?: |$))./;

function runCode(reading: Reading, name: string, words: Words): void {
  // What a file does is its own.
  if (sourcesFile([name, ...words.map(plainText)])) return;
  reading.after = staying(withoutValues(reading.state));
}

function changeStack(reading: Reading, _name: string, words: Words): void {
  if (words.length > 0) reading.after = staying({ ...reading.state, stack: undefined });
}

/** Note what options of the shell change for what follows. */
function changeOptions(reading: Reading, name: string, words: Words): void {
  const { walk: { context, doubt }, node } = reading;
  const texts = words.map(plainText);
  const isSafe = name === "shopt" ? safeShopt(texts) : safeSet(words);
  if (!isSafe) doubt("a shell option changes how text is read", node);
  context.breaksOff ||= BREAKS_OFF.test(texts.join(" "));
  if (name === "shopt") return;
  context.exports ||= texts.some((text) => /^[-+].*a|^allexport$/.test(text));
  noteTracing(reading);
  changeArguments(reading, name, words);
}

/** Change the arguments as `set` and `shift` do. */
function changeArguments(reading: Reading, name: string, words: Words): void {
  const { state, vanishes } = reading;
  const before = held(state.values, ARGUMENTS).items;
  const items = vanishes ? undefined : changedArguments(name, words, before);
  reading.after = staying(withValues(state, [{ name: ARGUMENTS, items }]));
}

/** Doubt it where substitutions inherit a trap for errors that prints more than errors. */
function noteTracing(
  { walk: { context: { findings: { commands } }, doubt }, node }: Reading,
): void {
  const isSet = commands.some(({ argv: [name, ...options] }) =>
    name === "set" && options.some((option) => /^-\w*E/.test(option ?? ""))
  );
  const prints = isSet &&
    commands.some(({ argv: [name, text, ...signals] }) =>
      name === "trap" && signals.some((each) => /^(?:sig)?err$/i.test(each ?? "ERR")) &&
      !PRINTS_ERRORS.test(text ?? "")
    );
  if (prints) doubt("what a trap prints can be in what a substitution prints", node);
}

const PRINTS_ERRORS = /^(?:echo|printf) [^;&|<>()`]*>&2(?:; ?exit \d+)?$/;

/** Options with which a command that fails, a variable that is not set or a pattern that fits nothing ends the shell. */
const BREAKS_OFF = /(?:^| )-\w*[eu]|errexit|nounset|failglob/;

/** What follows `exit`, and `return` in a function, is not run by this way. */
function leave(reading: Reading, name: string, words: Words): void {
  const { walk, state } = reading;
  noteEarly(walk.context, state);
  if (name !== "exit") walk.left.push(state);
  const leaves = name === "exit" || (name === "return" && walk.calls.length > 0) ||
    (/^(?:break|continue)$/.test(name) && walk.rounds > 0);
  if (!leaves) return;
  // With other words they do not leave.
  const [status = "1", ...others] = words;
  const fits = /^(?:break|continue)$/.test(name) ? ROUNDS : STATUS;
  if (others.length === 0 && fits.test(status)) {
    reading.after = staying({ ...state, ended: true });
  }
}

/** Note the variables that a builtin sets, and what they hold then. */
function setNames(reading: Reading, name: string, words: Words): void {
  const { walk: { context, doubt }, node, span, state, input } = reading;
  const { doubts, sets } = nameUse([name, ...words], reading.walk, state);
  for (const reason of doubts) doubt(reason, node);
  const has = (option: RegExp) => words.some((word) => option.test(plainText(word)));
  if (DECLARES.test(name) && has(/^[-+].*f/)) context.exports = true;
  if (/^(?:mapfile|readarray)$/.test(name) && has(/^-\w*C/)) {
    doubt("text is run for each line", node);
  }
  for (const set of sets) context.findings.sets.push({ ...set, span });
  if (sets.length === 0) return;
  const options = /^(?:mapfile|readarray)$/.test(name) ? lineOptions(name, words) : undefined;
  // With the ends of its lines a text is another one.
  const isExact = !input.lines?.spelled || options?.includes("t");
  const found = options && isExact ? wholeLine(input.lines) : undefined;
  const isAllNames = words.every((word) => /^[A-Za-z_]\w*$/.test(word));
  const changes = sets.flatMap(({ name: variable, value }, index): readonly Held[] => {
    // `export x` leaves it as it is, and `let` a number.
    if (DECLARES.test(name) && isAllNames || name === "let") return [];
    if (found !== undefined) {
      // What was read before is not there any more, so it is not known which there are.
      return [{ name: variable, items: input.lines?.spelled ? undefined : found, some: found }];
    }
    const isLast = index === sets.length - 1;
    const texts = value === null || value === ""
      ? name === "read"
        ? fieldRead(reading, words, { index, isLast })
        : name === "printf" && words[1] === variable && words.length > 2
        ? textPrinted(reading, [name, ...words.slice(2)])?.texts
        : undefined
      : [quoted(value)];
    // It is no map any more, or no function.
    return [{
      name: variable,
      texts,
      ...(name === "unset" && { isMap: undefined, isFunction: undefined }),
    }];
  });
  const ok = withValues(state, changes);
  // Where `read` fails, there was nothing to read.
  const empty = changes.map((each) => ({ ...each, texts: each.texts && [...each.texts, ""] }));
  reading.after = { ok, fail: name === "read" ? withValues(state, empty) : ok };
}

const ROUNDS = /^[1-9]$/;
const STATUS = /^\d+$/;

/** The options with which a builtin reads whole lines, or what NUL ends; `undefined`: there are others. */
function lineOptions(name: string, words: Words): readonly string[] | undefined {
  const spec = NAME_TAKERS.get(name);
  const { options, unknown } = parseOptions(words, { spec, strict: true });
  const isPlain = options.every((each) =>
    each.name === "d" ? each.value === "" : each.value === undefined && /^[rst]$/.test(each.name)
  );
  return unknown || !isPlain ? undefined : options.map((each) => each.name);
}

/** What `read` puts into one of its variables: a field of the line, and into the last one the rest. */
function fieldRead(
  { walk, input: { from, text, shared, lines }, assignments }: Reading,
  words: Words,
  { index, isLast }: { readonly index: number; readonly isLast: boolean },
): Words | undefined {
  // With other options it can read less, from elsewhere, or nothing.
  const options = lineOptions("read", words);
  if (from === "text" && text && !shared && options?.join() === "r,d" && isLast && index === 0) {
    // All of a here-document is in its one variable, without the blanks around it.
    const isSplit = !assignments.some(({ name }) => name === "IFS") &&
      !walk.variables.set.has("IFS");
    return isSplit ? [quoted(text.trim())] : undefined;
  }
  if (!lines || !options || (lines.spelled && options.includes("d"))) return undefined;
  const ifs = assignments.findLast(({ name }) => name === "IFS");
  if (ifs === undefined && walk.context.findings.sets.some(({ name }) => name === "IFS")) {
    return undefined;
  }
  const by = ifs?.value;
  const { fields } = lines;
  if (fields.length === 1) {
    // Behind the last line, and behind the one word of a line, there is nothing.
    if (lines.spelled && !by) return index > 0 ? [""] : fields[0] && [...fields[0], ""];
    if (by) return undefined;
    return index > 0 ? fields[0] && [...fields[0], ""] : fields[0];
  }
  return isLast && index < fields.length - 1 ? undefined : columnOf(lines, index, by);
}

/** Follow `cd` and what is like it. */
function move(reading: Reading, name: string, words: Words): void {
  const { walk: { context }, span, state } = reading;
  const { to, uses } = moved(context, [name, ...words], { state, cdpath: hasCdpath(reading) });
  for (const { path } of uses) {
    const use = { access: "read", span, by: name, ...defined({ path }) } as const;
    context.moves.add(use);
    context.findings.uses.push(use);
  }
  const ok = withValues(to, [{ name: "OLDPWD", texts: state.dirs }]);
  // `popd` fails where nothing was pushed, and the shell is still where it would lead.
  reading.after = name === "popd" && !isLost(to)
    ? staying(ok)
    : entered(reading, words, { ok, fail: state });
}
