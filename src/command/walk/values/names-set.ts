import type { Command, For, Function as FunctionNode, Select, SyntaxNode } from "unbash";
import type { Context } from "../findings.ts";
import { DECLARES, NAME_TAKERS } from "../shell-options.ts";
import { spelledWords } from "./literals.ts";
import { isNumeric, type Printers } from "./script-lines.ts";

/** The operators of arithmetic that set a variable. */
export const SETS: RegExp = /^(?:[-+*/%&|^]|<<|>>)?=$/;

/** What a text shows about the names that it sets. */
export interface SetNames {
  /** Names that hold nothing but integers: all that the text assigns to them is a number. */
  readonly numbers: ReadonlySet<string>;
  /** Names whose values are not followed. */
  readonly untracked: ReadonlySet<string>;
  /** Names that the text sets, or that come with it. */
  readonly set: ReadonlySet<string>;
  /** Names of associative arrays, whose subscripts are no arithmetic. */
  readonly maps: ReadonlySet<string>;
  /** Some text can set any variable at any time. */
  readonly wild: boolean;
  /** Some name stands for another one. */
  readonly references: boolean;
}

/** Integers that bash keeps itself. */
const COUNTED =
  "RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME BASHPID PPID UID EUID SHLVL COLUMNS LINES OPTIND PIPESTATUS"
    .split(" ");
