import type { Command, SyntaxNode } from "unbash";
import { nodesIn } from "../../syntax.ts";

/** What a shell expands in a text, taken for the whole of it. */
export const EXPANSIONS: RegExp = /\$\{[^}]*\}|\$\([^]*\)|\$\w+|`[^`]*`/g;
/** What could be an option, a path that matters, or a setting. */
const HAZARD = /^[-+@][^\s]|\/|^\.[^/]|^~|=/;

/** What bash would run if it evaluated it, written out or in escapes, but for the last fields of awk. */
const EVALUATED =
  /\$\((?!NF(?:-\d+)?\)|[a-z][-+]\d+\))|`[^`\s][^`]*`|\\(?:x24|x60|0?44|0?140|u0*24|u0*60)/i;

/** Gathers the texts of a line that could be in a value that is not followed, and are more than text there. */
export class Literals {
  readonly #found = new Set<string>();
  /** The texts that variables can hold, but for those of commands that print. */
  readonly texts: string[] = [];
  /** What `IFS` is set to. */
  #separators = "";
  #setsIfs = false;
  /** The elements of arrays. */
  readonly #lists: (readonly string[])[] = [];
  readonly #calls: { readonly name: string; readonly texts: readonly string[] }[] = [];
  readonly #functions = new Set<string>();
  #takesLast = false;

  /** Take a node of the line into account. */
  visit(node: SyntaxNode): void {
    switch (node.type) {
      case "Assignment": {
        const { name, value } = node;
        if (name === "IFS" && value.type === "Word") {
          this.#setsIfs = true;
          this.#separators += value.value;
        }
        if (value.type === "Word") return this.#spell([value]);
        this.#lists.push(value.elements.map((each) => each.value));
        return this.#spell(value.elements);
      }
      case "For":
      case "Select":
        return this.#spell(node.wordlist ?? []);
      case "ParameterExpansion":
        return node.operation?.type === "Default"
          ? this.#spell([node.operation.operand])
          : undefined;
      case "HereString":
        return node.target && this.#spell([node.target]);
      case "HereDocBody":
        return this.#keep(node.text);
      case "TestBinary":
        return this.#spell([node.left, node.right]);
      case "SimpleExpansion":
        // The last word of the command before.
        this.#takesLast ||= node.text === "$_";
        return;
      case "Function":
        this.#functions.add(node.name.text);
        return;
      case "Command": {
        const [name = "", ...texts] = spelledWords(node);
        this.#calls.push({ name, texts });
      }
    }
  }

  /** What was found, once every node was visited. */
  found(): readonly string[] {
    for (const { name, texts } of this.#calls) {
      if (name === "set") {
        const given = texts.slice(texts.indexOf("--") + 1 || texts.length);
        given.forEach(this.#keep);
        this.#lists.push(given);
      } else if (
        /^(?:getopts|eval|echo|printf)$/.test(name) || this.#takesLast || this.#functions.has(name)
      ) {
        texts.forEach(this.#keep);
      }
    }
    // With an empty `IFS`, `"${a[*]}"` is one word.
    if (this.#setsIfs) this.#lists.forEach((list) => this.#keep(list.join("")));
    const separators = [...new Set(this.#separators)];
    for (const text of this.texts) {
      const parts = separators.flatMap((separator) => text.split(separator));
      for (const part of [text, ...text.split(/[\s:,]+/), ...parts]) {
        // Of the element of a map, and of a setting, the value.
        for (const each of [part, part.replace(/^[^=]*=/, "")]) {
          // A slash between others stands alone once they are taken out.
          if (HAZARD.test(each) && (each !== "/" || text === "/")) this.#found.add(each);
        }
      }
    }
    return [...this.#found];
  }

  #spell(words: readonly SyntaxNode[]): void {
    for (const word of words) if (word.type === "Word") this.#keep(word.value);
  }

  readonly #keep = (text: string): void => {
    this.texts.push(text.replace(EXPANSIONS, " "));
  };
}

/** The texts of the words of a simple command. */
export function spelledWords({ name, args }: Command): readonly string[] {
  const words = args.filter((part) => part.type === "Word");
  return (name === undefined ? words : [name, ...words]).map(({ value }) => value);
}

/** Whether some text of a line would run a program if it were evaluated. */
export function holdsCode(root: SyntaxNode, text: string): boolean {
  return EVALUATED.test(text) && nodesIn(root).some(isCode);
}

function isCode(node: SyntaxNode): boolean {
  switch (node.type) {
    case "SingleQuoted":
    case "Literal":
      return EVALUATED.test(node.value);
    case "AnsiCQuoted":
      return EVALUATED.test(node.text);
    case "Word":
      return node.parts === undefined && EVALUATED.test(node.value);
    case "HereDocBody":
      return node.parts === undefined && EVALUATED.test(node.text);
    default:
      return false;
  }
}
