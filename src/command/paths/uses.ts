import type { PathUse } from "../../event/command.ts";
import { type ParsedOptions, parseOptions } from "../options.ts";
import { isUnknown, PIPE_NAME, plainText } from "../words/marks.ts";
import { programName } from "../words/program-name.ts";
import { outputOptions } from "./outputs.ts";
import type { PathTable } from "./path-table.ts";
import type { RawUse } from "./raw-use.ts";
import { PATH_TABLES } from "./programs/programs.ts";

/** The paths that a command names, by what is known of its program. */
export function rawUses(words: readonly string[]): readonly RawUse[] {
  const [program, ...rest] = words;
  if (program === undefined || isUnknown(program)) return [];
  const name = programName(program);
  const table = PATH_TABLES.get(name);
  if (table === undefined) return outputOptions(name, rest);
  const uses = tableUses(name, rest, table);
  return [...uses, ...(name === "git" || name === "openssl" ? outputOptions(name, rest) : [])];
}

function tableUses(name: string, words: readonly string[], table: PathTable): RawUse[] {
  if (table.operands === "find") return findUses(words);
  if (name === "tar") words = oldStyle(words);
  const mode = name === "chmod"
    ? words.findIndex((word) => /^-[rwxXst]+$/.test(plainText(word)))
    : -1;
  const parsed = parseOptions(
    mode === -1 ? words : words.filter((_, index) => index !== mode),
    table.spec,
  );
  const uses: RawUse[] = [];
  for (const { name: option, value } of parsed.options) {
    if (value === undefined) continue;
    if (table.writes?.includes(option) === true) uses.push({ access: "write", marked: value });
    if (table.reads?.includes(option) === true) uses.push({ access: "read", marked: value });
  }
  const skips = mode === -1 && !has(parsed, table.unless);
  const operands = parsed.operands.slice(skips ? table.skip ?? 0 : 0);
  uses.push(...operandUses(operands, parsed, table));
  return uses.filter((use) => usable(use));
}

/** `-` is standard input or output; the pipe of a process substitution is nobody's file. */
function usable({ marked }: RawUse): boolean {
  return marked !== "-" && marked !== PIPE_NAME && marked !== "";
}

function has(parsed: ParsedOptions, names: readonly string[] | undefined): boolean {
  return names !== undefined && parsed.options.some(({ name }) => names.includes(name));
}

function operandUses(
  operands: readonly string[],
  parsed: ParsedOptions,
  table: PathTable,
): RawUse[] {
  const as = (access: PathUse["access"]) => (marked: string): RawUse => ({ access, marked });
  const target = parsed.options.find(({ name }) => table.target?.includes(name))?.value;
  const last = operands.at(-1);
  switch (table.operands) {
    case "none":
      return [];
    case "read": {
      if (!has(parsed, table.writing)) return operands.map(as("read"));
      const suffix = parsed.options.find(({ name }) => name === table.backup)?.value ?? "";
      return operands.flatMap((operand) =>
        suffix === "" ? [operand] : [operand, backupName(operand, suffix)]
      ).map(as("write"));
    }
    case "write":
      return operands.map(as("write"));
    case "copy":
    case "move": {
      if (has(parsed, table.writing)) return operands.map(as("write"));
      const from = as(table.operands === "move" ? "write" : "read");
      if (target !== undefined) return [...operands.map(from), as("write")(target)];
      if (last === undefined) return [];
      return [
        ...operands.slice(0, -1).map(from),
        as(operands.length === 1 ? "read" : "write")(last),
      ];
    }
    case "filter":
      return operands.map((marked, index) => as(index === 0 ? "read" : "write")(marked));
    case "last":
      return last === undefined ? [] : [as("write")(last)];
    case "dd":
      return operands.flatMap((operand) => {
        const match = /^(if|of)=([^]*)$/.exec(operand);
        return match === null ? [] : [as(match[1] === "if" ? "read" : "write")(match[2] ?? "")];
      });
    case "find":
      return [];
  }
}

/** GNU sed: a suffix with `*` is a pattern for the name, one with `/` a path. */
function backupName(operand: string, suffix: string): string {
  const plain = plainText(suffix);
  if (!plain.includes("*")) return operand + suffix;
  const slash = operand.lastIndexOf("/") + 1;
  const name = plain.replaceAll("*", operand.slice(slash));
  return plain.includes("/") ? name : operand.slice(0, slash) + name;
}

/** `tar xzf a.tgz`: the first word is a cluster whose values follow in order. */
function oldStyle(words: readonly string[]): readonly string[] {
  const [first, ...rest] = words;
  if (first === undefined || !/^[A-Za-z]+$/.test(first)) return words;
  const opened: string[] = [];
  for (const letter of first) {
    opened.push(`-${letter}`);
    if (/[bCfgHIKLNTVXF]/.test(letter)) {
      const value = rest.shift();
      if (value !== undefined) opened.push(value);
    }
  }
  return [...opened, ...rest];
}

const FIND_FILES = new Set(["-fprint", "-fprint0", "-fls", "-fprintf"]);
const FIND_READS = /^-(?:(?:a|c)?newer|newer[aBcm][aBcm]|samefile|files0-from)$/;

function findUses(words: readonly string[]): RawUse[] {
  const uses: RawUse[] = [];
  const deletes = words.includes("-delete");
  let at = 0;
  while (/^-(?:[HLP]|O\d|D)$/.test(words[at] ?? "")) at += words[at] === "-D" ? 2 : 1;
  for (; at < words.length; at++) {
    const word = words[at] ?? "";
    if (/^[-(!]/.test(plainText(word)) || word === ",") break;
    uses.push({ access: deletes ? "write" : "read", marked: word });
  }
  if (uses.length === 0 && deletes) uses.push({ access: "write", marked: "." });
  for (; at < words.length; at++) {
    const word = plainText(words[at] ?? "");
    const value = words[at + 1];
    if (value === undefined) continue;
    if (FIND_FILES.has(word)) uses.push({ access: "write", marked: value });
    else if (FIND_READS.test(word)) uses.push({ access: "read", marked: value });
  }
  return uses;
}
