import { type Lazy, lazy } from "./lazy.ts";
import { compileWasm, readWasm } from "./wasm-module.ts";

/** A simple command, and the word in the place of its program's name, in UTF-16 code units. */
export interface FoundCommand {
  readonly start: number;
  readonly end: number;
  readonly name: { readonly start: number; readonly end: number };
}

/** Finds commands in shell text. */
export interface CommandFinder {
  /**
   * @returns The commands outside of what the grammar cannot read; `undefined` when the text takes too
   * much work.
   */
  find(text: string): readonly FoundCommand[] | undefined;
}

/** The grammar of bash. */
export type Grammar = Lazy<CommandFinder>;

/**
 * How often the parser reports progress before a text is given up: 10 kB of plain code take 120
 * steps. Work is counted, as time depends on the machine.
 */
const MOST_STEPS = 400;

async function load(): Promise<CommandFinder> {
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init({ wasmBinary: readWasm("web-tree-sitter/web-tree-sitter.wasm") });
  const grammar = compileWasm(readWasm("tree-sitter-bash/tree-sitter-bash.wasm"));
  const parser = new Parser();
  parser.setLanguage(Language.loadSync(grammar));
  return {
    find(text) {
      let steps = 0;
      const tree = parser.parse(text, null, { progressCallback: () => ++steps > MOST_STEPS });
      if (tree === null) {
        // Otherwise the next text would continue this one.
        parser.reset();
        return undefined;
      }
      const cursor = tree.walk();
      const found: FoundCommand[] = [];
      let command = { start: 0, end: 0 };
      try {
        for (let entered = true;;) {
          const { nodeType: type, startIndex: start, endIndex: end } = cursor;
          if (entered && type === "command") command = { start, end };
          // The name is the first child of a command but for assignments and redirections.
          else if (entered && type === "command_name") {
            found.push({ ...command, name: { start, end } });
          }
          if (entered && type !== "ERROR" && cursor.gotoFirstChild()) continue;
          entered = cursor.gotoNextSibling();
          if (!entered && !cursor.gotoParent()) return found;
        }
      } finally {
        cursor.delete();
        tree.delete();
      }
    },
  };
}

/** The grammar of tree-sitter-bash, run as WebAssembly; one for the whole process. */
export const bashGrammar: Grammar = lazy(load);
