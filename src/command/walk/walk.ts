import type { SyntaxNode } from "../../platform/grammar.ts";
import type { AnalysisFacts } from "../facts.ts";
import { either, type Place, samePlace } from "../paths/place.ts";
import { plainText } from "../words/marks.ts";
import { readWord } from "../words/word.ts";
import { arithmeticDoubts, counters } from "./arithmetic.ts";
import { CommandReader } from "./command-reader.ts";
import { KNOWN_PROGRAMS } from "./names.ts";
import type { Inherited } from "./inherited.ts";
import { type Findings, noFindings } from "./result.ts";
import { extraWords, readAssignment } from "./simple.ts";

/** Where the shell stands after a statement, by how it ended. */
interface After {
  readonly ok: Place;
  readonly fail: Place;
}

const MOST_CALLS = 12;
const SEPARATOR = new Set([";", "&", "\n", ";;", ";&", ";;&", "comment"]);

/** Goes through a tree in the order of execution and gathers what it could run. */
export class Walk {
  readonly findings: Findings = noFindings();
  readonly #text: string;
  readonly #reader: CommandReader;
  readonly #functions = new Map<string, SyntaxNode>();
  readonly #numbers: ReadonlySet<string>;
  #calls = 0;

  constructor(root: SyntaxNode, text: string, facts: AnalysisFacts) {
    this.#text = text;
    this.#numbers = counters(root, text);
    this.#reader = new CommandReader(text, {
      facts,
      findings: this.findings,
      numbers: this.#numbers,
      functions: this.#functions,
    });
  }

  /** Walk statements that follow each other. */
  sequence(nodes: readonly SyntaxNode[], start: Place, inherited: Inherited = {}): After {
    let place = start;
    let after: After = { ok: place, fail: place };
    for (const [index, node] of nodes.entries()) {
      if (SEPARATOR.has(node.type)) continue;
      after = this.statement(node, place, inherited);
      // A job in the background is a process of its own.
      if (nodes[index + 1]?.type === "&") after = { ok: place, fail: place };
      place = either(after.ok, after.fail);
    }
    return after;
  }

  /** Walk one statement. */
  statement(node: SyntaxNode, place: Place, inherited: Inherited): After {
    const stay: After = { ok: place, fail: place };
    const { children } = node;
    switch (node.type) {
      case "command":
      case "declaration_command":
      case "unset_command":
        return this.#command(node, place, inherited);
      case "test_command":
        if (children[0]?.type === "[") return this.#command(node, place, inherited);
        this.#conditions(node);
        this.expansions(node, place);
        return stay;
      case "variable_assignment":
      case "variable_assignments":
        this.#assign(node, place);
        return stay;
      case "list":
        return this.#list(children, place, inherited);
      case "pipeline":
        this.#pipeline(children, place, inherited);
        return stay;
      case "negated_command": {
        const { ok, fail } = this.sequence(children.slice(1), place, inherited);
        return { ok: fail, fail: ok };
      }
      case "redirected_statement":
        return this.#redirected(node, place, inherited);
      case "subshell":
        this.sequence(inner(children), place, inherited);
        return stay;
      case "compound_statement":
        if (children[0]?.type !== "((") return this.sequence(inner(children), place, inherited);
        this.#arithmetic(node);
        this.expansions(node, place);
        return stay;
      case "do_group":
        return this.sequence(inner(children), place, inherited);
      case "if_statement":
      case "elif_clause":
        return this.#branches(children, place, inherited);
      case "while_statement":
        return this.#loop(children, place, inherited);
      case "for_statement":
        return this.#for(node, place, inherited);
      case "c_style_for_statement": {
        this.#arithmetic({ ...node, children: children.filter((child) => !isBody(child)) });
        return this.#loop(children, place, inherited);
      }
      case "case_statement":
        return this.#case(children, place, inherited);
      case "function_definition":
        this.#define(node, place, inherited);
        return stay;
      case "file_redirect":
      case "heredoc_redirect":
      case "herestring_redirect":
        this.#reader.bareRedirects([node], place);
        this.#redirectInsides(node, place);
        return stay;
      case "ERROR":
        this.#rubble(node, place);
        return stay;
      default:
        this.expansions(node, place);
        return stay;
    }
  }

  /** Walk what a word, a value or a condition runs on its own: substitutions, wherever they hide. */
  expansions(node: SyntaxNode, place: Place): void {
    for (const child of node.children) {
      switch (child.type) {
        case "command_substitution":
        case "process_substitution":
          this.sequence(inner(child.children), place, {});
          break;
        case "arithmetic_expansion":
        case "subscript":
          this.#arithmetic(
            child.type === "subscript" ? { ...child, children: child.children.slice(1) } : child,
          );
          this.expansions(child, place);
          break;
        case "expansion":
          this.#assignsDefault(child);
          this.expansions(child, place);
          break;
        default:
          this.expansions(child, place);
      }
    }
  }

  /** `${NAME:=value}` sets the variable. */
  #assignsDefault({ children }: SyntaxNode): void {
    const [, name, operator] = children;
    if (name !== undefined && (operator?.type === ":=" || operator?.type === "=")) {
      this.#set(this.#text.slice(name.start, name.end), null, name);
    }
  }

  #command(
    node: SyntaxNode,
    place: Place,
    inherited: Inherited,
    more: readonly SyntaxNode[] = [],
  ): After {
    for (const part of [...node.children, ...more]) {
      if (!part.type.endsWith("_redirect")) this.expansions({ ...part, children: [part] }, place);
      else this.#redirectInsides(part, place);
    }
    const { words, moved } = this.#reader.command(node, place, { inherited, more });
    const name = plainText(words[0]?.marked ?? "");
    const body = this.#functions.get(name);
    if (body !== undefined && this.#calls < MOST_CALLS) {
      this.#calls++;
      const after = this.statement(body, place, inherited);
      return { ok: either(after.ok, place), fail: either(after.fail, place) };
    }
    return { ok: moved ?? place, fail: place };
  }

  #list(children: readonly SyntaxNode[], place: Place, inherited: Inherited): After {
    const [left, operator, ...rest] = children;
    if (left === undefined) return { ok: place, fail: place };
    return this.#chain(this.statement(left, place, inherited), operator, rest, inherited);
  }

  #chain(
    before: After,
    operator: SyntaxNode | undefined,
    rest: readonly SyntaxNode[],
    inherited: Inherited,
  ): After {
    if (operator === undefined) return before;
    const start = operator.type === "||" ? before.fail : before.ok;
    const after = this.sequence(rest, start, inherited);
    return operator.type === "||"
      ? { ok: either(before.ok, after.ok), fail: after.fail }
      : { ok: after.ok, fail: either(before.fail, after.fail) };
  }

  #pipeline(children: readonly SyntaxNode[], place: Place, inherited: Inherited): void {
    let input = inherited;
    for (const child of children) {
      if (child.type === "|" || child.type === "|&") continue;
      const from = this.findings.commands.length;
      this.statement(child, place, input);
      input = this.#fed(from, input);
    }
  }

  /** What the next member of a pipeline gets from those before it. */
  #fed(from: number, before: Inherited): Inherited {
    const producers = this.findings.commands.slice(from);
    const last = producers.at(-1);
    const argv = producers.length === 1 ? last?.argv ?? [] : [];
    let text: string | null = null;
    if ((argv[0] === "echo" || argv[0] === "printf") && argv.every((word) => word !== null)) {
      text = argv.slice(1).filter((word) => !/^-[neE]+$/.test(word)).join(" ");
    } else if (argv[0] === "cat" && argv.length === 1) text = before.text ?? null;
    const names = producers.flatMap((command) => [
      command.argv[0] ?? null,
      ...command.layers?.map((layer) => layer.argv[0] ?? null) ?? [],
    ]);
    return { input: "pipe", fedBy: [...before.fedBy ?? [], ...names], text };
  }

  #redirected(node: SyntaxNode, place: Place, inherited: Inherited): After {
    const bodies = node.children.filter((child) => !child.type.endsWith("_redirect"));
    const redirects = node.children.filter((child) => child.type.endsWith("_redirect"));
    const body = bodies[0];
    const more = redirects.flatMap(extraWords);
    const fromText = this.#reader.inputOf(redirects) ?? inherited;
    let after: After = { ok: place, fail: place };
    const from = this.findings.commands.length;
    if (body === undefined) this.#reader.bareRedirects(redirects, place);
    else if (isCommand(body)) {
      after = this.#command(
        { ...node, type: body.type, children: [...body.children, ...redirects] },
        place,
        fromText,
      );
    } else {
      after = this.sequence(
        bodies,
        place,
        body.type === "pipeline" || body.type === "list" ? inherited : fromText,
      );
      this.#reader.bareRedirects(redirects, place);
      if (more.length > 0) this.#moreWords(body, more, place, fromText);
    }
    if (body === undefined || !isCommand(body)) {
      for (const redirect of redirects) this.#redirectInsides(redirect, place);
    }
    return this.#behindHeredoc(redirects, { after, from, place, inherited: fromText });
  }

  /** `a | b > f -x`: the words behind the target belong to the last command. */
  #moreWords(
    body: SyntaxNode,
    more: readonly SyntaxNode[],
    place: Place,
    inherited: Inherited,
  ): void {
    let last: SyntaxNode | undefined = body;
    while (last !== undefined && (last.type === "pipeline" || last.type === "list")) {
      last = last.children.at(-1);
    }
    if (last === undefined || !isCommand(last)) {
      this.#reader.doubt("words behind the redirection of a construct", body);
      return;
    }
    this.findings.commands.pop();
    this.#command(last, place, inherited, more);
  }

  /** A here-document's operator line goes on: `cat <<E | grep x` and `cat <<E && rm x`. */
  #behindHeredoc(
    redirects: readonly SyntaxNode[],
    { after, from, place, inherited }: {
      after: After;
      from: number;
      place: Place;
      inherited: Inherited;
    },
  ): After {
    let result = after;
    for (const redirect of redirects) {
      if (redirect.type !== "heredoc_redirect") continue;
      const operator = redirect.children.findIndex((child) =>
        child.type === "&&" || child.type === "||"
      );
      for (const child of redirect.children) {
        if (child.type === "pipeline") {
          this.#pipeline(child.children, place, this.#fed(from, inherited));
        }
      }
      if (operator === -1) continue;
      const rest = redirect.children.slice(operator + 1).filter((child) =>
        !child.type.startsWith("heredoc_")
      );
      result = this.#chain(result, redirect.children[operator], rest, {});
    }
    return result;
  }

  #redirectInsides(redirect: SyntaxNode, place: Place): void {
    const parts = redirect.children.filter((child) =>
      child.type !== "pipeline" && !isStatement(child)
    );
    this.expansions({ ...redirect, children: parts }, place);
  }

  #branches(children: readonly SyntaxNode[], place: Place, inherited: Inherited): After {
    const then = children.findIndex((child) => child.type === "then");
    const condition = this.sequence(
      children.slice(1, then === -1 ? undefined : then),
      place,
      inherited,
    );
    if (then === -1) return condition;
    const others = children.findIndex((child) => /^(?:elif|else)_clause$/.test(child.type));
    const body = children.slice(then + 1, others === -1 ? undefined : others).filter((child) =>
      child.type !== "fi"
    );
    let end = this.sequence(body, condition.ok, inherited);
    let from = condition.fail;
    for (const child of others === -1 ? [] : children.slice(others)) {
      if (child.type === "elif_clause") {
        const after = this.#branches(child.children, from, inherited);
        end = union(end, after);
        from = either(from, after.fail);
      } else if (child.type === "else_clause") {
        end = union(end, this.sequence(child.children.slice(1), from, inherited));
      }
    }
    return { ok: either(end.ok, from), fail: either(end.fail, from) };
  }

  #loop(children: readonly SyntaxNode[], place: Place, inherited: Inherited): After {
    const parts = children.filter((child) =>
      !/^(?:while|until|for|select|\(\(|\)\)|;)$/.test(child.type)
    );
    const walk = (from: Place): Place => {
      let at = from;
      for (const part of parts) {
        if (!isBody(part) && !isStatement(part)) {
          this.expansions({ ...part, children: [part] }, at);
          continue;
        }
        const after = this.statement(part, at, inherited);
        at = either(after.ok, after.fail);
      }
      return at;
    };
    const once = walk(place);
    if (samePlace(once, place)) return { ok: place, fail: place };
    // A loop that moves can be anywhere after some rounds.
    const anywhere: Place = { dirs: either(place, once).dirs, lost: true };
    walk(anywhere);
    return { ok: anywhere, fail: anywhere };
  }

  #for(node: SyntaxNode, place: Place, inherited: Inherited): After {
    const variable = node.children.find((child) => child.type === "variable_name");
    if (variable !== undefined) {
      this.#set(this.#text.slice(variable.start, variable.end), null, variable);
    }
    const body = node.children.findIndex(isBody);
    for (const child of node.children.slice(0, body)) {
      this.expansions({ ...child, children: [child] }, place);
    }
    return this.#loop(node.children.slice(body), place, inherited);
  }

  #case(children: readonly SyntaxNode[], place: Place, inherited: Inherited): After {
    let after: After = { ok: place, fail: place };
    for (const child of children) {
      if (child.type !== "case_item") {
        this.expansions({ ...child, children: [child] }, place);
        continue;
      }
      const close = child.children.findIndex((part) => part.type === ")");
      for (const pattern of child.children.slice(0, close)) {
        this.expansions({ ...pattern, children: [pattern] }, place);
      }
      // `;&` goes on with the next item, wherever this one led.
      after = union(
        after,
        this.sequence(child.children.slice(close + 1), either(place, after.ok), inherited),
      );
    }
    return after;
  }

  #define(node: SyntaxNode, place: Place, inherited: Inherited): void {
    const named = node.children.find((child) => child.type === "word");
    const name = named === undefined ? "" : plainText(readWord([named], this.#text).marked);
    const body = node.children.find((child) => isStatement(child) && child !== named);
    if (KNOWN_PROGRAMS.has(name)) {
      this.#reader.doubt(`a function takes the name of "${name}"`, node);
    }
    if (this.#functions.has(name)) this.#reader.doubt(`a second function "${name}"`, node);
    const redirects = node.children.filter((child) => child.type.endsWith("_redirect"));
    this.#reader.bareRedirects(redirects, place);
    for (const redirect of redirects) this.#redirectInsides(redirect, place);
    if (body === undefined) return;
    this.statement(body, place, inherited);
    this.#functions.set(name, body);
  }

  #assign(node: SyntaxNode, place: Place): void {
    const parts = node.type === "variable_assignment" ? [node] : node.children;
    for (const part of parts) {
      if (part.type === "variable_assignment") {
        const { name, value } = readAssignment(part, this.#text);
        this.#set(name, value, part);
      }
      this.expansions({ ...part, children: [part] }, place);
    }
  }

  #set(name: string, value: string | null, at: SyntaxNode): void {
    this.findings.sets.push({ name, value, span: { start: at.start, end: at.end } });
  }

  #arithmetic(node: SyntaxNode): void {
    this.findings.doubts.push(...arithmeticDoubts(node, this.#text, this.#numbers));
  }

  /** `[[ … ]]` evaluates operands of number comparisons, and names after `-v`. */
  #conditions(node: SyntaxNode): void {
    for (const child of node.children) {
      const operator = child.children.find((part) =>
        /^-?(?:eq|ne|lt|le|gt|ge|v|R)$/.test(
          this.#text.slice(part.start, part.end).replace(/^-/, ""),
        ) && /^(?:test_operator|-)/.test(part.type)
      );
      if (operator !== undefined) {
        this.#arithmetic({
          ...child,
          children: child.children.filter((part) => part !== operator),
        });
      }
      if (
        child.children.some((part) => part.type === "=~") &&
        /\$\(|`/.test(this.#text.slice(child.start, child.end))
      ) {
        this.#reader.doubt("a substitution in a regular expression", child);
      }
      this.#conditions(child);
    }
  }

  /** In a tree with errors, gather whatever still looks like a command, so that it can be denied. */
  #rubble(node: SyntaxNode, place: Place): void {
    const name = node.children.findIndex((child) => child.type === "command_name");
    if (name !== -1) {
      const end = node.children.findIndex((child, index) =>
        index > name && /^(?:[;&|()\n]|&&|\|\|)$/.test(child.type)
      );
      this.#command(
        {
          ...node,
          type: "command",
          children: node.children.slice(name, end === -1 ? undefined : end),
        },
        place,
        {},
      );
    }
    for (const child of node.children) {
      if (isStatement(child) || child.type === "ERROR") this.statement(child, place, {});
      else this.expansions({ ...child, children: [child] }, place);
    }
  }
}

function union(one: After, other: After): After {
  return { ok: either(one.ok, other.ok), fail: either(one.fail, other.fail) };
}

const FRAME = new Set(["(", ")", "{", "}", "$(", "`", "do", "done", "<(", ">(", "$`"]);

function inner(children: readonly SyntaxNode[]): readonly SyntaxNode[] {
  return children.filter((child) => !FRAME.has(child.type));
}

function isCommand(node: SyntaxNode): boolean {
  return /^(?:command|declaration_command|unset_command)$/.test(node.type) ||
    (node.type === "test_command" && node.children[0]?.type === "[");
}

function isBody(node: SyntaxNode): boolean {
  return node.type === "do_group" || node.type === "compound_statement";
}

function isStatement(node: SyntaxNode): boolean {
  return /(?:_statement|_command|^command|^list|^pipeline|^subshell|_definition|^variable_assignments?)$/
    .test(node.type);
}
