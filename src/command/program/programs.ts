import { defined } from "../../value/defined.ts";
import { isUnknown, plainText, type Words } from "../words/word-marks.ts";
import { type OptionSpec, optionSpec } from "./parse-options.ts";
import type { Program } from "./program-record.ts";
import { FILES } from "./records/files.ts";
import { SHELLS } from "./records/shell-programs.ts";
import { SYSTEM } from "./records/system.ts";
import { TEXT } from "./records/text.ts";
import { TOOLS } from "./records/developer-tools.ts";
import { WRAPPERS } from "./records/wrappers.ts";

/** A program that is known, and the words by which its record describes it. */
export interface FoundProgram {
  /** The name in the record: `rm` for `/bin/rm` and `grm`, `pip` for `pip3`. */
  readonly name: string;
  readonly program: Program;
  readonly spec: OptionSpec | undefined;
  /** The words behind the name; `git-push x` has `push x`. */
  readonly words: Words;
}

/** Every program that is known, by name. */
export class Programs {
  readonly #records = new Map<string, { readonly program: Program; readonly name: string }>();
  #dangers: ReadonlySet<string> | undefined;

  /** @param more Records of the user; they stand before the built-in ones. */
  constructor(more: readonly Program[] = []) {
    const records = [...FILES, ...TEXT, ...SYSTEM, ...TOOLS, ...WRAPPERS, ...SHELLS, ...more];
    // With the same fields in all of them; others are slow to read.
    const fields = Object.fromEntries(records.flatMap(Object.keys).map((key) => [key, undefined]));
    const alike = (each: Program): Program => ({ ...fields, ...each });
    for (const record of records) {
      const commands = record.commands?.map(alike);
      const program = { ...alike(record), ...defined({ commands }) };
      for (const all of record.names.split(/\s+/)) {
        const [name = "", ...others] = all.split(",");
        for (const each of [name, ...others]) this.#records.set(each, { program, name });
      }
    }
  }

  /** Whether more of a line depends on this very name than on what the line itself starts by it. */
  isReserved(name: string): boolean {
    const { operands = "read", syntax, inert } = this.#records.get(name)?.program ?? {};
    const isRead = syntax !== undefined && syntax !== "language";
    return operands !== "read" || isRead || inert !== undefined;
  }

  /** The names of the dangers in the records, each once. */
  dangers(): ReadonlySet<string> {
    const all = () =>
      [...this.#records.values()].flatMap(({ program }) => [program, ...program.commands ?? []])
        .flatMap(({ dangers = [] }) => dangers);
    return this.#dangers ??= new Set(all().map(({ name }) => name));
  }

  /** Find the program that marked words start, under whatever name. */
  find(words: readonly string[]): FoundProgram | undefined {
    const [first] = words;
    if (first === undefined) return undefined;
    const text = plainText(first).replace(
      /^\/proc\/(?:self|thread-self|\d+)\/(?:.*\/)?exe$/,
      "bash",
    );
    const last = text.replace(/^.*[\\/]/, "");
    if (isUnknown(last)) return undefined;
    for (const [alias, before] of aliases(last)) {
      const record = this.#records.get(alias);
      if (record === undefined) continue;
      const { program, name } = record;
      const spec = program.options === undefined ? undefined : optionSpec(program.options);
      const rest = name === "python" ? withModule(words.slice(1)) : words.slice(1);
      return { name, program, spec, words: before.length === 0 ? rest : [...before, ...rest] };
    }
    return undefined;
  }
}

/** `python -Impip` is `python -I -m pip`. */
function withModule(words: Words): Words {
  const at = words.findIndex((word) => !/^-[bBdEiIOPqRsSuvx]+$/.test(word));
  const [, flags = "", name] = /^-([bBdEiIOPqRsSuvx]*)m(.*)$/.exec(words[at] ?? "") ?? [];
  if (name === undefined || flags + name === "") return words;
  const apart = [flags && `-${flags}`, "-m", name].filter((word) => word !== "");
  return [...words.slice(0, at), ...apart, ...words.slice(at + 1)];
}

/** The programs that are known without any record of the user. */
export const BUILT_IN: Programs = new Programs();

/** The names that a program can have in a record, with the words that they stand for. */
function* aliases(name: string): Iterable<readonly [name: string, words: Words]> {
  yield [name, []];
  if (/^ld(?:-linux|-musl|-\d|\.so|64\.so)/.test(name)) yield ["ld.so", []];
  if (name.startsWith("git-")) yield ["git", [name.slice(4)]];
  if (name === "docker-compose") yield ["docker", ["compose"]];
  yield [name.replace(/\.exe$/, ""), []];
  yield [name.replace(/[-.]?\d[\d.]*$/, ""), []];
  // The names of the GNU programs where others are installed as well.
  if (/^g[a-z]/.test(name)) yield [name.slice(1), []];
}
