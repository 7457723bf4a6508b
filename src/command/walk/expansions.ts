import {
  type ArithmeticExpression,
  type CommandExpansionPart,
  forEachChild,
  type ParameterExpansionPart,
  type ProcessSubstitutionPart,
  type SyntaxNode,
  type Word,
} from "unbash";
import { isCounted, isCountedExpression } from "./arithmetic.ts";
import { doubt } from "./findings.ts";
import { ARITHMETIC } from "./names.ts";
import type { State } from "./walk-state.ts";
import type { Inherited, Walker } from "./walker.ts";

/** Walk what words, values and conditions run on their own: substitutions, wherever they are. */
export function expansions(walk: Walker, nodes: readonly SyntaxNode[], state: State): void {
  for (const node of nodes) visit(walk, node, { state, inQuotes: false });
}

interface Around {
  readonly state: State;
  /** In double quotes or a here-document, where other quotes do not quote. */
  readonly inQuotes: boolean;
}

function visit(walk: Walker, node: SyntaxNode, around: Around): void {
  const { context } = walk;
  const question = (reason: string) => doubt(context, reason, walk.span(node));
  switch (node.type) {
    case "CommandExpansion":
    case "ProcessSubstitution":
      if (node.script === undefined) question("a substitution that cannot be read");
      else walk.subshell(node.script, { state: around.state, inherited: fedBy(node) });
      return;
    case "ArithmeticExpansion":
      if (node.expression !== undefined) return arithmetic(walk, node.expression, around.state);
      if (!/^\$(?:\(\(\s*\)\)|\[\s*\])$/.test(node.text)) question(ARITHMETIC);
      return;
    case "DoubleQuoted":
    case "LocaleString":
    case "HereDocBody":
      forEachChild(node, (child) => visit(walk, child, { ...around, inQuotes: true }));
      return;
    case "SingleQuoted":
    case "AnsiCQuoted":
      if (around.inQuotes && /[$`]/.test(node.text.slice(1))) {
        question("quotes that do not quote here");
      }
      return;
    case "ParameterExpansion":
      parameter(walk, node, question);
      break;
    case "Assignment":
      if (node.index !== undefined && !walk.variables.maps.has(node.name)) {
        subscript(walk, node.index);
      }
      if (node.value.type === "ArrayValue" && !walk.variables.maps.has(node.name)) {
        for (const { text } of node.value.elements) {
          const key = /^\[([^\]]*)\]\+?=/.exec(text)?.[1];
          if (key !== undefined && !isCounted(key, walk.variables)) {
            question("a subscript that is evaluated");
          }
        }
      }
  }
  forEachChild(node, (child) => visit(walk, child, around));
}

/** What a substitution reads: `>(…)` what is written into it. */
function fedBy(node: CommandExpansionPart | ProcessSubstitutionPart): Inherited {
  const fed = node.type === "ProcessSubstitution" && node.operator === ">";
  return fed ? { from: "pipe", text: null } : {};
}

function parameter(
  walk: Walker,
  node: ParameterExpansionPart,
  question: (reason: string) => void,
): void {
  const { prefix, index, operation, parameter: name } = node;
  const all = /^[@*]$/.test(index?.text ?? "");
  if (prefix === "!" && operation?.type !== "Names" && !all) question("an indirect expansion");
  if (index !== undefined && !all && !walk.variables.maps.has(name)) subscript(walk, index);
  switch (operation?.type) {
    case "Transform":
      return question("a transformation of a value");
    case "Unknown":
      return question("an expansion of an unusual form");
    case "Slice":
      for (const part of [operation.offset, operation.length]) {
        if (part !== undefined && !isCounted(part.text, walk.variables)) question(ARITHMETIC);
      }
      return;
    case "Default":
      if (operation.operator.endsWith("=")) {
        walk.context.findings.sets.push({ name, value: null, span: walk.span(node) });
      }
  }
}

function subscript(walk: Walker, { text, pos, end }: Word): void {
  if (!isCounted(text, walk.variables)) doubt(walk.context, ARITHMETIC, walk.span({ pos, end }));
}

/** Walk an expression, and doubt whatever in it is no number. */
export function arithmetic(walk: Walker, node: ArithmeticExpression, state: State): void {
  if (!isCountedExpression(node, walk.variables, walk.context.programs)) {
    doubt(walk.context, ARITHMETIC, walk.span(node));
  }
  const scripts = (part: SyntaxNode) => {
    const target = part.type === "ArithmeticBinary" && /[^=!<>]=$|^=$/.test(part.operator)
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
}
