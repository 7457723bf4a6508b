import { overlappingNames } from "../../../platform/file/pattern-overlap.ts";
import type { Lines } from "../../program/output/output-lines.ts";
import { REF } from "../../words/placeholders.ts";
import { resolveWord } from "../command/resolve.ts";
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

/** The version of a project that words print from a file, where the line cannot have written that yet. */
export function versionPrinted(walk: Walker, words: string, state: State): Lines | undefined {
  const file = TAKES.exec(words)?.slice(1).find((each) => each !== undefined);
  if (file === undefined || walk.depth > 0 || walk.context.repeats > 0) return undefined;
  const places = resolveWord(walk.context, file, { state, reads: true }).map(({ path }) => path);
  const isWritten = walk.context.findings.uses.some(({ access, path: written }) =>
    /write|use/.test(access) &&
    places.some((path) =>
      path === undefined || written === undefined || `${path}/`.startsWith(`${written}/`) ||
      overlappingNames(written, path)
    )
  );
  return isWritten ? undefined : { fields: [[REF]] };
}
