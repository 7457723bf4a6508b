import type { Doubt } from "../../syntax.ts";
import type { ShellState } from "../../../event/command.ts";
import type { Span } from "../../../event/analysis.ts";

/** What a persistent shell calls when it finds no program of a name. */
export const FALLBACK = "command_not_found_handle";
/** Words of the grammar that an alias can replace before they are read as such. */
const KEYWORDS =
  "then do done fi esac } { elif else ! [[ ]] (( ( case in if while until for select function coproc time"
    .split(" ");

type Kind = "functions" | "aliases" | "programs";

const MEANINGS: Readonly<Record<Kind, string>> = {
  functions: "is a function of the shell",
  aliases: "is an alias of the shell",
  programs: "is remembered by the shell as another file",
};

/** Why a name means something else in a persistent shell than in a fresh one. */
export function shadowOf(
  name: string,
  state: ShellState | undefined,
  kinds: readonly Kind[] = ["functions", "aliases", "programs"],
): string | undefined {
  const kind = kinds.find((each) => state?.[each]?.includes(name) === true);
  if (kind !== undefined) return `"${name}" ${MEANINGS[kind]}`;
  return !name.includes("/") && state?.functions?.includes(FALLBACK) === true
    ? `a function of the shell stands in for a missing "${name}"`
    : undefined;
}

/** Find words of the grammar that an alias of the shell replaces. */
export function keywordDoubts(text: string, state: ShellState | undefined): readonly Doubt[] {
  const replaced = state?.aliases?.filter((name) => KEYWORDS.includes(name)) ?? [];
  if (replaced.length === 0) return [];
  const words = new Set(text.split(/[\s;&|()<>]+/));
  const span: Span = { start: 0, end: text.length };
  return replaced.filter((name) => words.has(name))
    .map((name) => ({ reason: `"${name}" is an alias of the shell`, span }));
}
