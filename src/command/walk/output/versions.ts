import { overlappingNames } from "../../../platform/file/pattern-overlap.ts";
import type { Lines } from "../../program/output/output-lines.ts";
import { REF } from "../../words/placeholders.ts";
import { quoted } from "../../words/word-marks.ts";
import { resolveWord } from "../command/resolve.ts";
import { isKept } from "../sure-directories.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

/** Files that hold a version alone, and those of a package, in which it stands under its name. */
const FILE = String
  .raw`((?:[\w.-]+/)*(?:VERSION|version(?:\.txt)?|\.(?:nvmrc|(?:node|python|ruby|go|terraform)-version)))`;
const PACKAGE = String
  .raw`((?:[\w.-]+/)*(?:(?:package|lerna|composer|manifest|version)\.json|Cargo\.toml|pyproject\.toml|setup\.cfg|Chart\.yaml|pubspec\.yaml))`;
const TAKES = new RegExp(
  String
    .raw`^(?:cat ${FILE}|jq (?:-r|--raw-output) \.version ${PACKAGE}|node (?:-p |-e console\.log\()require\(["'](?:\./)?${PACKAGE}["']\)\.version\)?;?|python3? -c import (?:json|tomllib)[,;][^'"]*["']?${PACKAGE}["'](?:, ?["']rb["'])?\)\)(?:\[["']\w+["']\])*\[["']version["']\]\)|sed -n(?:E| -E)? s/[^/]{0,40}version[^/]{0,40}/\\1/p ${PACKAGE}|grep (?:-m1 )?-[oPm1]+ [^|]{0,40}version[^|]{0,40}\\K\[\^["']+\]\+ ${PACKAGE}|awk -F ?\S+ /\^?version[^/]{0,40}/ ?\{ ?print \$\d;?(?: ?exit;?)? ?\} ${PACKAGE})$`,
);

/** Those of them that print the version and nothing else, in the order of the expression. */
const EXACT = 3;

/** The version of a project that words print from a file, where the line cannot have written that yet. */
export function versionPrinted(
  walk: Walker,
  words: string,
  { state, isRun }: { readonly state: State; readonly isRun: boolean },
): Lines | undefined {
  const [, ...files] = TAKES.exec(words) ?? [];
  const at = files.findIndex((each) => each !== undefined);
  const file = files[at];
  if (file === undefined || walk.depth > 0 || walk.context.repeats > 0) return undefined;
  const places = resolveWord(walk.context, file, { state, reads: true }).map(({ path }) => path);
  const isWritten = walk.context.findings.uses.some(({ access, path: written }) =>
    /write|use/.test(access) &&
    places.some((path) =>
      path === undefined || written === undefined || `${path}/`.startsWith(`${written}/`) ||
      overlappingNames(written, path)
    )
  );
  if (isWritten) return undefined;
  const [path, ...others] = places;
  const { facts: { version }, findings: { commands } } = walk.context;
  // The command that reads it is the last one.
  const before = Math.max(0, commands.length - (isRun ? 1 : 0));
  const isSure = at < EXACT && path && others.length === 0 &&
    isKept({ walk, assignments: [] }, path, before);
  const text = isSure ? version?.(path) : undefined;
  return text === undefined ? { fields: [[REF]] } : { fields: [], texts: [`${quoted(text)}\n`] };
}
