import type * as bash from "unbash";
import type { SimpleCommand, Span, StartedBy } from "../../event/analysis.ts";
import { NUMBER, TEMPORARY, UNKNOWN } from "../words/placeholders.ts";
import { isUnknown, quoted } from "../words/word-marks.ts";
import { markWord, type Scope } from "../words/word.ts";
import { arithmetic, expansions } from "./expansions.ts";
import { printed } from "./printed.ts";
import { cases, choice, eachValue, loop } from "./branches.ts";
import { inputOf, readRedirects } from "./redirects.ts";
import type { Resolving } from "./resolve.ts";
import { simple } from "./simple.ts";
import { FALLBACK } from "./shadows.ts";
import { type After, ARGUMENTS, either, type State, staying, withValues } from "./walk-state.ts";
import { type Context, MOST_COMMANDS } from "./findings.ts";
import type { Inherited, Place, Start, Walker, WalkOptions } from "./walker.ts";
import { chosenNames, lastCommand, printsNumbers } from "./numeric.ts";
import { isTracked, type Variables } from "./text-variables.ts";

/** Goes through a text in the order of execution, and gathers what it could run. */
export class Walk implements Walker {
  readonly context: Context;
  readonly variables: Variables;
  readonly functions: Map<string, bash.Function["body"]>;
  readonly within: Span | undefined;
  readonly startedBy: StartedBy | undefined;
  readonly depth: number;
  readonly left: State[];
  readonly calls: string[] = [];
  input: Inherited = {};
  found: readonly string[] | undefined;
  readonly traps: { readonly run: (state: State) => void; state: State }[] = [];

  constructor(options: WalkOptions) {
    this.context = options.context;
    this.variables = options.variables;
    this.functions = options.functions;
    this.left = options.left;
    this.within = options.within;
    this.startedBy = options.startedBy;
    this.depth = options.depth;
  }

  /** Walk the whole text. */
  whole({ commands }: bash.ParsedScript, start: Start): After {
    const after = this.sequence(commands, start);
    for (let trap; (trap = this.traps.shift()) !== undefined;) trap.run(trap.state);
    return after;
  }

  sequence(statements: readonly bash.Statement[], { state: from, inherited }: Start): After {
    let after = staying(from);
    for (const { command, background } of statements) {
      const state = either(after.ok, after.fail);
      after = this.statement(command, { state, inherited });
      // A job in the background is a process of its own.
      if (background) after = staying(state);
    }
    return after;
  }

  nested(script: bash.ParsedScript, start: Start, options: Omit<WalkOptions, "context">): After {
    const walk = new Walk({ ...options, context: this.context });
    walk.calls.push(...this.calls);
    return walk.whole(script, start);
  }

