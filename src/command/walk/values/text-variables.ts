import { forEachChild, type ParsedScript, type SyntaxNode } from "unbash";
import { type Doubt, errorsOf } from "../../syntax.ts";
import type { Context } from "../findings.ts";
import { holdsCode, Literals } from "./literals.ts";
import { COUNTED, NamesSet, type SetNames } from "./names-set.ts";

/** What a text shows about its variables as a whole, whatever is run first. */
export interface Variables extends SetNames {
  /** Texts that could be in a value that is not followed, and are more than text there. */
  readonly literals: readonly string[];
  /** It spells or computes -1, which is every process to `kill`. */
  readonly spellsEvery: boolean;
  /** Texts that its variables can hold. */
  readonly texts: readonly string[];
  /** Errors in the substitutions of the text. */
  readonly errors: readonly Doubt[];
}

/** What a text has in which variables or substitutions can be. */
const HAS_ANY =
  /[=$`(<{]|\b(?:for|select|read|printf|mapfile|readarray|getopts|let|wait|eval|source|trap|coproc|declare|typeset|local|export|readonly|unset)\b|(?:^|\s)\.\s/;

/** What bash changes itself, or what changes how words are read. */
const SPECIAL =
  /^(?:BASH(?!_SOURCE$).*|COMP_.*|EPOCH\w+|S?RANDOM|SECONDS|LINENO|DIRSTACK|PWD|OLDPWD|_|PPID|E?UID|GROUPS|HISTCMD|OPT(?:ARG|IND|ERR)|REPLY|FUNCNAME|PIPESTATUS|MAPFILE|READLINE.*|SHLVL|IFS|HOME|PATH|CDPATH)$/;
/** What some programs print for numbers, which are names of variables in arithmetic. */
const NO_NUMBERS = /\b(?:inf|nan|infinity)\b/i;

/** Arithmetic whose result can be below zero. */
const BELOW_ZERO =
  /(?:\(\(|\$\[|\b(?:let|expr|bc|seq|declare|typeset|local)\b)[^;|&\n]*[-~]|-"?\$\(\(|-[^;&\n]*\| *bc\b/;

/** Gather what a text shows about its variables. */
export function variablesOf(
  root: ParsedScript,
  text: string,
  context: Context,
  given: Iterable<string> = [],
): Variables {
  const { facts } = context;
  context.distrusts ||= NO_NUMBERS.test(text) || holdsCode(root, text);
  const names = new NamesSet([...facts.env ?? [], ...facts.state?.variables ?? [], ...given]);
  const literals = new Literals();
  const errors: Doubt[] = [];
  const visit = (node: SyntaxNode) => {
    if (node.type === "Script" && node !== root) errors.push(...errorsOf(node, text.length));
    names.visit(node);
    literals.visit(node);
    forEachChild(node, visit);
  };
  if (HAS_ANY.test(text)) visit(root);
  const found = literals.found();
  const taken = names.found();
  context.distrusts ||= taken.setsUnspelled || [...taken.set].some((name) => NO_NUMBERS.test(name));
  const spellsEvery = BELOW_ZERO.test(text) || found.some((each) => /^-0*1$/.test(each));
  return { literals: found, spellsEvery, texts: literals.texts, errors, ...taken };
}

/** Whether a text never sets a variable. */
export function isOutside(name: string, { set, wild, setsUnspelled }: Variables): boolean {
  return /^[A-Za-z]\w*$/.test(name) && !wild && !setsUnspelled && !set.has(name) &&
    !COUNTED.has(name) &&
    !SPECIAL.test(name);
}

/** Whether the values of a variable can be followed. */
export function isTracked(name: string, { untracked, wild }: Variables): boolean {
  return !wild && !untracked.has(name) && !SPECIAL.test(name);
}
