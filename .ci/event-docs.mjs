// Writes docs/events.md from the types of the events; with --check, compares it to them.
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import process from "node:process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const page = join(root, "docs/events.md");
const folder = join(root, "src/event");

const HEAD = `# Events

Everything that happens in a runtime is one of these events, recorded as \`{ seq, at, event }\`: \`seq\`
counts from 1 without a gap, \`at\` is in milliseconds since the epoch. They are plain data: in a log
each is a line of JSON, with the names of environment variables and without their values. TypeScript
names each event by its type: \`execution.exited\` is \`ExecutionExited\`, and all of them together are
\`RuntimeEvent\`. This page is made from those types; their comments describe each field.

Exactly one of these ends a command: ${ends()}. \`execution.closed\` and late \`output.appended\` may
follow: background processes that a command left behind still hold its output.
`;

/** The events that end a command, from the table that names them. */
function ends() {
  const code = readFileSync(join(folder, "event.ts"), "utf8");
  const [, cases = ""] = /const ENDS:[^=]*= \{([^]*?)\n\};/.exec(code) ?? [];
  const names = [...cases.matchAll(/"([\w.]+)"/g)].map(([, name]) => `\`${name}\``);
  if (names.length === 0) throw new Error("Cannot find which events end a command");
  return names.join(", ");
}

/** The order in which a command meets them. */
const PREFIXES = [
  "session",
  "command",
  "permission",
  "env",
  "execution",
  "output",
  "task",
  "notice",
];

const EVENT =
  /\/\*\*((?:(?!\*\/)[^])*)\*\/\nexport interface \w+ \{\n  readonly type: "(\w+)\.(\w+)";\n([^]*?)^\}/gm;

const files = readdirSync(folder).filter((name) => name.endsWith(".ts"))
  .map((name) => readFileSync(join(folder, name), "utf8"));
const events = files.flatMap((code) =>
  [...code.matchAll(EVENT)].map(
    ([, comment, prefix, name, body]) => ({
      prefix,
      name: `${prefix}.${name}`,
      meaning: comment.replace(/\s*\n \*/g, "").trim(),
      fields: [...body.matchAll(/^ {2}readonly (\w+\??):/gm)].map(([, field]) => `\`${field}\``),
    }),
  )
);
const types = files.flatMap((code) => [...code.matchAll(/^ {2}readonly type: "(\w+\.\w+)";$/gm)]);
const missed = types.find(([, type]) => !events.some(({ name }) => name === type));
if (missed !== undefined) {
  throw new Error(`Cannot read the fields of "${missed[1]}": list them all`);
}
const unknown = events.find(({ prefix }) => !PREFIXES.includes(prefix));
if (unknown !== undefined) throw new Error(`Cannot place "${unknown.name}": add its prefix here`);

const text = HEAD +
  PREFIXES.map((prefix) =>
    `\n## \`${prefix}\`\n\n| event | happened | fields |\n| --- | --- | --- |\n` +
    events.filter((event) => event.prefix === prefix).map(({ name, meaning, fields }) =>
      `| \`${name}\` | ${meaning} | ${fields.join(", ")} |\n`
    ).join("")
  ).join("");

/** The formatter decides about spaces and lines. */
const words = (markdown) => markdown.replace(/-{3,}/g, "---").replace(/\s+/g, " ").trim();

if (!process.argv.includes("--check")) writeFileSync(page, text);
else if (words(readFileSync(page, "utf8")) !== words(text)) {
  console.error("docs/events.md differs from the types: run node .ci/event-docs.mjs and format it");
  process.exitCode = 1;
}
