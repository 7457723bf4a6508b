import type { Redirect, SimpleCommand } from "../../event/command.ts";
import type { SyntaxNode } from "../../platform/grammar.ts";
import type { AnalysisFacts } from "../facts.ts";
import { type Place, resolveWord } from "../paths/place.ts";
import { rawUses } from "../paths/uses.ts";
import { isShell } from "../unwrap/scripts.ts";
import { programName, type RawLayer, unwrap } from "../unwrap/layers.ts";
import { isPattern, isUnknown, knownText, plainText } from "../words/marks.ts";
import type { MarkedWord } from "../words/word.ts";
import { movedTo, namesSet } from "./effects.ts";
import { evaluationDoubts } from "./evaluation.ts";
import { COMPOUND_STARTS, RESERVED } from "./names.ts";
import { readInput, readRedirects, type RedirectFacts } from "./redirects.ts";
import type { Findings } from "./result.ts";
import { commandParts } from "./simple.ts";
import type { Inherited } from "./inherited.ts";

interface ReaderContext {
  readonly facts: AnalysisFacts;
  readonly findings: Findings;
  readonly numbers: ReadonlySet<string>;
  readonly functions: ReadonlyMap<string, SyntaxNode>;
}

/** Turns the nodes of a simple command into what it runs, touches and changes. */
export class CommandReader {
  readonly #text: string;
  readonly #context: ReaderContext;

  constructor(text: string, context: ReaderContext) {
    this.#text = text;
    this.#context = context;
  }

  /** Note why the line cannot be trusted. */
  doubt(reason: string, at: { readonly start: number; readonly end: number }): void {
    this.#context.findings.doubts.push({ reason, span: { start: at.start, end: at.end } });
  }

