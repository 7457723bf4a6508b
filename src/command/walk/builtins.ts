import { defined } from "../../value/defined.ts";
import { parseOptions } from "../program/parse-options.ts";
import { safeSet, safeShopt } from "../program/safe-options.ts";
import { noteEarly } from "./output/printed.ts";
import { textPrinted } from "./output/text-printed.ts";
import { columnOf, wholeLine } from "../program/output/output-lines.ts";
import { plainText, quoted, type Words } from "../words/word-marks.ts";
import { hasCdpath, moved, MOVES } from "./changed-directory.ts";
import { entered, madeDirectories } from "./sure-directories.ts";
import type { Findings } from "./findings.ts";
import { ARGUMENTS, type Held, held } from "./values/held.ts";
import { sourcesFile } from "./values/names-set.ts";
import { changedArguments } from "./values/known-words.ts";
import { DECLARES, NAME_TAKERS } from "./shell-options.ts";
import { nameUse } from "./values/names.ts";
import { isLost, staying, withoutValues, withValues } from "./walk-state.ts";
import type { Reading } from "./walker.ts";

/** What changes how the rest of the line, or the next one, is read. */
const REWRITERS: ReadonlyMap<string, string> = new Map([
  ["alias", "an alias changes what names mean"],
  ["unalias", "an alias changes what names mean"],
  ["enable", "builtins are loaded or switched off"],
  ["coproc", "a coprocess"],
  ["bind", "keys are bound to commands"],
  ["fc", "a command of the history is run again"],
  ["complete", "a completion runs text"],
  ["compgen", "a completion runs text"],
  ["compopt", "a completion runs text"],
]);

/** The builtins that do something to the shell that reads the line. */
const BUILTINS: ReadonlySet<string> = new Set([
  ...REWRITERS.keys(),
  ...NAME_TAKERS.keys(),
  ..."hash set shopt trap shift dirs eval source . test [ cd chdir pushd popd mkdir exit return break continue"
    .split(" "),
]);

/** What a builtin does to the shell that reads the line. */
export function runBuiltin(reading: Reading, name: string, words: Words): void {
  const { walk, state } = reading;
  if (!BUILTINS.has(name) && !BUILTINS.has(plainText(words[0]))) return;
  const rest = words.slice(1);
  for (const reason of doubtsOf(name, rest)) walk.doubt(reason, reading.node);
  if (/^(?:set|trap)$/.test(name) && tracesErrors(walk.context.findings)) {
    walk.doubt("what a trap prints can be in what a substitution prints", reading.node);
  }
  const options = rest.map(plainText).filter((word) => /^[-+]|^allexport$/.test(word)).join("");
  if (name === "set" ? /a/.test(options) : DECLARES.test(name) && options.includes("f")) {
    walk.context.exports = true;
  }
  if (/^(?:set|shopt)$/.test(name)) {
    walk.context.breaksOff ||= BREAKS_OFF.test(rest.map(plainText).join(" "));
  }
  if (name === "set" || name === "shift") {
    const given = reading.vanishes
      ? undefined
      : changedArguments(name, rest, held(state.values, ARGUMENTS).items);
    reading.after = staying(withValues(state, [{ name: ARGUMENTS, items: given }]));
  }
  // What a file does is its own.
  if (name === "dirs" && rest.length > 0) {
    reading.after = staying({ ...state, stack: undefined });
  }
  if (/^(?:eval|source|\.)$/.test(name) && !sourcesFile(words.map(plainText))) {
    reading.after = staying(withoutValues(state));
  }
  setNames(reading, name, words);
  move(reading, name, words);
  if (name === "mkdir") reading.after = madeDirectories(reading, words);
  leave(reading, name, rest);
}