const SETS_IN_TRAP =
  /=|\b(?:read|printf|mapfile|readarray|getopts|let|unset|eval|source|for|select|declare|local|set|shift|break|continue|return)\b|\(\(|(?:^|[;&|\s])\.\s/;

/** The path of a file that shells read, and no descriptor. */
const OF_A_FILE =
  /^(?!\/(?:dev|proc)\/|.*\bstdin)(?:\$HOME\/|\$\{?NVM_DIR\}?\/|~\/|"?\$\{?\w+\}?(?=\/(?:[\w.-]+\/)*bin\/activate"?$)\/)?[\w./-]*(?:\.\w+|\/activate|\/env|rc)"?$/;

/** Gathers the names of variables that a text sets, and how. */
export class NamesSet {
  readonly #given: readonly string[];
  readonly #bodies = new Map<string, FunctionNode["body"]>();
  readonly #printers: Printers;
  readonly #numbers = new Set<string>(COUNTED);
  /** Names that are set to something else. */
  readonly #others: Set<string>;
  readonly #untracked: Set<string>;
  /** How often each was declared in a way that can make it an associative array. */
  readonly #declared = new Map<string, number>();
  /** The arrays whose subscripts a name goes through. */
  readonly #keys = new Map<string, string>();
  /** The arrays whose elements a name goes through. */
  readonly #elements = new Map<string, string>();
  /** What is set once, and kept: a second value would not be taken. */
  readonly #fixed = new Set<string>();
  /** How often each is set. */
  readonly #times = new Map<string, number>();
  #wild = false;
  #functions = false;
  #references = false;

  /** @param given The names that come with the text. */
  constructor(given: readonly string[], context: Context) {
    const { programs, outputs: known } = context;
    this.#given = given;
    this.#printers = {
      programs,
      functions: this.#bodies,
      known,
      distrusts: () => context.distrusts,
    };
    this.#others = new Set(given);
    this.#untracked = new Set(given);
  }

  /** Take a node of the text into account. */
  visit(node: SyntaxNode): void {
    switch (node.type) {
      case "Assignment": {
        const { name, value, index } = node;
        const words = value.type === "Word" ? [value] : value.elements;
        const numeric = words.every((word) => isNumeric(word, this.#printers));
        return this.#note(name, numeric, index === undefined);
      }
      case "For":
      case "Select":
        return this.#each(node);
      case "ArithmeticBinary":
        return SETS.test(node.operator) ? this.#counted(node.left) : undefined;
      case "ArithmeticUnary":
        return /^(?:\+\+|--)$/.test(node.operator) ? this.#counted(node.operand) : undefined;
      case "ParameterExpansion":
        return node.operation?.type === "Default" && node.operation.operator.endsWith("=")
          ? this.#note(node.parameter, false)
          : undefined;
      case "FileDescriptorVariable":
        return this.#note(node.name, true);
      case "Command":
        return this.#command(node);
      case "Function":
        this.#functions = true;
        this.#bodies.set(node.name.text, node.body);
    }
  }

  /** What was found, once every node was visited. */
  found(): SetNames {
    const numbers = this.#numbers;
    const wild = this.#wild;
    for (const name of this.#fixed) {
      if ((this.#times.get(name) ?? 0) > 1) this.#untracked.add(name);
    }
    for (const [name, array] of this.#keys) {
      // Those of any other array are numbers.
      if (this.#declared.has(array) || this.#given.includes(array)) numbers.delete(name);
    }
    for (const name of this.#others) numbers.delete(name);
    for (const [name, array] of this.#elements) if (!numbers.has(array)) numbers.delete(name);
    if (wild) numbers.clear();
    const once = [...this.#declared].flatMap(([name, times]) => times === 1 ? name : []);
    return {
      numbers,
      untracked: this.#untracked,
      set: new Set([...this.#given, ...this.#times.keys(), ...this.#declared.keys(), ...COUNTED]),
      maps: new Set(wild || this.#functions ? [] : once),
      wild,
      references: this.#references,
    };
  }

  #note(name: string, numeric: boolean, followed = false): void {
    this.#times.set(name, (this.#times.get(name) ?? 0) + 1);
    (numeric ? this.#numbers : this.#others).add(name);
    if (!followed) this.#untracked.add(name);
  }

  #counted(node: SyntaxNode): void {
    if (node.type === "ArithmeticWord") this.#note(node.value, true);
  }

  #each({ type, name: { value: name }, wordlist: words = [] }: For | Select): void {
    const [, array] = /^"?\$\{!(\w+)\[[@*]\]\}"?$/.exec(words[0]?.text ?? "") ?? [];
    if (array !== undefined) this.#keys.set(name, array);
    const [, elements] = /^"?\$\{(\w+)\[[@*]\]\}"?$/.exec(words[0]?.text ?? "") ?? [];
    if (elements !== undefined) this.#elements.set(name, elements);
    const numeric = (array ?? elements) !== undefined && words.length === 1 ||
      words.length > 0 && words.every((word) => isNumeric(word, this.#printers));
    this.#note(name, numeric && type === "For", type === "For");
  }

  #command(node: Command): void {
    const texts = spelledWords(node);
    // What a file does is its own; what it sets is not set by the line.
    if (
      /^(?:source|\.)$/.test(texts[0] ?? "") && texts.length === 2 && OF_A_FILE.test(texts[1] ?? "")
    ) {
      return;
    }
    const dotted = texts.slice(0, texts.indexOf(".") + 1).join(" ");
    this.#wild ||= texts.some((text) => /^(?:eval|source|coproc)$/.test(text)) ||
      /^(?:(?:command|builtin|time) )*\.$/.test(dotted) ||
      (/^(?:(?:command|builtin)(?: -p| --)* )*trap /.test(`${texts.join(" ")} `) &&
        SETS_IN_TRAP.test(texts.join(" ")));
    const at = texts.findIndex((text) => NAME_TAKERS.has(text));
    const isBehind = texts.slice(0, at).every((text) =>
      /^(?:command|builtin|time|-\w+)$/.test(text)
    );
    if (at >= 0 && (at <= 3 || isBehind)) this.#taken(texts[at] ?? "", texts.slice(at + 1), node);
  }

  /** What a builtin takes for names. */
  #taken(taker: string, rest: readonly string[], { suffix }: Command): void {
    const options = rest.filter((text) => /^[-+]/.test(text)).join("");
    // The text does not show which name gets an attribute.
    this.#wild ||= DECLARES.test(taker) && (/[Aailnru]/.test(options) || taker === "readonly") &&
      rest.some((text) => /^"?\w*[$`]/.test(text));
    const assigned = suffix.flatMap((part) => part.type === "Assignment" ? [part.name] : []);
    for (const name of [...rest, ...assigned]) {
      const plain = /^[A-Za-z_]\w*/.exec(name)?.[0];
      if (plain === undefined) continue;
      // What is an array already does not become a map.
      const isSet = this.#times.has(plain) || this.#given.includes(plain);
      if (options.includes("A")) {
        this.#declared.set(plain, (this.#declared.get(plain) ?? 0) + (isSet ? 9 : 1));
      } else if (/^(?:declare|typeset|local|unset)$/.test(taker)) this.#declared.set(plain, 9);
      if (taker === "read") continue;
      if (/[ilucn]/.test(options)) this.#untracked.add(plain);
      this.#references ||= options.includes("n");
      if (taker === "readonly" || options.includes("r")) this.#fixed.add(plain);
    }
    if (taker === "export" || (taker === "printf" && /^[\w%\\]/.test(rest[0] ?? ""))) return;
    // `local x` alone sets nothing that could be evaluated.
    const numeric = /^(?:let|local|declare|typeset)$/.test(taker);
    for (const text of rest) {
      const glued = /^-[vp]([A-Za-z_]\w*)/.exec(text)?.[1];
      const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
      if (glued !== undefined) this.#note(glued, false);
      const followed = /^(?:read|mapfile|readarray)$/.test(taker) ||
        (taker === "local" && options === "") ||
        (/^(?:local|declare|typeset)$/.test(taker) && options === "-a");
      if (name !== undefined) this.#note(name, numeric, followed);
    }
  }
}
