import { lineOf } from "../../words/word-marks.ts";
import { pattern } from "../remembered.ts";
import type { Command } from "../taken-apart.ts";
import { filtered } from "./filters.ts";
import { columns, type Lines } from "./output-lines.ts";

/** What a command prints, by its words; `undefined`: any text. */
export function printedLines(command: Command, spelling: string): Lines | undefined {
  const { program, words } = command;
  // Another program of that name could print something else.
  if (spelling.includes("/")) return undefined;
  const kept = filtered(command);
  if (kept !== undefined) return kept;
  if (program.prints === undefined) return undefined;
  const text = lineOf(words);
  const rule = Object.entries(program.prints).find(([when]) => pattern(when).test(text));
  return rule && columns(rule[1]);
}
