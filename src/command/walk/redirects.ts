import type { Redirection } from "unbash";
import type { Redirect } from "../../event/analysis.ts";
import { inputFrom, linesOfWord, namesIn } from "./output/printed.ts";
import { expansions } from "./expansions.ts";
import { PIPE_NAME, UNKNOWN } from "../words/placeholders.ts";
import { isInput } from "../program/code.ts";
import { linesIn } from "../program/output/output-lines.ts";
import { isPattern, isUnknown, knownText, plainText, quoted } from "../words/word-marks.ts";
import { markUnsplit, markWord } from "../words/word.ts";
import { resolveWord, withHome } from "./command/resolve.ts";
import { onlyValue } from "./values/known-words.ts";
import type { State } from "./walk-state.ts";
import type { Inherited, Walker } from "./walker.ts";

/** Read redirections, walk what they run, and note the files that they open. */
export function readRedirects(
  walk: Walker,
  nodes: readonly Redirection[],
  state: State,
): readonly Redirect[] {
  return nodes.map((node) => {
    const { uses } = walk.context.findings;
    const span = walk.span(node);
    if (node.descriptor?.type === "FileDescriptorVariable") {
      walk.doubt("a descriptor in a variable", node);
    }
    if (node.type === "HereDoc") {
      if (/[$`]/.test(node.delimiter?.text ?? "$")) {
        walk.doubt("a here-document with an unusual delimiter", node);
      }
      expansions(walk, [node.body], state);
      return { operator: node.operator, ...spelled(walk, node, state), span };
    }
    if (node.target === undefined) {
      walk.doubt("a redirection without a target", node);
      return { operator: node.operator, span };
    }
    expansions(walk, [node.target], state);
    // More than one word is an error, unless a value is a pattern, which is expanded.
    const whole = markUnsplit(node.target, walk.scope(state));
    const isOne = !walk.context.choices.expand(whole).some((each) => isPattern(plainText(each)));
    const marked = isOne ? whole : markWord(node.target, walk.scope(state));
    const target = knownText(marked);
    const redirect = { operator: node.operator, ...(target !== null && { target }), span };
    if (node.type === "HereString") return { ...redirect, ...spelled(walk, node, state) };
    if (marked === PIPE_NAME) return redirect;
    if (/&$/.test(node.operator)) {
      if (target !== null && /^(?:\d+-?|-)$/.test(target)) return redirect;
      // bash expands such a target twice.
      if (/[$`]/.test(node.target.text)) walk.doubt("a descriptor known only at run time", node);
    }
    const access = node.operator.startsWith("<") && node.operator !== "<>" ? "read" : "write";
    if (isPattern(marked) && !isUnknown(marked)) uses.push({ access, span });
    const paths = resolveWord(walk.context, marked, { state, reads: access === "read" });
    for (const path of paths) uses.push({ access, span, ...path });
    // It is found from where the shell has gone.
    if (paths.some(({ path }) => path !== "/dev/null")) walk.context.moves.clear();
    if (node.operator !== "<>") return redirect;
    for (const path of paths) uses.push({ access: "read", span, ...path });
    return redirect;
  });
}

/** Whether a command that reads it gets a text that the line tells. */
function spelled(walk: Walker, node: Redirection, state: State): Pick<Redirect, "spelled"> {
  return typeof inputOf(walk, [node], state)?.text === "string" ? { spelled: true } : {};
}

/** @param goesOn It goes on behind something else in its first line. */
function withoutTabs(text: string, operator: string, goesOn = false): string {
  if (operator !== "<<-") return text;
  return goesOn ? text.replace(/(?<=\n)\t+/g, "") : text.replace(/^\t+/gm, "");
}

function inputOfText(text: string | null): Inherited {
  if (text === null) return { from: "text", text };
  return { from: "text", text, lines: linesIn({ fields: [], texts: [quoted(text)] }) };
}

/** The input that redirections give, if they give any. */
export function inputOf(
  walk: Walker,
  nodes: readonly Redirection[],
  state: State,
): Inherited | undefined {
  for (const node of nodes.toReversed()) {
    // One that is given by a variable is a new one.
    const { descriptor } = node;
    if (descriptor && (descriptor.type !== "FileDescriptor" || descriptor.value !== 0)) continue;
    if (node.type === "HereDoc") {
      const { body, operator, delimiter: end } = node;
      if (end?.quoted) return inputOfText(withoutTabs(body.text, operator));
      const plain = (_: string, char: string) => char === "\n" ? "" : char;
      const texts = (body.parts ?? [body]).map((part, at) =>
        part.type === "Literal" || part.type === "HereDocBody"
          ? withoutTabs(part.text.replace(/\\([\\$`\n])/g, plain), operator, at > 0)
          : knownText(onlyValue(walk, part, state) ?? UNKNOWN)
      );
      return inputOfText(texts.includes(null) ? null : texts.join(""));
    }
    if (node.type === "HereString") {
      const word = node.target === undefined ? "" : markUnsplit(node.target, walk.scope(state));
      const names = namesIn(word, walk.context);
      if (names !== undefined) return { from: "text", text: null, lines: { fields: [names] } };
      return inputOfText(knownText(`${withHome(walk.context, word)}\n`));
    }
    if (!node.operator.startsWith("<")) continue;
    const target = node.target === undefined ? "" : markWord(node.target, walk.scope(state));
    if (target === PIPE_NAME) {
      return inputFrom(node.target && linesOfWord(node.target, walk.context));
    }
    if (plainText(target) === "/dev/null") return inputOfText("");
    // It is what the command would read anyway.
    if (plainText(target) === "/dev/stdin") continue;
    const isPlain = node.operator === "<" && !isInput(target);
    return isPlain ? { from: "file" } : { from: "file", text: null };
  }
  return undefined;
}
