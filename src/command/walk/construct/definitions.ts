import type { SyntaxNode } from "../../../platform/grammar.ts";
import { doubtAt } from "../../doubt.ts";
import { plainText } from "../../words/marks.ts";
import { readWord } from "../../words/word.ts";
import type { Start } from "../flow.ts";
import { KNOWN_PROGRAMS } from "../simple/names.ts";
import { isRedirect, isStatement } from "../node-kinds.ts";
import { bareRedirects } from "./redirected.ts";
import type { Walker } from "../walker.ts";

/** Walk the definition of a function; its body counts as run, whether it is called or not. */
export function define(walk: Walker, node: SyntaxNode, start: Start): void {
  const { text, findings: { doubts }, functions } = walk;
  const named = node.children.find((child) => child.type === "word");
  const name = named === undefined ? "" : plainText(readWord([named], text).marked);
  const body = node.children.find((child) => isStatement(child) && child !== named);
  if (KNOWN_PROGRAMS.has(name)) {
    doubts.push(doubtAt(`a function takes the name of "${name}"`, node));
  }
  if (functions.has(name)) doubts.push(doubtAt(`a second function "${name}"`, node));
  bareRedirects(walk, node.children.filter(isRedirect), start.place);
  if (body === undefined) return;
  walk.statement(body, start);
  functions.set(name, body);
}
