import { type Command, forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { type Doubt, errorsOf } from "../../syntax.ts";
import type { Context } from "../findings.ts";
import { NAME_TAKERS } from "../shell-options.ts";
import { isNumeric } from "./numeric.ts";

/** The operators of arithmetic that set a variable. */
export const SETS: RegExp = /^(?:[-+*/%&|^]|<<|>>)?=$/;

/** What a text shows about its variables as a whole, whatever is run first. */
export interface Variables {
  /** Names that hold nothing but integers: all that the text assigns to them is a number. */
  readonly numbers: ReadonlySet<string>;
  /** Names whose values are not followed. */
  readonly untracked: ReadonlySet<string>;
  /** Names that the text sets, or that come with it. */
  readonly set: ReadonlySet<string>;
  /** Texts that could be in a value that is not followed, and are more than text there. */
  readonly literals: readonly string[];
  /** Names of associative arrays, whose subscripts are no arithmetic. */
  readonly maps: ReadonlySet<string>;
  /** Some text can set any variable at any time. */
  readonly wild: boolean;
  /** Some name stands for another one. */
  readonly references: boolean;
  /** Errors in the substitutions of the text. */
  readonly errors: readonly Doubt[];
}

/** What a text has in which variables or substitutions can be. */
const HAS_ANY =
  /[=$`(<{]|\b(?:for|select|read|printf|mapfile|readarray|getopts|let|wait|eval|source|trap|coproc|declare|typeset|local|export|readonly|unset)\b|(?:^|\s)\.\s/;

/** Integers that bash keeps itself. */
const COUNTED =
  "RANDOM SRANDOM SECONDS LINENO EPOCHSECONDS BASHPID PPID UID EUID SHLVL COLUMNS LINES OPTIND PIPESTATUS"
    .split(" ");
/** What bash changes itself, or what changes how words are read. */
const SPECIAL =
  /^(?:BASH.*|COMP_.*|EPOCH\w+|S?RANDOM|SECONDS|LINENO|DIRSTACK|PWD|OLDPWD|_|PPID|E?UID|GROUPS|HISTCMD|OPT(?:ARG|IND|ERR)|REPLY|FUNCNAME|PIPESTATUS|MAPFILE|READLINE.*|SHLVL|IFS|HOME|PATH|CDPATH)$/;
const SETS_IN_TRAP =
  /=|\b(?:read|printf|mapfile|readarray|getopts|let|unset|eval|source|for|select|declare|local)\b|\(\(|(?:^|[;&|\s])\.\s/;

/** The path of a file that shells read, and no descriptor. */
const OF_A_FILE =
  /^(?!\/(?:dev|proc)\/|.*\bstdin)(?:\$HOME\/|\$\{?NVM_DIR\}?\/|~\/)?[\w./-]*(?:\.\w+|\/activate|\/env|rc)$/;

const EXPANSIONS = /\$\{[^}]*\}|\$\([^]*\)|\$\w+|`[^`]*`/g;
/** What could be an option, a path that matters, or a setting. */
const HAZARD = /^[-+@][^\s]|\/|^\.[^/]|^~|=/;

/** Gather what a text shows about its variables. */
export function variablesOf(root: ParsedScript, text: string, context: Context): Variables {
  const { facts, programs } = context;
  const given = [...facts.env ?? [], ...facts.state?.variables ?? []];
  const numbers = new Set<string>(COUNTED);
  const others = new Set<string>(given);
  const untracked = new Set<string>(given);
  const declared = new Map<string, number>();
  const keys = new Map<string, string>();
  const errors: Doubt[] = [];
  let wild = false;
  let functions = false;
  const defined = new Set<string>();
  // A name for another one, which it sets.
  let references = false;
  // What is set once, and kept: a second value would not be taken.
  const fixed = new Set<string>();
  const times = new Map<string, number>();
  const literals = new Set<string>();
  const calls: { readonly name: string; readonly texts: readonly string[] }[] = [];
  const spell = (text: string) => {
    const plain = text.replace(EXPANSIONS, " ");
    for (const part of [plain, ...plain.split(/[\s:,]+/)]) {
      if (HAZARD.test(part)) literals.add(part);
    }
  };
  const note = (name: string, numeric: boolean, followed = false) => {
    times.set(name, (times.get(name) ?? 0) + 1);
    (numeric ? numbers : others).add(name);
    if (!followed) untracked.add(name);
  };
  const command = (node: Command) => {
    const texts = [node.name, ...node.suffix].flatMap((word) =>
      word?.type === "Word" ? word.value : []
    );
    // What a file does is its own; what it sets is not set by the line.
    if (
      /^(?:source|\.)$/.test(texts[0] ?? "") && texts.length === 2 && OF_A_FILE.test(texts[1] ?? "")
    ) {
      return;
    }
    const dotted = texts.slice(0, texts.indexOf(".") + 1).join(" ");
    wild ||= texts.some((text) => /^(?:eval|source|coproc)$/.test(text)) ||
      /^(?:(?:command|builtin|time) )*\.$/.test(dotted) ||
      (texts[0] === "trap" && SETS_IN_TRAP.test(texts.slice(1).join(" ")));
    calls.push({ name: texts[0] ?? "", texts: texts.slice(1) });
    const at = texts.findIndex((text) => NAME_TAKERS.has(text));
    if (at < 0 || at > 3) return;
    const taker = texts[at] ?? "";
    const rest = texts.slice(at + 1);
    const options = rest.filter((text) => /^[-+]/.test(text)).join("");
    const assigned = node.suffix.flatMap((part) => part.type === "Assignment" ? [part.name] : []);
    for (const name of [...rest, ...assigned]) {
      const plain = /^[A-Za-z_]\w*/.exec(name)?.[0];
      if (plain === undefined) continue;
      if (options.includes("A")) declared.set(plain, (declared.get(plain) ?? 0) + 1);
      else if (/^(?:declare|typeset|local|unset)$/.test(taker)) declared.set(plain, 9);
      if (taker === "read") continue;
      if (/[ilucn]/.test(options)) untracked.add(plain);
      references ||= options.includes("n");
      if (taker === "readonly" || options.includes("r")) fixed.add(plain);
    }
    if (taker === "export" || (taker === "printf" && /^[\w%\\]/.test(rest[0] ?? ""))) return;
    // `local x` alone sets nothing that could be evaluated.
    const numeric = /^(?:let|local|declare|typeset)$/.test(taker);
    for (const text of rest) {
      const glued = /^-[vp]([A-Za-z_]\w*)/.exec(text)?.[1];
      const name = /^[A-Za-z_]\w*/.exec(text)?.[0];
      if (glued !== undefined) note(glued, false);
      if (name !== undefined) note(name, numeric, taker === "read");
    }
  };
  const visit = (node: SyntaxNode) => {
    switch (node.type) {
      case "Script":
        if (node !== root) errors.push(...errorsOf(node, text.length));
        break;
      case "Assignment": {
        const { name, value, index } = node;
        const plain = value.type === "Word" && index === undefined;
        const followed = index === undefined;
        note(name, plain && isNumeric(value, programs), followed);
        if (value.type === "Word") spell(value.value);
        else for (const each of value.elements) if (each.type === "Word") spell(each.value);
        break;
      }
      case "For":
      case "Select": {
        const words = node.wordlist ?? [];
        for (const { value } of words) spell(value);
        const [, array] = /^"?\$\{!(\w+)\[[@*]\]\}"?$/.exec(words[0]?.text ?? "") ?? [];
        if (array !== undefined) keys.set(node.name.value, array);
        const numeric = array !== undefined && words.length === 1 ||
          words.length > 0 && words.every((word) => isNumeric(word, programs));
        note(node.name.value, numeric && node.type === "For", node.type === "For");
        break;
      }
      case "ArithmeticBinary":
        if (SETS.test(node.operator) && node.left.type === "ArithmeticWord") {
          note(node.left.value, true);
        }
        break;
      case "ArithmeticUnary":
        if (/^(?:\+\+|--)$/.test(node.operator) && node.operand.type === "ArithmeticWord") {
          note(node.operand.value, true);
        }
        break;
      case "ParameterExpansion":
        if (node.operation?.type !== "Default") break;
        spell(node.operation.operand.value);
        if (node.operation.operator.endsWith("=")) note(node.parameter, false);
        break;
      case "FileDescriptorVariable":
        note(node.name, true);
        break;
      case "Command":
        command(node);
        break;
      case "HereString":
        if (node.target !== undefined) spell(node.target.value);
        break;
      case "Function":
        functions = true;
        defined.add(node.name.text);
    }
    forEachChild(node, visit);
  };
  if (HAS_ANY.test(text)) visit(root);
  for (const name of fixed) if ((times.get(name) ?? 0) > 1) untracked.add(name);
  for (const [name, array] of keys) {
    // Those of any other array are numbers.
    if (declared.has(array) || given.includes(array)) numbers.delete(name);
  }
  for (const name of others) numbers.delete(name);
  if (wild) numbers.clear();
  const once = [...declared].flatMap(([name, times]) => times === 1 ? name : []);
  const maps = new Set(wild || functions ? [] : once);
  for (const { name, texts } of calls) {
    if (name === "set") texts.slice(texts.indexOf("--") + 1 || texts.length).forEach(spell);
    else if (/^(?:getopts|eval)$/.test(name) || defined.has(name)) texts.forEach(spell);
    else if (name === "printf" && texts[0]?.startsWith("-v")) texts.forEach(spell);
  }
  const set = new Set([...given, ...times.keys(), ...declared.keys(), ...COUNTED]);
  return { numbers, untracked, set, literals: [...literals], maps, wild, references, errors };
}

/** Whether a text never sets a variable. */
export function isOutside(name: string, { set, wild, references }: Variables): boolean {
  return /^[A-Za-z]\w*$/.test(name) && !wild && !references && !set.has(name) &&
    !SPECIAL.test(name);
}

/** Whether the values of a variable can be followed. */
export function isTracked(name: string, { untracked, wild }: Variables): boolean {
  return !wild && !untracked.has(name) && !SPECIAL.test(name);
}
