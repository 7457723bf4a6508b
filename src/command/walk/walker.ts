import type * as bash from "unbash";
import type { Redirect, SimpleCommand, Span, StartedBy } from "../../event/analysis.ts";
import type { Input } from "../program/code.ts";
import type { Setting } from "../program/starts.ts";
import type { Scope } from "../words/word.ts";
import type { Context } from "./findings.ts";
import type { Streams } from "./output/streams.ts";
import type { After, PassedStates, State } from "./walk-state.ts";
import type { Variables } from "./values/text-variables.ts";
import type { Words } from "../words/word-marks.ts";

/** What a statement inherits from the constructs around it. */
export interface Inherited extends Input {
  /** Redirections of the constructs around it. */
  readonly opened?: readonly Redirect[] | undefined;
  /** Where they lead what it prints. */
  readonly streams?: Streams | undefined;
}

/** The state of the shell before a statement, and what the constructs around it give it. */
export interface Start {
  readonly state: State;
  readonly inherited: Inherited;
}

/** What a walk needs besides its text. */
export interface WalkOptions {
  readonly context: Context;
  readonly variables: Variables;
  /** The functions that the text has defined so far. */
  readonly functions: Map<string, bash.CommandNode>;
  /** The states in which `return`, `break` or `continue` left a function or a round. */
  readonly left: State[];
  /** The place of the whole text in the line, where it is not the line itself. */
  readonly within?: Span | undefined;
  /** What hands the text to a shell. */
  readonly startedBy?: StartedBy | undefined;
  /** How many texts it is in. */
  readonly depth: number;
  /** The functions that are being called. */
  readonly calls: string[];
}

/** A node of the text. */
export interface Place {
  readonly pos: number;
  readonly end: number;
}

/** What the constructs of the language need from the walk that they are part of. */
export interface Walker extends WalkOptions {
  /** Text for later, with the place of the first state that it can find. */
  readonly traps: { readonly run: (state: State) => void; readonly from: number }[];
  /** What such texts can find. */
  readonly passed: PassedStates;
  /** How many loops surround it in the same function. */
  rounds: number;
  /** Walk statements that follow each other. */
  sequence(statements: readonly bash.Statement[], start: Start): After;
  /** Walk statements in a process of their own. */
  subshell(script: bash.ParsedScript, start: Start): void;
  /** Walk the body of a function. */
  body(body: bash.CommandNode, start: Start): After;
  /** Walk another text. */
  nested(script: bash.ParsedScript, start: Start, changes: Partial<WalkOptions>): After;
  /** The place of a node in the line. */
  span(node: Place): Span;
  /** Note that a node could run more than its analysis shows. */
  doubt(reason: string, node: Place): void;
  /** What words can refer to at a point of the text. */
  scope(state: State): Scope;
}

/** One command that is being read, with what surrounds its words. */
export interface Reading extends Pick<SimpleCommand, "redirects" | "span"> {
  readonly assignments: readonly Setting[];
  readonly walk: Walker;
  readonly node: Place;
  readonly state: State;
  readonly input: Inherited;
  /** Where what it prints leads. */
  readonly streams: Streams | undefined;
  /** Some word can be none. */
  readonly vanishes: boolean;
  /** The words that are there in any case. */
  readonly left: Words;
  after: After;
}