/** Whether substitutions inherit a trap for errors that prints more than errors. */
function tracesErrors({ commands }: Findings): boolean {
  const isSet = commands.some(({ argv: [name, ...options] }) =>
    name === "set" && options.some((option) => /^-\w*E/.test(option ?? ""))
  );
  return isSet &&
    commands.some(({ argv: [name, text, ...signals] }) =>
      name === "trap" && signals.some((each) => /^(?:sig)?err$/i.test(each ?? "ERR")) &&
      !PRINTS_ERRORS.test(text ?? "")
    );
}

const PRINTS_ERRORS = /^(?:echo|printf) [^;&|<>()`]*>&2(?:; ?exit \d+)?$/;

/** Options with which a command that fails, a variable that is not set or a pattern that fits nothing ends the shell. */
const BREAKS_OFF = /(?:^| )-\w*[eu]|errexit|nounset|failglob/;

/** What follows `exit`, and `return` in a function, is not run by this way. */
function leave(reading: Reading, name: string, words: Words): void {
  const { walk, state } = reading;
  if (/^(?:exit|return|break|continue)$/.test(name)) noteEarly(walk.context, state);
  if (/^(?:return|break|continue)$/.test(name)) walk.left.push(state);
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

/** Words of `hash` that do more than to find a program as a command would. */
const CHANGES = /(?:^| )(?!-[rlt]+(?: |$)|\w[\w.+-]*(?: |$))./;

/** Why what a builtin does is a question by itself. */
function doubtsOf(name: string, words: Words): readonly string[] {
  const texts = words.map(plainText);
  const rewrites = name === "alias" && words.length === 0 ? undefined : REWRITERS.get(name);
  const isSafe = name === "shopt" ? safeShopt(texts) : name !== "set" || safeSet(words);
  const runsText = /^(?:mapfile|readarray)$/.test(name) &&
    texts.some((text) => /^-\w*C/.test(text));
  return [
    ...rewrites === undefined ? [] : [rewrites],
    ...name === "hash" && CHANGES.test(words.join(" ")) ? ["the table of programs is changed"] : [],
    ...isSafe ? [] : ["a shell option changes how text is read"],
    ...runsText ? ["text is run for each line"] : [],
  ];
}

/** Note the variables that a builtin sets, and what they hold then. */
function setNames(reading: Reading, name: string, words: Words): void {
  const { walk: { context, doubt }, node, span, state, input } = reading;
  const { doubts, sets } = nameUse(words, reading.walk, state);
  for (const reason of doubts) doubt(reason, node);
  for (const set of sets) context.findings.sets.push({ ...set, span });
  if (sets.length === 0) return;
  const options = /^(?:mapfile|readarray)$/.test(name) ? lineOptions(name, words) : undefined;
  // With the ends of its lines a text is another one.
  const isExact = !input.lines?.spelled || options?.includes("t");
  const found = options && isExact ? wholeLine(input.lines) : undefined;
  const isAllNames = words.slice(1).every((word) => /^[A-Za-z_]\w*$/.test(word));
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
        : name === "printf" && words[2] === variable && words.length > 3
        ? textPrinted(reading, [name, ...words.slice(3)])?.texts
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
  const { options, unknown } = parseOptions(words.slice(1), { spec, strict: true });
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
function move(reading: Reading, name: string, [first, ...words]: Words): void {
  const { walk: { context }, span, state } = reading;
  const spelled = plainText(first);
  if (!MOVES.test(spelled)) return;
  const { to, uses } = moved(context, [spelled, ...words], { state, cdpath: hasCdpath(reading) });
  for (const { path } of uses) {
    const use = { access: "read", span, by: name, ...defined({ path }) } as const;
    context.moves.add(use);
    context.findings.uses.push(use);
  }
  const ok = withValues(to, [{ name: "OLDPWD", texts: state.dirs }]);
  // `popd` fails where nothing was pushed, and the shell is still where it would lead.
  reading.after = name === "popd" && !isLost(to)
    ? staying(ok)
    : entered(reading, [spelled, ...words], { ok, fail: state });
}
