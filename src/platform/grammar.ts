import process from "node:process";
import { compileWasm, readWasm } from "./wasm-module.ts";

/** A node of a syntax tree, as plain data; offsets are UTF-16 code units into the text. */
export interface SyntaxNode {
  readonly type: string;
  readonly start: number;
  readonly end: number;
  readonly children: readonly SyntaxNode[];
}

/** A whole tree, and whether the grammar found no fault in the text. */
export interface SyntaxTree {
  readonly root: SyntaxNode;
  /** Some part is an error, or was made up to close a construct. */
  readonly faulty: boolean;
}

/** Reads shell text; synchronous, as a line takes less time than a turn of the event loop. */
export interface TextParser {
  /** @returns The tree, or `undefined` when `limitMs` milliseconds of work were not enough or it nests too deep. */
  parse(text: string, limitMs: number): SyntaxTree | undefined;
}

/** The grammar of bash, loaded when it is first needed. */
export interface Grammar {
  /** The parser, once it is loaded. */
  readonly loaded: TextParser | undefined;
  /** Load the parser, once; a failure rejects, and the next call tries again. */
  warm(): Promise<TextParser>;
}

/** The walk over a tree is recursive; no honest line nests deeper. */
const MAX_DEPTH = 250;
/** In UTF-16 code units; shorter texts are parsed faster than any limit. */
const UNLIMITED_LENGTH = 1_000;

interface TreeSitterNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly TreeSitterNode[];
}

class TooDeep extends Error {}

function plain(node: TreeSitterNode, depth: number): SyntaxNode {
  if (depth > MAX_DEPTH) throw new TooDeep();
  const children = node.children;
  const copies: SyntaxNode[] = new Array(children.length);
  for (const [index, child] of children.entries()) copies[index] = plain(child, depth + 1);
  return { type: node.type, start: node.startIndex, end: node.endIndex, children: copies };
}

async function load(): Promise<TextParser> {
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init({ wasmBinary: readWasm("web-tree-sitter/web-tree-sitter.wasm") });
  const grammar = compileWasm(readWasm("tree-sitter-bash/tree-sitter-bash.wasm"));
  const parser = new Parser();
  parser.setLanguage(Language.loadSync(grammar));
  return {
    parse(text, limitMs) {
      const tree = text.length > UNLIMITED_LENGTH
        ? parser.parse(text, null, { progressCallback: overtime(limitMs) })
        : parser.parse(text);
      if (tree === null) {
        // Otherwise the next text would continue this one.
        parser.reset();
        return undefined;
      }
      try {
        return { root: plain(tree.rootNode, 0), faulty: tree.rootNode.hasError };
      } catch (cause) {
        if (cause instanceof TooDeep) return undefined;
        throw cause;
      } finally {
        tree.delete();
      }
    },
  };
}

/**
 * Answers whether a limit of work has passed, by the processor time of this process: on a busy machine
 * the time that has passed says less.
 */
function overtime(limitMs: number): () => boolean {
  const end = performance.now() + limitMs;
  const before = process.cpuUsage();
  return () => {
    if (performance.now() <= end) return false;
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1e3 > limitMs;
  };
}

let loaded: TextParser | undefined;
let loading: Promise<TextParser> | undefined;

/** The grammar of tree-sitter-bash, run as WebAssembly; one for the whole process. */
export const bashGrammar: Grammar = {
  get loaded() {
    return loaded;
  },
  warm() {
    loading ??= load().then(
      (parser) => loaded = parser,
      (cause: unknown) => {
        loading = undefined;
        const why = cause instanceof Error ? cause.message : String(cause);
        throw new Error(`Cannot analyse commands: ${why}`, { cause });
      },
    );
    return loading;
  },
};
