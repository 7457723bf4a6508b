import type { Command, SyntaxNode } from "unbash";
import { UNKNOWN } from "../../words/placeholders.ts";
import { isUnknown } from "../../words/word-marks.ts";
import { DECLARES, NAME_TAKERS, namesTaken } from "../shell-options.ts";
import { EXPANSIONS, spelledWords } from "./literals.ts";

/** The operators of arithmetic that set a variable. */
export const SETS: RegExp = /^(?:[-+*/%&|^]|<<|>>)?=$/;

/** What a text shows about the names that it sets. */
export interface SetNames {
  /** Names that arithmetic sets: where they hold a number, it can be any. */
  readonly counters: ReadonlySet<string>;
  /** Names whose values bash evaluates when they are set. */
  readonly integers: ReadonlySet<string>;
  /** Names whose values are not followed. */
  readonly untracked: ReadonlySet<string>;
  /** Names that the text sets, or that come with it. */
  readonly set: ReadonlySet<string>;
  /** Names of associative arrays, whose subscripts are no arithmetic. */
  readonly maps: ReadonlySet<string>;
  /** Names that could be an associative array. */
  readonly possibleMaps: ReadonlySet<string>;
  /** Names that the text exports. */
  readonly exported: ReadonlySet<string>;
  /** Some text can set any variable at any time, or some name stands for another one. */
  readonly wild: boolean;
  /** Some name that is set is not spelled by the text. */
  readonly setsUnspelled: boolean;
}

