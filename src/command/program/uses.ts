import type { PathUse } from "../../event/command.ts";
import { isUnknown, PIPE_NAME, plainText } from "../words/marks.ts";
import { givenAs, type ParsedOptions } from "./options.ts";
import type { FoundProgram } from "./programs.ts";

/** A marked word that a program takes for a path. */
export interface RawUse {
  readonly access: PathUse["access"];
  readonly marked: string;
}

/** The paths that a program names in its words. */
export function pathUses(found: FoundProgram, parsed: ParsedOptions): readonly RawUse[] {
  const { program, words, spec } = found;
  const uses: RawUse[] = [];
  for (const access of ["writes", "reads"] as const) {
    for (const { value } of givenAs(parsed, program[access])) {
      if (value !== undefined) {
        uses.push({ access: access === "writes" ? "write" : "read", marked: value });
      }
    }
  }
  uses.push(...operandUses(found, parsed));
  // Where options are not known, or not in the table, what looks like an output path counts.
  if (spec === undefined || parsed.unknown || program.syntax === "git") {
    uses.push(...outputOptions(words));
  }
  if (spec === undefined && program.operands === undefined && program.readOnly === undefined) {
    uses.push(...insideWords(words));
  }
  return uses.filter(({ marked }) => marked !== "-" && marked !== PIPE_NAME && marked !== "");
}

function operandUses({ program, words }: FoundProgram, parsed: ParsedOptions): RawUse[] {
  const as = (access: PathUse["access"]) => (marked: string): RawUse => ({ access, marked });
  const has = (list: string | undefined) => givenAs(parsed, list).length > 0;
  if (program.syntax === "dd") {
    return words.flatMap((word) => {
      const [, name, value = ""] = /^(if|of)=([^]*)$/.exec(word) ?? [];
      return name === undefined ? [] : [as(name === "if" ? "read" : "write")(value)];
    });
  }
  const mode = program.syntax === "chmod" && words.some((word) => CHMOD_MODE.test(plainText(word)));
  const operands = parsed.operands.slice(mode || has(program.unless) ? 0 : program.skip ?? 0);
  const last = operands.at(-1);
  switch (program.operands) {
    case "read": {
      const writing = givenAs(parsed, program.writing);
      if (writing.length === 0) return operands.map(as("read"));
      const suffix = writing.find(({ value }) => value !== undefined)?.value;
      return operands.flatMap((operand) =>
        suffix === undefined ? [operand] : [operand, backupName(operand, suffix)]
      ).map(as("write"));
    }
    case "write":
      return operands.map(as("write"));
    case "copy":
    case "move": {
      if (has(program.writing)) return operands.map(as("write"));
      const from = as(program.operands === "move" ? "write" : "read");
      const target = givenAs(parsed, program.target)[0]?.value;
      if (target !== undefined) return [...operands.map(from), as("write")(target)];
      if (last === undefined) return [];
      const rest = operands.slice(0, -1).map(from);
      return [...rest, as(operands.length === 1 ? "read" : "write")(last)];
    }
    case "filter":
      return operands.map((marked, index) => as(index === 0 ? "read" : "write")(marked));
    case "last":
      return last === undefined ? [] : [as("write")(last)];
    default:
      return [];
  }
}

/** `chmod -x a`: a mode that looks like options. */
export const CHMOD_MODE: RegExp = /^-[rwxXst]+$/;

/** GNU sed: a suffix with `*` is a pattern for the name, one with `/` a path. */
function backupName(operand: string, suffix: string): string {
  const plain = plainText(suffix);
  if (!plain.includes("*")) return operand + suffix;
  const slash = operand.lastIndexOf("/") + 1;
  const name = plain.replaceAll("*", operand.slice(slash));
  return plain.includes("/") ? name : operand.slice(0, slash) + name;
}

/** Names of long options that take a path. */
const LONG =
  /^--?[\w-]*(?:out|dest|prefix|root|target|dir|log|report|file|save|cwd|path|tree|xml|cache|config|folder|location|marks)(?!\w*(?:pattern|regex|filter|glob|format|level))[\w-]*$/i;
const SHORT = /^-(?:o|C|O|P|d|t|B|f|D|p)$/;
const GLUED = /^-[oC](?=[/~.])/;
/** What can only be a path that leads away. */
const AWAY = /^(?:\/|~|\.\.(?:\/|$)|[A-Za-z]:[\\/])|\/\.\.(?:\/|$)/;
/** What other programs run or take settings from, wherever it is. */
const INSIDE =
  /(?:^|\/)\.(?:git|husky|vscode|idea|ssh|claude|codex|cursor|envrc|npmrc|bash\w*|profile|zsh\w*)(?:\/|$)/;

/** Words that name what other programs run: a program that is not known could write it. */
export function insideWords(words: readonly string[]): readonly RawUse[] {
  return words.filter((word) =>
    !isUnknown(word) && INSIDE.test(plainText(word)) && !/\s/.test(plainText(word))
  )
    .map((marked) => ({ access: "write", marked: marked.replace(/^-[^=]*=/, "") }));
}

/**
 * The values of options that look like an output path: one that leads out of the working directory,
 * or to what other programs run. A relative value stays below the directory otherwise.
 */
export function outputOptions(words: readonly string[]): readonly RawUse[] {
  const uses: RawUse[] = [];
  const add = (value: string | undefined) => {
    if (value === undefined || isUnknown(value)) return;
    const text = plainText(value);
    if (AWAY.test(text) || INSIDE.test(text)) uses.push({ access: "write", marked: value });
  };
  for (const [index, word] of words.entries()) {
    const text = plainText(word);
    if (text === "--") break;
    if (!text.startsWith("-")) continue;
    const equals = word.indexOf("=");
    if (equals !== -1 && LONG.test(text.slice(0, equals))) add(word.slice(equals + 1));
    else if (LONG.test(text) || SHORT.test(text)) add(words[index + 1]);
    else if (GLUED.test(text)) add(word.slice(2));
  }
  return uses;
}