  subshell(script: bash.ParsedScript, start: Start): void {
    if (script.source !== undefined) this.context.findings.texts.add(script.source);
    const within = this.within ?? { start: script.pos, end: script.end };
    this.#apart(() =>
      script.source === undefined
        ? this.sequence(script.commands, start)
        : this.nested(script, start, { ...this, within })
    );
  }

  /** Walk what is a process of its own: where that goes does not matter to what follows. */
  #apart(walked: () => void): void {
    const { moves, idle } = this.context;
    const before = new Set(moves);
    walked();
    for (const use of moves) {
      if (!before.has(use) && moves.delete(use)) idle.add(use);
    }
  }

  statement(node: bash.PipelineNode | bash.AndOr, start: Start): After {
    const { context } = this;
    if (++context.count > MOST_COMMANDS) return staying(start.state);
    for (const trap of this.traps) trap.state = either(trap.state, start.state);
    switch (node.type) {
      case "AndOr":
        return this.#list(node, start);
      case "Pipeline": {
        const [only, ...others] = node.commands;
        if (only === undefined) return staying(start.state);
        if (others.length > 0) return this.#pipeline(node.commands, start);
        const { ok, fail } = this.statement(only, start);
        const negations = node.prefixes.filter(({ type }) => type === "Negation").length;
        return negations % 2 === 1 ? { ok: fail, fail: ok } : { ok, fail };
      }
      default:
        return this.#command(node, start);
    }
  }

  #command(node: bash.CommandNode, start: Start): After {
    const { state } = start;
    switch (node.type) {
      case "Command":
        return simple(this, node, start);
      case "Redirected": {
        const opened = readRedirects(this, node.redirects, state);
        const input = inputOf(this, node.redirects, state) ?? start.inherited;
        const inherited = { ...input, opened: [...start.inherited.opened ?? [], ...opened] };
        return this.statement(node.command, { state, inherited });
      }
      case "Subshell":
        this.#apart(() => this.sequence(node.body.commands, start));
        return staying(state);
      case "BraceGroup":
        return this.sequence(node.body.commands, start);
      case "If":
        return choice(this, node, start);
      case "Case":
        return cases(this, node, start);
      case "While":
        return loop(this, [node.clause, node.body], start);
      case "For":
      case "Select":
        return eachValue(this, node, start);
      case "ArithmeticFor":
        for (const part of [node.initialize, node.test, node.update]) {
          if (part !== undefined) arithmetic(this, part, state);
        }
        return loop(this, [node.body], start);
      case "ArithmeticCommand":
        if (node.expression !== undefined) arithmetic(this, node.expression, state);
        else if (node.body.trim() !== "") this.doubt("arithmetic that cannot be read", node);
        return staying(state);
      case "TestCommand":
        expansions(this, [node.expression], state);
        return staying(state);
      case "Function":
        return this.#define(node, start);
      case "Coproc":
        this.doubt("a coprocess", node);
        this.body(node.body, start);
        return staying(state);
    }
  }

  body(body: bash.Function["body"] | bash.CommandNode, start: Start): After {
    return body.type === "CompoundList"
      ? this.sequence(body.commands, start)
      : this.statement(body, start);
  }

  /** A function that the line does not call, or that others can call, counts as run with any arguments. */
  #define(
    { name: { value: name }, body, ...node }: bash.Function,
    { state, inherited }: Start,
  ): After {
    const { context, functions } = this;
    if (context.programs.has(name)) this.doubt(`a function takes the name of "${name}"`, node);
    if ((functions.get(name) ?? body) !== body) this.doubt(`a second function "${name}"`, node);
    functions.set(name, body);
    const run = (then: State) => {
      if (context.called.has(body) && !context.exports && name !== FALLBACK) return;
      this.calls.push(name);
      this.body(body, { state: withValues(then, [[ARGUMENTS, undefined]]), inherited });
      this.calls.pop();
    };
    this.traps.push({ state, run });
    return staying(withValues(state, [[`${name}()`, [""]]]));
  }

  #list({ commands, operators }: bash.AndOr, start: Start): After {
    const { inherited } = start;
    let after: After | undefined;
    for (const [index, command] of commands.entries()) {
      if (after === undefined) {
        after = this.statement(command, start);
        continue;
      }
      const or = operators[index - 1] === "||";
      const next = this.statement(command, { state: or ? after.fail : after.ok, inherited });
      after = or
        ? { ok: either(after.ok, next.ok), fail: next.fail }
        : { ok: next.ok, fail: either(after.fail, next.fail) };
    }
    return after ?? staying(start.state);
  }

  /** Each member of a pipeline is a process of its own. */
  #pipeline(commands: readonly bash.CommandNode[], { state, inherited }: Start): After {
    let input = inherited;
    for (const command of commands) {
      const from = this.context.findings.commands.length;
      this.input = input;
      this.statement(command, { state, inherited: input });
      const { opened } = inherited;
      input = { ...fed(this.context.findings.commands.slice(from), this), opened };
    }
    return staying(state);
  }

  /** What `dirname` or `basename` makes of a word that the line tells. */
  #partOfName({ script }: bash.CommandExpansionPart, state: State): readonly string[] | undefined {
    const command = script?.commands[0]?.command;
    if (command?.type !== "Command" || !/^(?:dir|base)name$/.test(command.name?.text ?? "")) {
      return undefined;
    }
    const [word, suffix] = command.args.map((each) => markWord(each, this.scope(state)));
    const texts = this.context.choices.expand(word ?? UNKNOWN);
    if ([...texts, suffix ?? ""].some(isUnknown) || /^-/.test(word ?? "")) return undefined;
    return texts.map((text) => {
      const [, dir = "", name = ""] = /^(?:([^]*?)\/+)?([^/]*)\/*$/.exec(text) ?? [];
      if (command.name?.text === "dirname") return dir || (text.startsWith("/") ? "/" : ".");
      return suffix && name.endsWith(suffix) ? name.slice(0, -suffix.length) : name;
    });
  }

  span({ pos, end }: Place): Span {
    return this.within ?? { start: pos, end };
  }

  doubt(reason: string, node: Place): void {
    this.context.findings.doubts.push({ reason, span: { ...this.span(node) } });
  }

  resolving(state: State): Resolving {
    const { facts: { home }, choices } = this.context;
    return { state, home, choices };
  }

  scope(state: State): Scope {
    const { facts: { home }, choices, programs } = this.context;
    const workTree = (words: readonly string[] = [], [dir, ...others]: readonly string[] = []) => {
      const { cwd, workTree } = this.context.facts;
      const top = words.join("\0") === "git\0rev-parse\0--show-toplevel" && dir === cwd &&
        others.length === 0 && workTree?.();
      return top ? [quoted(top)] : undefined;
    };
    const here = () => state.lost || state.dirs.length === 0 ? undefined : state.dirs;
    return {
      placeholder: (texts) => choices.placeholder(texts),
      values: (name) => {
        if (this.variables.numbers.has(name) && !state.values.has(name)) return [NUMBER];
        if (name === "PWD") return this.variables.wild ? undefined : here();
        if (name === "HOME") {
          return this.variables.untracked.has(name) || home === undefined ? undefined : [home];
        }
        if (!/^\d/.test(name)) {
          return isTracked(name, this.variables) ? state.values.get(name) : undefined;
        }
        const given = state.values.get(ARGUMENTS)?.[Number(name) - 1];
        return given === undefined ? undefined : choices.expand(given);
      },
      output: (part: bash.CommandExpansionPart) => {
        const words = lastCommand(part);
        if (printsNumbers(words, programs)) return NUMBER;
        const name = words === undefined ? undefined : programs.find(words)?.name;
        if (name === "mktemp") return TEMPORARY;
        const texts = this.#partOfName(part, state);
        if (texts !== undefined) return choices.placeholder(texts);
        const dirs = name === "pwd" ? here() : workTree(words, here());
        return dirs === undefined
          ? UNKNOWN
          : dirs.length === 1 && dirs[0] !== undefined
          ? dirs[0]
          : choices.placeholder(dirs);
      },
    };
  }
}

/** What the next member of a pipeline gets from those before it. */
function fed(
  [only, ...others]: readonly SimpleCommand[],
  { input, found, context: { programs } }: Pick<Walk, "input" | "found" | "context">,
): Inherited {
  if (only === undefined || others.length > 0) return { from: "pipe", text: null };
  const { argv } = only;
  const files = argv[0] === "cat" && argv.length > 1 &&
    argv.every((word) => word !== null && !/^-$|^\/(?:dev|proc)\//.test(word));
  return {
    from: "pipe",
    ...(files && { stored: true }),
    found: found ?? chosenNames(argv, input.found) ??
      (printsNumbers(argv.map((word) => word ?? UNKNOWN), programs) ? [NUMBER] : undefined),
    text: printed(argv, input),
  };
}