/** Integers that bash keeps itself. */
export const COUNTED: ReadonlySet<string> = new Set(
  "RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS EPOCHREALTIME BASHPID PPID UID EUID SHLVL COLUMNS LINES OPTIND PIPESTATUS"
    .split(" "),
);
/** Variables whose values bash evaluates when they are set, without a declaration. */
const INTEGERS = /^(?:S?RANDOM|OPTIND|HISTCMD|SECONDS|LINENO|BASHPID|EPOCHSECONDS|EPOCHREALTIME)$/;
const SETS_IN_TRAP =
  /=|\b(?:read|printf|mapfile|readarray|getopts|let|unset|eval|source|for|select|declare|local|set|shift|break|continue|return)\b|\(\(|(?:^|[;&|\s])\.\s/;

/** The names in an expression: what is set can stand behind a comma or a bracket. */
export const NAMES: RegExp = /[A-Za-z_]\w*/g;

/** The path of a file that shells read, and no descriptor. */
const OF_A_FILE =
  /^(?!\/(?:dev|proc)\/|.*\bstdin)(?:\$HOME\/|\$\{?NVM_DIR\}?\/|~\/|"?(?:\$\{?\w+\}?|\$\(dirname "?\$0"?\))"?(?=\/(?:[\w.-]+\/)*(?:bin\/activate|\w[\w.-]*\.(?:ba)?sh)"?$)\/)?[\w./-]*(?:\.\w+|\/activate|\/env|rc)"?$/;

/** Whether bash keeps a number in a variable itself. */
export function isOwnCount(
  name: string,
  { set, wild, setsUnspelled }: Pick<SetNames, "set" | "wild" | "setsUnspelled">,
): boolean {
  return COUNTED.has(name) && !wild &&
    (INTEGERS.test(name) || (!set.has(name) && !setsUnspelled));
}

/** Whether the values of a variable count as numbers from then on, or are evaluated when they are set. */
export function isInteger(
  name: string,
  { integers, set }: Pick<SetNames, "integers" | "set">,
): boolean {
  return INTEGERS.test(name) || integers.has(name) || (COUNTED.has(name) && !set.has(name));
}

/** Whether words read a file of commands: what that does is its own, and what it sets is not set by the line. */
export function sourcesFile([name = "", file = "", ...others]: readonly string[]): boolean {
  return /^(?:source|\.)$/.test(name) && others.length === 0 && OF_A_FILE.test(file);
}

/** Gathers the names of variables that a text sets, and how. */
export class NamesSet {
  readonly #given: readonly string[];
  readonly #counters = new Set<string>();
  readonly #integers = new Set<string>();
  readonly #untracked: Set<string>;
  /** How often each was declared in a way that can make it an associative array. */
  readonly #declared = new Map<string, number>();
  /** What is set once, and kept: a second value would not be taken. */
  readonly #fixed = new Set<string>();
  /** How often each is set. */
  readonly #times = new Map<string, number>();
  readonly #exported = new Set<string>();
  #wild = false;
  #setsUnspelled = false;
  #functions = false;

  /** @param given The names that come with the text. */
  constructor(given: readonly string[]) {
    this.#given = given;
    this.#untracked = new Set(given);
  }

  /** Take a node of the text into account. */
  visit(node: SyntaxNode): void {
    switch (node.type) {
      case "Assignment":
        return this.#note(node.name, true);
      case "For":
      case "Select":
        return this.#note(node.name.value, node.type === "For");
      case "ArithmeticBinary":
        return SETS.test(node.operator) ? this.#counted(node.left) : undefined;
      case "ArithmeticUnary":
        return /^(?:\+\+|--)$/.test(node.operator) ? this.#counted(node.operand) : undefined;
      case "ParameterExpansion":
        if (node.operation?.type !== "Default" || !node.operation.operator.endsWith("=")) return;
        // The values of a map are not followed then, either.
        this.#declared.set(node.parameter, 9);
        return this.#note(node.parameter);
      case "Command":
        return this.#command(node);
      case "Function":
        this.#functions = true;
    }
  }

  /** What was found, once every node was visited. */
  found(): SetNames {
    const wild = this.#wild;
    for (const name of this.#fixed) {
      if ((this.#times.get(name) ?? 0) > 1) this.#untracked.add(name);
    }
    const once = [...this.#declared].flatMap(([name, times]) => times === 1 ? name : []);
    return {
      exported: this.#exported,
      counters: this.#counters,
      integers: this.#integers,
      untracked: this.#untracked,
      set: new Set([...this.#given, ...this.#times.keys(), ...this.#declared.keys()]),
      maps: new Set(wild || this.#functions ? [] : once),
      possibleMaps: new Set([...this.#given, ...this.#declared.keys()]),
      wild,
      setsUnspelled: this.#setsUnspelled,
    };
  }

  #note(name: string, followed = false): void {
    this.#times.set(name, (this.#times.get(name) ?? 0) + 1);
    if (!followed) this.#untracked.add(name);
  }

  #counted(node: SyntaxNode): void {
    if (node.type === "ArithmeticWord") this.#count(node.value);
  }

  #count(name: string): void {
    this.#counters.add(name);
    this.#note(name, true);
  }

  #command(node: Command): void {
    const texts = spelledWords(node);
    if (sourcesFile(texts)) return;
    const line = texts.join(" ");
    const dotted = texts.slice(0, texts.indexOf(".") + 1).join(" ");
    this.#wild ||= texts.some((text) => /^(?:eval|source|coproc)$/.test(text)) ||
      (dotted !== "" && /^(?:(?:command|builtin|time) )*\.$/.test(dotted)) ||
      (/^(?:(?:command|builtin)(?: -p| --)* )*trap /.test(`${line} `) && SETS_IN_TRAP.test(line));
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
    const isAttribute = DECLARES.test(taker) &&
      (/[Aagilnru]/.test(options) || taker === "readonly");
    this.#wild ||= (isAttribute || taker === "unset") &&
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
      if (taker === "export" || options.includes("x")) this.#exported.add(plain);
      if (/[glucn]/.test(options)) this.#untracked.add(plain);
      if (options.includes("i")) {
        this.#integers.add(plain);
        this.#counters.add(plain);
      }
      this.#wild ||= options.includes("n");
      if (taker === "readonly" || options.includes("r")) this.#fixed.add(plain);
    }
    const isFollowed = /^(?:export|read|mapfile|readarray|printf)$/.test(taker) ||
      (/^(?:local|declare|typeset)$/.test(taker) && /^(?:-a|-i)?$/.test(options));
    // What has to stand behind an option that is not spelled is asked about where it is run.
    const canSet = taker !== "unset" &&
      (!/^(?:printf|wait)$/.test(taker) || /^-\w*[vp]/.test(rest[0] ?? ""));
    for (const taken of namesTaken(taker, rest.map((text) => text.replace(EXPANSIONS, UNKNOWN)))) {
      const [before = "", ...set] = taken.split("=");
      const name = /^[A-Za-z_]\w*/.exec(before)?.[0];
      this.#setsUnspelled ||= canSet && (isUnknown(before) || before.includes("{"));
      if (taker === "let") taken.match(NAMES)?.forEach((each) => this.#count(each));
      else if (name !== undefined && (taker !== "export" || set.length > 0)) {
        this.#note(name, isFollowed);
      }
    }
  }
}
