import type { ShellState } from "../../../event/command.ts";
import type { RawLayer } from "../../unwrap/layers.ts";
import { type Doubt, doubtAt } from "../../doubt.ts";
import { plainText } from "../../words/marks.ts";
import type { MarkedWord } from "../../words/word.ts";
import { COMPOUND_STARTS, RESERVED } from "./names.ts";

/** What a shell that lives on calls when it finds no program of a name. */
const FALLBACK = "command_not_found_handle";

/** Find names that mean something else in the shell that lives on than they would in a fresh one. */
export function shadowDoubts(
  [first]: readonly MarkedWord[],
  layers: readonly RawLayer[],
  state: ShellState | undefined,
): readonly Doubt[] {
  if (state === undefined || first === undefined) return [];
  const doubts: Doubt[] = [];
  const look = (name: string, kinds: readonly Kind[]) => {
    const kind = kinds.find((each) => state[each]?.includes(name) === true);
    if (kind !== undefined) doubts.push(doubtAt(`"${name}" ${MEANINGS[kind]}`, first.span));
    else if (!name.includes("/") && state.functions?.includes(FALLBACK) === true) {
      doubts.push(doubtAt(`a function of the shell stands in for a missing "${name}"`, first.span));
    }
  };
  look(plainText(first.marked), ["functions", "aliases", "programs"]);
  for (const { by, words } of layers) {
    const kinds = LOOKED_UP.get(by);
    if (kinds !== undefined) look(plainText(words[0] ?? ""), kinds);
  }
  return doubts;
}

/** Find words of the grammar that an alias of the shell replaces before they are read as such. */
export function keywordDoubts(text: string, state: ShellState | undefined): readonly Doubt[] {
  const replaced = state?.aliases?.filter((name) =>
    RESERVED.has(name) || COMPOUND_STARTS.has(name)
  );
  if (replaced === undefined || replaced.length === 0) return [];
  const words = new Set(text.split(/[\s;&|()<>]+/));
  return replaced.filter((name) => words.has(name)).map((name) =>
    doubtAt(`"${name}" is an alias of the shell`, { start: 0, end: text.length })
  );
}

type Kind = "functions" | "aliases" | "programs";

const MEANINGS: Readonly<Record<Kind, string>> = {
  functions: "is a function of the shell",
  aliases: "is an alias of the shell",
  programs: "is remembered by the shell as another file",
};

/** What the shell still looks up itself behind some words. */
const LOOKED_UP: ReadonlyMap<string, readonly Kind[]> = new Map([
  ["time", ["functions", "aliases", "programs"]],
  ["command", ["programs"]],
  ["exec", ["programs"]],
]);
