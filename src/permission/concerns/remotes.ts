import type { Analysis, SimpleCommand } from "../../event/analysis.ts";
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

/** Find clients of other machines that get a file, or what a program prints, as their input. */
export function inputConcerns({ commands }: Analysis): readonly Concern[] {
  return commands.flatMap(({ argv, span, program, redirects }, at) => {
    if (!SENDS_INPUT.test(argv.join(" "))) return [];
    const isFile = redirects.some(({ operator, target }) =>
      operator === "<" && target !== "/dev/null"
    );
    // With other values of its variables a command is there once more, behind what follows it.
    const before = commands.slice(0, at).filter((each) => each.span.end <= span.start)
      .reduce<SimpleCommand | undefined>(
        (last, each) => last && last.span.start > each.span.start ? last : each,
        undefined,
      );
    const isPrinted = program.piped && !SPELLS.test(before?.argv[0] ?? "");
    const reason = `"${argv[0]}" sends its input to another machine`;
    return isFile || isPrinted ? [{ reason, span, danger: "sends-data" }] : [];
  });
}

const SENDS_INPUT =
  /^(?:openssl s_client(?: .*)? -connect (?!localhost:|127\.0\.0\.1:)\S|(?:https?|xhs?)(?: (?:-\S+|[A-Z]+))* (?!(?:https?:\/\/)?(?:localhost|127\.0\.0\.1)?[:/])[\w-]+\.)/;

/** Find pushes to a remote of which the line itself sets the address. */
export function remoteConcerns({ commands }: Analysis): readonly Concern[] {
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
