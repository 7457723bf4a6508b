import { overlappingNames } from "../../../platform/file/pattern-overlap.ts";
import type { Lines } from "../../program/output/output-lines.ts";
import { PART } from "../../words/placeholders.ts";
import { resolveWord } from "../command/resolve.ts";
import type { State } from "../walk-state.ts";
import type { Walker } from "../walker.ts";

/** Files that hold a version and nothing else. */
const FILE = String
  .raw`(?:[\w.-]+/)*(?:VERSION|version(?:\.txt)?|\.(?:nvmrc|(?:node|python|ruby|go|terraform)-version))`;
/** Files of a package, in which it stands under its name. */
const PACKAGE = String
  .raw`(?:[\w.-]+/)*(?:(?:package|lerna|composer|manifest|version)\.json|Cargo\.toml|pyproject\.toml|setup\.cfg|Chart\.yaml|pubspec\.yaml)`;
/** What takes it from there. */
const TAKES = [
  String.raw`cat (${FILE})`,
  String.raw`jq (?:-r|--raw-output) \.version (${PACKAGE})`,
  String.raw`node (?:-p |-e console\.log\()require\(["'](?:\./)?(${PACKAGE})["']\)\.version\)?;?`,
  String.raw`sed -n(?:E| -E)? s/[^/]*version[^/]*/\\1/p (${PACKAGE})`,
  String.raw`grep (?:-m1 )?-[oPm1]+ [^|]*version[^|]*\\K\[\^["']+\]\+ (${PACKAGE})`,
  String.raw`awk -F ?\S+ /\^?version[^/]*/ ?\{ ?print \$\d;?(?: ?exit;?)? ?\} (${PACKAGE})`,
];
const VERSION_FILE = new RegExp(`^${FILE}$`);
const TAKES_VERSION = new RegExp(`^(?:${TAKES.join("|")})$`);

/** The file from which words print the version of a project. */
export function versionFile(words: string): string | undefined {
  return TAKES_VERSION.exec(words)?.slice(1).find((file) => file !== undefined);
}

/** What a file of a version holds, where the line cannot have written it yet. */
export function versionIn(
  { context, depth }: Pick<Walker, "context" | "depth">,
  file: string,
  { state, alone }: { readonly state: State; readonly alone: boolean },
): Lines | undefined {
  if (depth > 0 || context.repeats > 0 || (alone && !VERSION_FILE.test(file))) return undefined;
  const places = resolveWord(context, file, { state, reads: true }).map(({ path }) => path);
  const isWritten = context.findings.uses.some(({ access, path: written }) =>
    /write|use/.test(access) &&
    places.some((path) =>
      path === null || written === null || `${path}/`.startsWith(`${written}/`) ||
      overlappingNames(written, path)
    )
  );
  return isWritten ? undefined : { fields: [[PART]] };
}
