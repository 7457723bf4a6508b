import type { SyntaxNode } from "../../platform/grammar.ts";
import type { Place } from "../paths/place.ts";
import type { CommandReader } from "./simple/command-reader.ts";
import type { After, Start } from "./flow.ts";
import type { Findings } from "./result.ts";

/** What the constructs of the language need from the walk that they are part of. */
export interface Walker {
  readonly text: string;
  readonly findings: Findings;
  readonly reader: CommandReader;
  /** The functions that the line has defined so far, by name. */
  readonly functions: Map<string, SyntaxNode>;
  /** Walk statements that follow each other. */
  sequence(nodes: readonly SyntaxNode[], start: Start): After;
  /** Walk one statement. */
  statement(node: SyntaxNode, start: Start): After;
  /** Walk a simple command; `more` are words that the grammar put elsewhere. */
  command(node: SyntaxNode, start: Start, more?: readonly SyntaxNode[]): After;
  /** Walk what words, values and conditions run on their own: substitutions, wherever they hide. */
  expansions(nodes: readonly SyntaxNode[], place: Place): void;
  /** Look at nodes that are evaluated as numbers. */
  arithmetic(nodes: readonly SyntaxNode[]): void;
}
