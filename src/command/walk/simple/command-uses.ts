import type { Span } from "../../../event/command.ts";
import { type Place, resolveWord } from "../../paths/place.ts";
import { rawUses } from "../../paths/uses.ts";
import type { RawLayer } from "../../unwrap/layers.ts";
import { plainText } from "../../words/marks.ts";
import { programName } from "../../words/program-name.ts";
import type { Inherited } from "../inherited.ts";
import type { FoundUse } from "../result.ts";

interface UseContext {
  readonly place: Place;
  readonly home: string | undefined;
  readonly span: Span;
  /** What it reads at run time lies below paths that the line names. */
  readonly tame: boolean;
}

/** The paths that a command touches, those known only at run time as `null`. */
export function commandUses(
  words: readonly string[],
  { place, home, span, tame }: UseContext,
): readonly FoundUse[] {
  const by = programName(words[0] ?? "");
  const uses: FoundUse[] = [];
  for (const { access, marked } of rawUses(words)) {
    for (const path of resolveWord(marked, { place, home })) {
      if (path !== null || access === "write" || !tame) uses.push({ access, path, span, by });
    }
  }
  if (!/^(?:cd|pushd|chdir|popd)$/.test(by)) return uses;
  const operand = words.slice(1).find((word) => !/^-[LPe@]+$|^--$/.test(plainText(word)));
  const unknown = by === "popd" || operand === "-" || (by === "pushd" && operand === undefined);
  let paths: readonly (string | null)[] = [home ?? null];
  if (unknown) paths = [null];
  else if (operand !== undefined) paths = resolveWord(operand, { place, home });
  for (const path of paths) uses.push({ access: "read", path, span, by });
  return uses;
}

/** Programs that name files below the places they are given, and those that only choose from names. */
const FINDERS = /^(?:find|fd|fdfind|rg|ls|git|sort|uniq|head|tail|wc)$/;

/** Whether a command reads only what was found below paths that the line names. */
export function isTame(layer: RawLayer | undefined, input: Inherited): boolean {
  if (layer === undefined) return false;
  if (layer.by === "find" || layer.by === "fd" || layer.by === "fdfind") return true;
  return layer.by === "xargs" && input.fedBy !== undefined &&
    input.fedBy.every((name) => name !== null && FINDERS.test(name));
}
