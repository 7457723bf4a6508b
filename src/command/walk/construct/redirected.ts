import type { SyntaxNode } from "../../../platform/grammar.ts";
import { doubtAt } from "../../doubt.ts";
import type { Place } from "../../paths/place.ts";
import { type After, type Start, staying } from "../flow.ts";
import { chain, fed, pipeline } from "./lists.ts";
import { isCommand, isRedirect, isStatement } from "../node-kinds.ts";
import { readInput } from "../simple/redirects.ts";
import { extraWords } from "../simple/simple.ts";
import type { Walker } from "../walker.ts";

/** Walk a statement with redirections, or redirections of nothing. */
export function redirected(walk: Walker, node: SyntaxNode, start: Start): After {
  const { place } = start;
  const redirects = node.children.filter(isRedirect);
  const inherited = readInput(redirects, walk.text) ?? start.inherited;
  const from = walk.findings.commands.length;
  const after = walkBody(walk, node, { start, inner: { place, inherited }, redirects });
  return behindHeredoc(walk, redirects, { after, from, start: { place, inherited } });
}

/** Walk redirections of a construct, or of nothing. */
export function bareRedirects(walk: Walker, redirects: readonly SyntaxNode[], place: Place): void {
  walk.reader.redirects(redirects, place);
  for (const redirect of redirects) redirectExpansions(walk, redirect, place);
}

/** Walk what the target of a redirection runs on its own. */
export function redirectExpansions(walk: Walker, redirect: SyntaxNode, place: Place): void {
  const parts = redirect.children.filter((child) =>
    child.type !== "pipeline" && !isStatement(child)
  );
  walk.expansions(parts, place);
}

interface Redirection {
  /** Where and with what the whole begins. */
  readonly start: Start;
  /** The same with the input that the redirections give. */
  readonly inner: Start;
  readonly redirects: readonly SyntaxNode[];
}

function walkBody(
  walk: Walker,
  node: SyntaxNode,
  { start, inner, redirects }: Redirection,
): After {
  const { place } = start;
  const bodies = node.children.filter((child) => !isRedirect(child));
  const [body] = bodies;
  if (body === undefined) {
    bareRedirects(walk, redirects, place);
    return staying(place);
  }
  if (isCommand(body)) {
    const children = [...body.children, ...redirects];
    return walk.command({ ...node, type: body.type, children }, inner);
  }
  const several = body.type === "pipeline" || body.type === "list";
  const after = walk.sequence(bodies, several ? start : inner);
  walk.reader.redirects(redirects, place);
  const more = redirects.flatMap(extraWords);
  if (more.length > 0) moreWords(walk, body, { more, start: inner });
  for (const redirect of redirects) redirectExpansions(walk, redirect, place);
  return after;
}

/** `a | b > f -x`: the words behind the target belong to the last command. */
function moreWords(
  walk: Walker,
  body: SyntaxNode,
  { more, start }: { readonly more: readonly SyntaxNode[]; readonly start: Start },
): void {
  let last: SyntaxNode | undefined = body;
  while (last !== undefined && (last.type === "pipeline" || last.type === "list")) {
    last = last.children.at(-1);
  }
  if (last === undefined || !isCommand(last)) {
    walk.findings.doubts.push(doubtAt("words behind the redirection of a construct", body));
    return;
  }
  walk.findings.commands.pop();
  walk.command(last, start, more);
}

interface HeredocStart {
  /** How the statement ended that the here-document belongs to. */
  readonly after: After;
  /** The number of commands before it. */
  readonly from: number;
  readonly start: Start;
}

/** A here-document's operator line goes on: `cat <<E | grep x` and `cat <<E && rm x`. */
function behindHeredoc(
  walk: Walker,
  redirects: readonly SyntaxNode[],
  { after, from, start: { place, inherited } }: HeredocStart,
): After {
  let result = after;
  for (const { type, children } of redirects) {
    if (type !== "heredoc_redirect") continue;
    for (const child of children) {
      if (child.type !== "pipeline") continue;
      const input = fed(walk.findings.commands.slice(from), inherited);
      pipeline(walk, child.children, { place, inherited: input });
    }
    const at = children.findIndex((child) => child.type === "&&" || child.type === "||");
    const operator = children[at];
    if (operator === undefined) continue;
    const rest = children.slice(at + 1).filter((child) => !child.type.startsWith("heredoc_"));
    result = chain(walk, result, { operator, rest, inherited: {} });
  }
  return result;
}
