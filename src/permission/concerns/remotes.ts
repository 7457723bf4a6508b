import type { Analysis } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";

/** Find pushes to a remote of which the line itself sets the address. */
export function remoteConcerns(
  { commands }: Analysis,
  accept: ReadonlySet<string>,
): readonly Concern[] {
  if (accept.has("sends-data")) return [];
  const lines = commands.map(({ argv, program: { as = argv } }) =>
    as.filter((word) => word === null || !word.startsWith("-")).map((word) => word ?? ANY)
  );
  const set = new Set(lines.flatMap(([tool, verb = "", ...rest]) => {
    const [, name] = SETS.exec([verb, ...rest].join(" ")) ?? [];
    return tool === "git" && name !== undefined ? [name] : [];
  }));
  if (set.size === 0) return [];
  return commands.flatMap(({ span }, at) => {
    const [tool, verb, remote = "origin"] = lines[at] ?? [];
    const isSet = set.has(remote) || set.has(ANY) || remote === ANY;
    const reason = `"git push" to "${remote}", of which the line sets the address`;
    return tool === "git" && verb === "push" && isSet
      ? [{ reason, span, danger: "sends-data" }]
      : [];
  });
}

/** A word known only at run time. */
const ANY = "*";
const SETS = /^(?:remote (?:add|set-url) |config (?:set )?remote\.)(\S+?)(?: |\.(?:push)?url )/;
