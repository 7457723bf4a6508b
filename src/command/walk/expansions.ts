import type * as bash from "unbash";
import { forEachChild } from "unbash";
import { isCount, isPattern, plainText } from "../words/word-marks.ts";
import { markUnsplit } from "../words/word.ts";
import { isCounted, isCountedExpression, isHarmless } from "./values/arithmetic.ts";
import { noteEarly } from "./output/printed.ts";
import { SETS } from "./values/names-set.ts";
import { ARITHMETIC } from "./values/names.ts";
import { isTracked } from "./values/text-variables.ts";
import { held } from "./values/held.ts";
import type { State } from "./walk-state.ts";
import type { Inherited, Walker } from "./walker.ts";

/**
 * Walk what words, values and conditions run on their own: substitutions, wherever they are, and what
 * `[[ … ]]` evaluates.
 */
export function expansions(walk: Walker, nodes: readonly bash.SyntaxNode[], state: State): void {
  for (const node of nodes) visit(walk, node, { state, inQuotes: false });
}

interface Around {
  readonly state: State;
  /** In double quotes or a here-document, where other quotes do not quote. */
  readonly inQuotes: boolean;
}

function visit(walk: Walker, node: bash.SyntaxNode, around: Around): void {
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution": {
      // `>(…)` reads what is written into it.
      const fed = node.type === "ProcessSubstitution" && node.operator === ">";
      const inherited: Inherited = fed ? { from: "pipe", text: null } : {};
      if (node.script === undefined) walk.doubt("a substitution that cannot be read", node);
      else walk.subshell(node.script, { state: around.state, inherited });
      // What that prints goes where the rest goes.
      if (fed) walk.context.early = undefined;
      return;
    }
    case "ArithmeticExpansion":
      endsShell(walk, node, around.state);
      if (node.expression !== undefined) {
        return arithmetic(walk, node.expression, around.state);
      }
      if (!/^\$(?:\(\(\s*\)\)|\[\s*\])$/.test(node.text)) walk.doubt(ARITHMETIC, node);
      return;
    case "DoubleQuoted":
    case "LocaleString":
    case "HereDocBody":
      forEachChild(node, (child) => visit(walk, child, { ...around, inQuotes: true }));
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      if (around.inQuotes && /[$`]/.test(node.text.slice(1))) {
        walk.doubt("quotes that do not quote here", node);
      }
      return;
    case "Glob":
    case "ExtendedGlob":
    case "SimpleExpansion":
      endsShell(walk, node, around.state);
      break;
    case "ParameterExpansion":
      endsShell(walk, node, around.state);
      parameter(walk, node, around.state);
      break;
    case "TestUnary":
    case "TestBinary":
      forEachChild(node, (child) => visit(walk, child, around));
      return condition(walk, node, around.state);
    case "Word":
      // The name of a descriptor before a redirection, as in `{fd[0]}>f`.
      if (/^\{\w+\[/.test(node.text)) walk.doubt("a subscript that is evaluated", node);
      break;
    case "Assignment":
      // Some variables cannot be set, and a subscript can be an error.
      if (
        node.index !== undefined || node.value.type === "ArrayValue" ||
        !isTracked(node.name, walk.variables)
      ) noteEarly(walk.context, around.state);
      if (held(around.state.values, node.name).isMap) break;
      if (node.index !== undefined) subscript(walk, node.index, around.state);
      for (const { text } of node.value.type === "ArrayValue" ? node.value.elements : []) {
        const key = /^\[([^]*)\]\+?=/.exec(text)?.[1];
        if (key !== undefined && !isCounted(key, walk.scope(around.state))) {
          walk.doubt("a subscript that is evaluated", node);
        }
      }
  }
  forEachChild(node, (child) => visit(walk, child, around));
}

/** Note that the shell can end where it expands a part of a word. */
function endsShell(walk: Walker, { text }: bash.WordPart, state: State): void {
  const { context } = walk;
  const [, name = ""] = VALUE.exec(text) ?? [];
  const canEnd = name === "" && text.startsWith("$")
    ? !DEFAULT.test(text)
    : context.breaksOff && walk.scope(state).values(name)?.includes("") !== false;
  if (canEnd) noteEarly(context, state);
}

/** A value or a part of it; where it is not set, that can be an error. */
const VALUE = /^\$\{?(\w+|[@*#?$!-])(?:[#%/^,][^]*)?\}?$/;
/** A value for which there is another one, where it is not set. */
const DEFAULT = /^\$\{\w+:?[-+]/;

function parameter(walk: Walker, node: bash.ParameterExpansionPart, state: State): void {
  const { prefix, index, operation, parameter: name } = node;
  const all = /^[@*]$/.test(index?.text ?? "");
  if (prefix === "!" && operation?.type !== "Names" && !all) {
    walk.doubt("an indirect expansion", node);
  }
  if (index !== undefined && !all && !held(state.values, name).isMap) {
    subscript(walk, index, state);
  }
  switch (operation?.type) {
    case "Transform":
      // Others quote a value, or change its letters.
      if (/^[QUuLEAKka]$/.test(operation.operand.text)) return;
      return walk.doubt("a transformation of a value", node);
    case "Unknown":
      return walk.doubt("an expansion of an unusual form", node);
    case "Slice":
      for (const part of [operation.offset, operation.length]) {
        const scope = walk.scope(state);
        if (part === undefined || isCounted(part.text, scope)) continue;
        if (!isCount(markUnsplit(part, scope))) walk.doubt(ARITHMETIC, node);
      }
      return;
    case "Default":
      if (operation.operator.endsWith("=")) {
        walk.context.findings.sets.push({ name, value: null, span: walk.span(node) });
      }
  }
}

/** Operands of number comparisons, and names after `-v`, are evaluated. */
function condition(
  walk: Walker,
  node: bash.TestUnaryExpression | bash.TestBinaryExpression,
  state: State,
): void {
  const { operator } = node;
  const scope = walk.scope(state);
  const marked = (word: bash.Word) => markUnsplit(word, scope);
  if (node.type === "TestUnary") {
    const name = /^\w+(?:\[(?:-?\d+|@)\])?$/;
    if (/^-[vR]$/.test(operator) && !name.test(plainText(marked(node.operand)))) {
      walk.doubt("a subscript that is evaluated", node);
    }
    return;
  }
  const compared = /^-(?:eq|ne|lt|le|gt|ge)$/.test(operator) ? [node.left, node.right] : [];
  for (const text of compared.map(marked)) {
    const values = walk.context.choices.expand(text);
    // The operators of a pattern are those of names that fit it.
    const areCounted = values.every((each) =>
      isHarmless(each, scope) || (!isPattern(each) && isCounted(plainText(each), scope))
    );
    if (areCounted) continue;
    walk.doubt(ARITHMETIC, node);
  }
  if (operator === "=~" && /\$\(|`/.test(node.right.text)) {
    walk.doubt("a substitution in a regular expression", node);
  }
}

function subscript(walk: Walker, node: bash.Word, state: State): void {
  if (!isCounted(node.text, walk.scope(state))) walk.doubt(ARITHMETIC, node);
}

/** Walk an expression, and doubt whatever in it is no number. */
export function arithmetic(walk: Walker, node: bash.ArithmeticExpression, state: State): void {
  const scripts = (part: bash.SyntaxNode) => {
    const target = part.type === "ArithmeticBinary" && SETS.test(part.operator)
      ? part.left
      : part.type === "ArithmeticUnary" && /^(?:\+\+|--)$/.test(part.operator)
      ? part.operand
      : undefined;
    if (target?.type === "ArithmeticWord") {
      walk.context.findings.sets.push({ name: target.value, value: null, span: walk.span(target) });
    }
    if (part.type === "ArithmeticCommandExpansion" && part.script !== undefined) {
      walk.subshell(part.script, { state, inherited: {} });
    } else if (/^Arithmetic(?!Expansion)/.test(part.type)) forEachChild(part, scripts);
    else visit(walk, part, { state, inQuotes: true });
  };
  scripts(node);
  // By now it is known what its substitutions print.
  if (!isCountedExpression(node, walk, state)) walk.doubt(ARITHMETIC, node);
}
