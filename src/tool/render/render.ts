import { clip } from "../../text/clip.ts";
import { clusterAt, columnsOf } from "../../text/view/width.ts";
import { partialFields } from "./partial-json.ts";
import type { Tool, ToolResult } from "../tool.ts";

/** How a call or a result is shown on a terminal. */
export interface RenderOptions {
  /** Default 80. */
  readonly columns?: number;
  /** All of it, in place of some lines; default `false`. */
  readonly expanded?: boolean;
  /**
   * A command of a person shows more: 20 lines of at most 4 000 characters. Default `tool`, and for
   * the result of `runForUser` `user`.
   */
  readonly surface?: "tool" | "user";
}

const COLLAPSED = { tool: 10, user: 20 } as const;
/** So much is shown of one line of the output of a person's command, in UTF-16 code units. */
export const LONGEST_USER_LINE = 4_000;

/**
 * A call as a person reads it, also while its input is still being written.
 *
 * @param called The tool, or its name.
 * @param input The input, or its JSON so far.
 */
export function renderCall(
  called: string | Pick<Tool, "name">,
  input: unknown,
  { columns = 80, expanded = false, surface = "tool" }: RenderOptions = {},
): string {
  const tool = typeof called === "string" ? called : called.name;
  const fields = fieldsOf(input);
  const text = (name: string) => typeof fields[name] === "string" ? `${fields[name]}` : undefined;
  const command = text("command");
  const shells = [fields["shellId"]].flat().filter((id) => typeof id === "string").join(", ");
  const head = command === undefined
    ? `${tool} ${shells}${text("input") === undefined ? "" : `: ${text("input")}`}`
    : `$ ${command}`;
  const rows = visualLines(safe(head.trimEnd()), columns);
  const kept = expanded ? rows : rows.slice(0, COLLAPSED[surface]);
  const more = rows.length > kept.length ? [`… ${rows.length - kept.length} more lines`] : [];
  const { env } = fields;
  const names = typeof env === "object" && env !== null ? Object.keys(env).join(", ") : "";
  const facts = [
    text("description"),
    ...["cwd", ...(command === undefined ? [] : ["shellId"]), "mode", "until", "search"].map((
      name,
    ) => text(name) === undefined ? undefined : `${name} ${text(name)}`),
    ...["detach", "pty", "input", "raw", "keep_shell"].map((name) =>
      fields[name] === true ? name : undefined
    ),
    ...["from", "context"].map((name) =>
      typeof fields[name] === "number" ? `${name} ${fields[name]}` : undefined
    ),
    ...["timeout", "initial_wait", "delay"].map((name) =>
      typeof fields[name] === "number" ? `${name} ${fields[name]} s` : undefined
    ),
    names === "" ? undefined : `env ${names}`,
  ].filter((fact) => fact !== undefined);
  const meta = facts.length === 0 ? [] : [safe(`(${facts.join(", ")})`)];
  return [...kept, ...more, ...meta].join("\n");
}

/** A result as a person reads it: the end of its output, how it stands, and what was left out. */
export function renderResult(
  { content, details }: Pick<ToolResult, "content" | "details">,
  { columns = 80, expanded = false, ...options }: RenderOptions = {},
): string {
  const { surface = details.tool === "user" ? "user" : "tool" } = options;
  const [body = "", ...facts] = content
    .filter(({ audience }) => audience !== "model")
    .map(({ text }) => safe(text));
  const clamped = surface === "user" && !expanded
    ? body.split("\n").map((line) =>
      line.length > LONGEST_USER_LINE ? `${clip(line, LONGEST_USER_LINE)}…` : line
    ).join("\n")
    : body;
  const rows = visualLines(clamped, columns);
  const kept = expanded ? rows : rows.slice(-COLLAPSED[surface]);
  const hidden = rows.length - kept.length;
  return [...(hidden > 0 ? [`… ${hidden} earlier lines`] : []), ...kept, ...facts].join("\n");
}

function fieldsOf(input: unknown): Readonly<Record<string, unknown>> {
  if (typeof input === "string") return partialFields(input);
  return typeof input === "object" && input !== null ? { ...input } : {};
}

/** Without what a terminal obeys, and half a character, which is not there yet. */
function safe(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cs}\p{Bidi_Control}]/gu,
    (letter) => letter === "\n" || letter === "\t" ? letter : "\u{fffd}",
  );
}

/** Break a text into lines as a terminal of so many columns shows them. */
function visualLines(text: string, columns: number): readonly string[] {
  return text.split("\n").flatMap((line) => wrapped(line, Math.max(1, columns)));
}

function wrapped(line: string, columns: number): readonly string[] {
  if (line.length <= columns && /^[\x20-\x7e]*$/.test(line)) return [line];
  const rows: string[] = [];
  let row = "";
  let width = 0;
  for (let at = 0; at < line.length;) {
    const cluster = clusterAt(line, at);
    const size = columnsOf(cluster);
    at += cluster.length;
    if (width + size > columns && row !== "") {
      rows.push(row);
      row = "";
      width = 0;
    }
    row += cluster;
    width += size;
  }
  return [...rows, row];
}