  /** The input that redirections give, if they give any. */
  inputOf(redirects: readonly SyntaxNode[]): Inherited | undefined {
    return readInput(redirects, this.#text);
  }

  /** Redirections of a construct, or of nothing. */
  bareRedirects(nodes: readonly SyntaxNode[], place: Place): readonly Redirect[] {
    return readRedirects(nodes, this.#redirectFacts(place));
  }

  /** Read one command; answers its words and where it leads the shell. */
  command(
    node: SyntaxNode,
    place: Place,
    { inherited, more }: { readonly inherited: Inherited; readonly more: readonly SyntaxNode[] },
  ): { readonly words: readonly MarkedWord[]; readonly moved: Place | undefined } {
    const { findings, facts } = this.#context;
    const { words, assignments, redirects } = commandParts(node, this.#text, more);
    const input = readInput(redirects, this.#text) ?? inherited;
    const span = { start: node.start, end: Math.max(node.end, words.at(-1)?.span.end ?? 0) };
    const marked = words.map((word) => word.marked);
    const read = readRedirects(redirects, this.#redirectFacts(place));
    const { layers, scripts } = unwrap(marked);
    const program = knownText(marked[0] ?? "");
    findings.commands.push({
      argv: marked.map(knownText),
      assignments,
      redirects: read,
      span,
      ...(layers.length > 0 && { layers: layers.map(asLayer) }),
      ...(input.input !== undefined && { input: input.input }),
      ...(input.fedBy !== undefined && { fedBy: input.fedBy }),
    });
    this.#checkName(words, node);
    for (const layer of [marked, ...layers.map((each) => each.words)]) {
      this.#uses(layer, place, {
        span,
        tame: isTame(layers.find(({ words: each }) => each === layer), input),
      });
      const asWords = layer.map((word) => ({ marked: word, span, ansi: false }));
      findings.doubts.push(
        ...evaluationDoubts(layer === marked ? words : asWords, this.#context.numbers),
      );
      for (const set of namesSet(layer)) findings.sets.push({ ...set, span });
    }
    if (words.length === 0) { for (const set of assignments) findings.sets.push({ ...set, span }); }
    const cwd = place.lost ? undefined : place.dirs[0];
    for (const script of scripts) findings.scripts.push({ ...script, span, cwd });
    this.#inputScripts([marked, ...layers.map((layer) => layer.words)], input, { span, cwd });
    const cdpath = assignments.some(({ name }) => name === "CDPATH") ||
      findings.sets.some(({ name }) => name === "CDPATH") ||
      facts.state?.variables?.includes("CDPATH") === true;
    const mover = program === "command" || program === "builtin"
      ? layers.at(-1)?.words ?? []
      : marked;
    return { words, moved: movedTo(mover, { place, home: facts.home, cdpath }) };
  }

  /** A shell that gets no script reads its input. */
  #inputScripts(
    layers: readonly (readonly string[])[],
    input: Inherited,
    { span, cwd }: { span: SimpleCommand["span"]; cwd: string | undefined },
  ): void {
    if (input.text === undefined) return;
    for (const words of layers) {
      const name = programName(words[0] ?? "");
      const script = words.slice(1).some((word) => !/^[-+]/.test(plainText(word)));
      if (isShell(name) && !script) {
        this.#context.findings.scripts.push({ by: name, text: input.text, span, cwd });
      }
    }
  }

  #uses(
    words: readonly string[],
    place: Place,
    { span, tame }: { readonly span: SimpleCommand["span"]; readonly tame: boolean },
  ): void {
    const by = programName(words[0] ?? "");
    const { findings, facts } = this.#context;
    for (const { access, marked } of rawUses(words)) {
      for (const path of resolveWord(marked, { place, home: facts.home })) {
        if (path !== null || access === "write" || !tame) {
          findings.uses.push({ access, path, span, by });
        }
      }
    }
    if (!/^(?:cd|pushd|chdir|popd)$/.test(by)) return;
    const operand = words.slice(1).find((word) => !/^-[LPe@]+$|^--$/.test(plainText(word)));
    const unknown = by === "popd" || operand === "-" || (by === "pushd" && operand === undefined);
    let paths: readonly (string | null)[] = [facts.home ?? null];
    if (unknown) paths = [null];
    else if (operand !== undefined) paths = resolveWord(operand, { place, home: facts.home });
    for (const path of paths) findings.uses.push({ access: "read", path, span, by });
  }

  #checkName(words: readonly MarkedWord[], node: SyntaxNode): void {
    const first = words[0];
    if (first === undefined) return;
    const { marked, span } = first;
    const raw = this.#text.slice(span.start, span.end);
    if (isUnknown(marked)) this.doubt("a program whose name is known only at run time", span);
    else if (isPattern(marked) && raw !== "[") this.doubt("a program named by a pattern", span);
    else if (marked.startsWith("~")) this.doubt("a program below a home directory", span);
    else if (first.ansi) this.doubt("a program's name in escapes", span);
    else if (/^[^{]*\{[^]*[,.][^]*\}/.test(raw) && raw !== marked) {
      this.doubt("a program named by braces", span);
    }
    if (node.type === "test_command") return;
    if (RESERVED.has(raw)) this.doubt(`"${raw}" where a command begins`, span);
    const second = words[1];
    if (raw === "time" && second !== undefined) {
      const next = this.#text.slice(second.span.start, second.span.end);
      if (COMPOUND_STARTS.has(next) && next !== "time") {
        this.doubt("a construct behind `time`", node);
      }
    }
    const { state } = this.#context.facts;
    const name = plainText(marked);
    if (state?.functions?.includes(name) === true) {
      this.doubt(`"${name}" is a function of the shell`, span);
    } else if (state?.aliases?.includes(name) === true) {
      this.doubt(`"${name}" is an alias of the shell`, span);
    }
  }

  #redirectFacts(place: Place): RedirectFacts {
    return {
      text: this.#text,
      place,
      facts: this.#context.facts,
      findings: this.#context.findings,
    };
  }
}

/** Programs that name files below the places they are given, and those that only choose from names. */
const FINDERS = /^(?:find|fd|fdfind|rg|ls|git|sort|uniq|head|tail|wc)$/;

/** Whether a command reads only what was found below paths that the line names. */
function isTame(layer: RawLayer | undefined, input: Inherited): boolean {
  if (layer === undefined) return false;
  if (layer.by === "find" || layer.by === "fd" || layer.by === "fdfind") return true;
  return layer.by === "xargs" && input.fedBy !== undefined &&
    input.fedBy.every((name) => name !== null && FINDERS.test(name));
}

function asLayer(
  { by, words, assignments, sure }: RawLayer,
): NonNullable<SimpleCommand["layers"]>[number] {
  return { by, argv: words.map(knownText), assignments, sure };
}
