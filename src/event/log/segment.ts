import { EnvValues } from "../env-values.ts";
import { type Recorded, SCHEMA_VERSION } from "../event.ts";

/** An object as a log holds it, before anything is known of its shape. */
type JsonObject = Readonly<Record<string, unknown>>;

const NAME = /^events-(\d{12,16})(?:\.(\d+))?\.ndjson$/;

/**
 * The name of the segment that begins at a place; `attempt` distinguishes those that begin at the
 * same, which happens when the one before broke off in its first event.
 */
export function segmentName(firstSeq: number, attempt = 1): string {
  const suffix = attempt === 1 ? "" : `.${attempt}`;
  return `events-${String(firstSeq).padStart(12, "0")}${suffix}.ndjson`;
}

/** Of the names in a directory, those of segments, in the order of their events. */
export function segmentNames(names: readonly string[]): readonly string[] {
  return names
    .flatMap((name) => {
      const [, seq, attempt = "1"] = NAME.exec(name) ?? [];
      return seq === undefined ? [] : [{ name, seq: Number(seq), attempt: Number(attempt) }];
    })
    .sort((a, b) => a.seq - b.seq || a.attempt - b.attempt)
    .map(({ name }) => name);
}

export function headerLine(firstSeq: number, createdAt: number): string {
  return checkedLine({ shellflow: "events", schema: SCHEMA_VERSION, firstSeq, createdAt });
}

/** The schema that a header names; `undefined` when the line is none, or damaged. */
export function readSchema(line: string): number | undefined {
  const value = isIntact(line) ? parse(line) : undefined;
  if (!isObject(value) || value["shellflow"] !== "events") return undefined;
  return isCount(value["schema"]) ? value["schema"] : undefined;
}

/** Read an event; `undefined` when the line is none, or damaged. */
export function readEvent(line: string): Recorded | undefined {
  const value = isIntact(line) ? parse(line) : undefined;
  if (!isObject(value)) return undefined;
  const { seq, at, event } = value;
  const record = { seq, at, event };
  return isRecorded(record) ? record : undefined;
}

function parse(line: string): unknown {
  try {
    // A function for each value takes long: most lines have none of what it is for.
    return line.includes('{"names":[') ? JSON.parse(line, revived) : JSON.parse(line);
  } catch {
    return undefined;
  }
}

/** A cheap look at what every reader relies on; the rest was written by the same vocabulary. */
function isRecorded(value: JsonObject): value is JsonObject & Recorded {
  const event = value["event"];
  return isCount(value["seq"]) && typeof value["at"] === "number" && isObject(event) &&
    typeof event["type"] === "string" && event["type"].includes(".");
}

/** Values of variables were written as names: wherever an event has them, make them values again. */
function revived(key: string, value: unknown): unknown {
  return (key === "env" || key === "overrides") && isNames(value) ? EnvValues.from(value) : value;
}

function isNames(value: unknown): value is { readonly names: readonly string[] } {
  return isObject(value) && Array.isArray(value["names"]) &&
    value["names"].every((name) => typeof name === "string");
}

function isObject(value: unknown): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

function isCount(value: unknown): value is number {
  return typeof value === "number" && Number.isSafeInteger(value) && value >= 1;
}

const KEY = ',"check":"';
const HEX_DIGITS = 8;
const SUFFIX = KEY.length + HEX_DIGITS + '"}'.length;

/** Write a JSON object as a line with a check of itself as its last field. */
export function checkedLine(value: object): string {
  const start = JSON.stringify(value).slice(0, -1);
  return `${start}${KEY}${checkOf(start)}"}\n`;
}

/** Whether a line, without its end, is what {@linkcode checkedLine} wrote. */
function isIntact(line: string): boolean {
  const start = line.slice(0, -SUFFIX);
  return line.slice(-SUFFIX) === `${KEY}${checkOf(start)}"}`;
}

/**
 * FNV-1a over UTF-16 code units. Each step is a bijection, so that damage to one character always
 * changes the result.
 *
 * @see {@link http://www.isthe.com/chongo/tech/comp/fnv/}
 */
function checkOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) hash = Math.imul(hash ^ text.charCodeAt(i), 0x01000193);
  return (hash >>> 0).toString(16).padStart(HEX_DIGITS, "0");
}
