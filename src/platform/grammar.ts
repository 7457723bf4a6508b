import { readFile } from "node:fs/promises";
import { createRequire } from "node:module";
import process from "node:process";
import { fileURLToPath } from "node:url";

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

/** Deeper trees are of no honest use, and the walk over them is recursive. */
const DEEPEST = 250;
/** Shorter texts cannot take long enough to be worth asking for the time. */
const QUICK = 1_000;

interface ForeignNode {
  readonly type: string;
  readonly startIndex: number;
  readonly endIndex: number;
  readonly children: readonly ForeignNode[];
}

class TooDeep extends Error {}

function plain(node: ForeignNode, depth: number): SyntaxNode {
  if (depth > DEEPEST) throw new TooDeep();
  const children = node.children;
  const copies: SyntaxNode[] = new Array(children.length);
  for (const [index, child] of children.entries()) copies[index] = plain(child, depth + 1);
  return { type: node.type, start: node.startIndex, end: node.endIndex, children: copies };
}

async function grammarBytes(): Promise<Uint8Array> {
  const name = "tree-sitter-bash/tree-sitter-bash.wasm";
  let path: string;
  try {
    path = createRequire(import.meta.url).resolve(name);
  } catch {
    path = fileURLToPath(import.meta.resolve(name));
  }
  return await readFile(path);
}

/**
 * Node that has nothing to wait for but the compiler's threads waits for all of them, the optimising
 * ones too, and what is started meanwhile is not heard of for seconds: a timer is something else to wait for.
 */
async function load(): Promise<TextParser> {
  const awake = setInterval(() => {}, 60_000);
  try {
    return await compile();
  } finally {
    clearInterval(awake);
  }
}

async function compile(): Promise<TextParser> {
  const { Language, Parser } = await import("web-tree-sitter");
  await Parser.init();
  const parser = new Parser();
  parser.setLanguage(await Language.load(await grammarBytes()));
  return {
    parse(text, limitMs) {
      const tree = text.length > QUICK
        ? parser.parse(text, null, { progressCallback: overtime(limitMs) })
        : parser.parse(text);
      if (tree === null) {
        // What was given up would be continued by the next text.
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
 * Tells when a time is over that was spent on work: where this process was given no processor for as
 * long, it has taken none of that. What other threads of it take counts, too, but never more than the
 * time that has passed.
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
        throw new Error(
          'Cannot load "tree-sitter-bash": the analysis of commands is not available',
          {
            cause,
          },
        );
      },
    );
    return loading;
  },
};
