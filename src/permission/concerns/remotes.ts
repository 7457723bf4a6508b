import type { Analysis } from "../../event/analysis.ts";
import type { Concern } from "../../event/permission.ts";

/** Find questions to other machines with words that files may be encoded in. */
export function encodedConcerns({ commands }: Analysis): readonly Concern[] {
  const encodes = commands.some(({ argv: [name, ...words], program }, at) =>
    ENCODES.test(name ?? "") && !words.some((word) => DECODES.test(word ?? "")) &&
    !(program.piped && SPELLS.test(commands[at - 1]?.argv[0] ?? ""))
  );
  if (!encodes) return [];
  return commands.flatMap(({ argv, span, program }) => {
    const asks = program.fetches || ASKS.test(argv.slice(0, 2).join(" "));
    const reason = `"${argv[0]}" can send what the line encodes`;
    return asks && argv.includes(null) ? [{ reason, span, danger: "sends-data" }] : [];
  });
}

const ENCODES = /(?:^|\/)(?:base(?:32|64|nc)|xxd|od|hexdump|uuencode)$/;
const DECODES = /^(?:-[a-z]*[dDr]|--decode)/;
/** What is encoded is text of the line, or a variable, as for a header. */
const SPELLS = /^(?:echo|printf)$/;
const ASKS = /^git (?:ls-remote|fetch|clone|pull)$/;

/** Find pushes to a remote of which the line itself sets the address. */
export function remoteConcerns({ commands }: Analysis): readonly Concern[] {
  const lines = commands.map(({ argv, program: { as = argv } }) =>
    as.map((word) => word ?? ANY).filter((word) => !word.startsWith("-")).join(" ")
  );
  const names = lines.flatMap((line) => SETS.exec(line)?.[1] ?? []);
  if (names.length === 0) return [];
  return commands.flatMap(({ span }, at) => {
    const [push, remote = "origin"] = PUSHES.exec(lines[at] ?? "") ?? [];
    const isSet = names.includes(remote) || names.includes(ANY) || remote === ANY;
    const reason = `"git push" to "${remote}", of which the line sets the address`;
    return push !== undefined && isSet ? [{ reason, span, danger: "sends-data" }] : [];
  });
}

/** A word known only at run time. */
const ANY = "*";
const SETS = /^git (?:remote (?:add|set-url) |config (?:set )?remote\.)(\S+?)(?: |\.(?:push)?url )/;
const PUSHES = /^git push(?: (\S+))?(?= |$)/;
