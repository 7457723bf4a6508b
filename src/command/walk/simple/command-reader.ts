import type { Redirect, SimpleCommand } from "../../../event/command.ts";
import type { SyntaxNode } from "../../../platform/grammar.ts";
import type { AnalysisFacts } from "../../facts.ts";
import type { Place } from "../../paths/place.ts";
import { isShell } from "../../unwrap/scripts.ts";
import { type RawLayer, unwrap } from "../../unwrap/layers.ts";
import { knownText, plainText } from "../../words/marks.ts";
import { programName } from "../../words/program-name.ts";
import type { MarkedWord } from "../../words/word.ts";
import { commandUses, isTame } from "./command-uses.ts";
import { movedTo, namesSet } from "./effects.ts";
import { evaluationDoubts } from "./evaluation.ts";
import { nameDoubts } from "./name-doubts.ts";
import { readInput, readRedirects } from "./redirects.ts";
import type { Findings } from "../result.ts";
import { shadowDoubts } from "./shadows.ts";
import { commandParts } from "./simple.ts";
import type { Inherited } from "../inherited.ts";

interface ReaderContext {
  readonly facts: AnalysisFacts;
  readonly findings: Findings;
  /** Names of variables that hold nothing but integers. */
  readonly numbers: ReadonlySet<string>;
}

/** Turns the nodes of a simple command into what it runs, touches and changes. */
export class CommandReader {
  readonly #text: string;
  readonly #context: ReaderContext;

  constructor(text: string, context: ReaderContext) {
    this.#text = text;
    this.#context = context;
  }

  /** Read redirections and note the files they open. */
  redirects(nodes: readonly SyntaxNode[], place: Place): readonly Redirect[] {
    return readRedirects(nodes, {
      text: this.#text,
      place,
      facts: this.#context.facts,
      findings: this.#context.findings,
    });
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
    const read = this.redirects(redirects, place);
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
    findings.doubts.push(
      ...nameDoubts(words, node, this.#text),
      ...shadowDoubts(words, layers, facts.state),
    );
    for (const layer of [marked, ...layers.map((each) => each.words)]) {
      const tame = isTame(layers.find(({ words: each }) => each === layer), input);
      findings.uses.push(...commandUses(layer, { place, home: facts.home, span, tame }));
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
}

function asLayer(
  { by, words, assignments, sure }: RawLayer,
): NonNullable<SimpleCommand["layers"]>[number] {
  return { by, argv: words.map(knownText), assignments, sure };
}
