import type { SyntaxNode } from "../../platform/grammar.ts";
import type { AnalysisFacts } from "../facts.ts";
import { either, type Place } from "../paths/place.ts";
import { plainText } from "../words/marks.ts";
import { arithmeticDoubts, counters } from "./construct/arithmetic.ts";
import { assign } from "./construct/assignments.ts";
import { branches, cases } from "./construct/branches.ts";
import { CommandReader } from "./simple/command-reader.ts";
import { conditions } from "./construct/conditions.ts";
import { define } from "./construct/definitions.ts";
import { expansions } from "./construct/expansions.ts";
import { type After, type Start, staying } from "./flow.ts";
import { list, pipeline } from "./construct/lists.ts";
import { eachValue, loop } from "./construct/loops.ts";
import { framed, isBody, isRedirect, isSeparator } from "./node-kinds.ts";
import { bareRedirects, redirected, redirectExpansions } from "./construct/redirected.ts";
import { type Findings, noFindings } from "./result.ts";
import { rubble } from "./construct/rubble.ts";
import type { Walker } from "./walker.ts";

const MOST_CALLS = 12;

/** Goes through a tree in the order of execution and gathers what it could run. */
export class Walk implements Walker {
  readonly text: string;
  readonly findings: Findings = noFindings();
  readonly reader: CommandReader;
  readonly functions: Map<string, SyntaxNode> = new Map();
  readonly #numbers: ReadonlySet<string>;
  #calls = 0;

  constructor(root: SyntaxNode, text: string, facts: AnalysisFacts) {
    this.text = text;
    this.#numbers = counters(root, text);
    this.reader = new CommandReader(text, {
      facts,
      findings: this.findings,
      numbers: this.#numbers,
    });
  }

  sequence(nodes: readonly SyntaxNode[], { place: from, inherited }: Start): After {
    let place = from;
    let after = staying(place);
    for (const [index, node] of nodes.entries()) {
      if (isSeparator(node)) continue;
      after = this.statement(node, { place, inherited });
      // A job in the background is a process of its own.
      if (nodes[index + 1]?.type === "&") after = staying(place);
      place = either(after.ok, after.fail);
    }
    return after;
  }

  statement(node: SyntaxNode, start: Start): After {
    const { children } = node;
    const { place } = start;
    switch (node.type) {
      case "command":
      case "declaration_command":
      case "unset_command":
        return this.command(node, start);
      case "test_command":
        if (children[0]?.type === "[") return this.command(node, start);
        conditions(this, node);
        break;
      case "variable_assignment":
      case "variable_assignments":
        assign(this, node, place);
        return staying(place);
      case "list":
        return list(this, children, start);
      case "pipeline":
        pipeline(this, children, start);
        return staying(place);
      case "negated_command": {
        const { ok, fail } = this.sequence(children.slice(1), start);
        return { ok: fail, fail: ok };
      }
      case "redirected_statement":
        return redirected(this, node, start);
      case "subshell":
        this.sequence(framed(children), start);
        return staying(place);
      case "compound_statement":
        if (children[0]?.type !== "((") return this.sequence(framed(children), start);
        this.arithmetic(children);
        break;
      case "do_group":
        return this.sequence(framed(children), start);
      case "if_statement":
      case "elif_clause":
        return branches(this, children, start);
      case "while_statement":
        return loop(this, children, start);
      case "for_statement":
        return eachValue(this, children, start);
      case "c_style_for_statement":
        this.arithmetic(children.filter((child) => !isBody(child)));
        return loop(this, children, start);
      case "case_statement":
        return cases(this, children, start);
      case "function_definition":
        define(this, node, start);
        return staying(place);
      case "file_redirect":
      case "heredoc_redirect":
      case "herestring_redirect":
        bareRedirects(this, [node], place);
        return staying(place);
      case "ERROR":
        rubble(this, node, place);
        return staying(place);
    }
    this.expansions(children, place);
    return staying(place);
  }

  command(node: SyntaxNode, start: Start, more: readonly SyntaxNode[] = []): After {
    const { place, inherited } = start;
    for (const part of [...node.children, ...more]) {
      if (isRedirect(part)) redirectExpansions(this, part, place);
      else this.expansions([part], place);
    }
    const { words, moved } = this.reader.command(node, place, { inherited, more });
    const body = this.functions.get(plainText(words[0]?.marked ?? ""));
    if (body !== undefined && this.#calls < MOST_CALLS) {
      this.#calls++;
      const after = this.statement(body, start);
      return { ok: either(after.ok, place), fail: either(after.fail, place) };
    }
    return { ok: moved ?? place, fail: place };
  }

  expansions(nodes: readonly SyntaxNode[], place: Place): void {
    expansions(this, nodes, place);
  }

  arithmetic(nodes: readonly SyntaxNode[]): void {
    this.findings.doubts.push(...arithmeticDoubts(nodes, this.text, this.#numbers));
  }
}
