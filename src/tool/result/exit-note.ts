import type { SyntaxNode } from "unbash";
import { nodesIn, readText } from "../../command/syntax.ts";

/** Programs whose exit code 1 is a result and no failure, with its meaning. */
const ONE: Readonly<Record<string, string>> = {
  grep: "no line matched",
  egrep: "no line matched",
  fgrep: "no line matched",
  zgrep: "no line matched",
  rg: "no line matched",
  ag: "no line matched",
  pgrep: "no process matched",
  diff: "the files differ",
  cmp: "the files differ",
  colordiff: "the files differ",
  test: "the condition is false",
  "[": "the condition is false",
  "[[": "the condition is false",
};

/** Programs that do not fail with 1, or report it where they do. */
const NEVER = ["cd", "echo", "printf", "true", ":"];
/** What can end a line before its last program. */
const ENDS = ["exit", "return", "exec", "set", "trap"];

/**
 * What an exit code means where it is no failure; `undefined` where it can be one of any program of
 * the line.
 */
export function exitNote(command: string, code: number): string | undefined {
  if (code !== 1) return undefined;
  const { script, doubts } = readText(command);
  const last = script?.commands.at(-1);
  if (script === undefined || last === undefined || doubts.length > 0) return undefined;
  if (last.background || nodesIn(script).some((node) => ENDS.includes(wordsOf(node)[0] ?? ""))) {
    return undefined;
  }
  const meanings = meaningsOf(last.command, command);
  return meanings.includes(undefined) ? undefined : meanings.findLast((each) => each !== "");
}

/** What the code means if it is that of a program that can have ended a part of a line with it. */
function meaningsOf(node: SyntaxNode, line: string): readonly (string | undefined)[] {
  switch (node.type) {
    case "AndOr":
      return node.commands.slice(node.operators.lastIndexOf("||") + 1)
        .flatMap((each) => meaningsOf(each, line));
    case "Pipeline":
      return node.prefixes.length > 0
        ? [undefined]
        : node.commands.slice(-1).flatMap((each) => meaningsOf(each, line));
    case "TestCommand":
      return [meaningOf("[[")];
    case "Command": {
      const [program, subcommand] = wordsOf(node);
      if (program !== undefined) return [meaningOf(program, subcommand)];
      // An assignment alone ends with the code of what it substitutes.
      return [/[$`]/.test(line.slice(node.pos, node.end)) ? undefined : ""];
    }
    default:
      return [undefined];
  }
}

/** The program of a command, without its directory, and its first argument. */
function wordsOf(node: SyntaxNode): readonly (string | undefined)[] {
  if (node.type !== "Command") return [];
  const [first] = node.suffix;
  const subcommand = first?.type === "Word" ? first.value : undefined;
  return [node.name?.value.split("/").at(-1), subcommand];
}

function meaningOf(program: string, subcommand = ""): string | undefined {
  if (NEVER.includes(program)) return "";
  if (program === "git" && /^(diff|grep)$/.test(subcommand)) return ONE[subcommand];
  return Object.hasOwn(ONE, program) ? `${program}: ${ONE[program]}` : undefined;
}
