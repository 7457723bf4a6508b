import {
  pathKind,
  type SegmentFiles,
  segmentFiles,
  singleFile,
} from "../../platform/file/segment-files.ts";
import { type Recorded, SCHEMA_VERSION } from "../event.ts";
import { cannotRead } from "./log-error.ts";
import { ownerOf } from "../../platform/owner/owner-lock.ts";
import { shownValue } from "../../value/shown.ts";
import { readEvent, readSchema, segmentNames } from "./segment.ts";

/** No line that is written here comes near it, in UTF-16 code units. */
const MAX_LINE_LENGTH = 64 * 1024 * 1024;

/** A place of a log that cannot be read; all other events stand. */
export interface LogDamage {
  /** The file. */
  readonly path: string;
  /** The line in it, from 1. */
  readonly line: number;
  /** What is wrong, as in `is damaged`. */
  readonly state: string;
}

/** What a reader of a log may want to know beside its events. */
export interface ReadLogOptions {
  /** Called for each place that is passed over. */
  readonly onDamage?: (damage: LogDamage) => void;
}

/** `Cannot read line 7 of log "<path>": it is damaged`. */
export function describeDamage({ path, line, state }: LogDamage): string {
  return `Cannot read line ${line} of log "${path}": it ${state}`;
}

/**
 * Read a recorded log, event by event. Damaged lines are passed over.
 *
 * @param path A directory of segments, or one file of them.
 * @throws {TypeError} When the path is no string.
 * @throws {LogError} When there is none, or when it is of another schema.
 */
export async function* readLog(
  path: string,
  options: ReadLogOptions = {},
): AsyncGenerator<Recorded, void, undefined> {
  if (typeof path !== "string") {
    throw new TypeError(`Cannot read log ${shownValue(path)}: its path must be a string`);
  }
  const kind = await pathKind(path);
  if (kind === "missing") throw cannotRead(path, "missing", "there is no such file or directory");
  const files = kind === "file" ? singleFile(path) : segmentFiles(path);
  const names = kind === "file" ? await files.list() : segmentNames(await files.list());
  if (names.length === 0) {
    // Nothing has happened yet.
    if (kind === "directory" && await ownerOf(path) !== undefined) return;
    throw cannotRead(path, "notALog", "it holds no events-*.ndjson");
  }
  let isLog = kind === "directory";
  for await (const recorded of readSegments(files, names, options)) {
    isLog = true;
    yield recorded;
  }
  if (!isLog) throw cannotRead(path, "notALog", "it is no event log");
}

/** Read segments in the order of their names. */
export async function* readSegments(
  files: SegmentFiles,
  names: readonly string[],
  { onDamage = () => {} }: ReadLogOptions = {},
): AsyncGenerator<Recorded, void, undefined> {
  /** The place of the next event; any, before the first. */
  let next: number | undefined;
  /** Damage was reported since the last event: it explains why some are missing. */
  let reported = false;
  for (const name of names) {
    const path = files.pathOf(name);
    let line = 0;
    const damaged = (state: string) => {
      onDamage({ path, line, state });
      reported = true;
    };
    for await (const lines of lineBatches(files.read(name), path)) {
      for (const text of lines) {
        if (++line === 1) {
          const schema = readSchema(text);
          if (schema === undefined) damaged(stateOf(text));
          else if (schema !== SCHEMA_VERSION) throw otherSchema(path, schema);
          continue;
        }
        const recorded = readEvent(text);
        if (recorded === undefined) {
          damaged(stateOf(text));
          continue;
        }
        const { seq } = recorded;
        if (next !== undefined && seq !== next && !(reported && seq > next)) {
          damaged(`is event ${seq} instead of ${next}`);
        }
        if (next !== undefined && seq < next) continue;
        reported = false;
        next = seq + 1;
        yield recorded;
      }
    }
  }
}

/** What is wrong with a line that its check does not fit. */
function stateOf(line: string): string {
  return line.endsWith("\r")
    ? 'ends in CRLF: have git leave logs as they are, with "* -text" in .gitattributes'
    : "is damaged";
}

/** `Cannot read log "<path>": its schema is version …`. */
export function otherSchema(path: string, schema: number): Error {
  const state = `its schema is version ${schema}, this reads version ${SCHEMA_VERSION}`;
  return cannotRead(path, "otherSchema", state);
}

/** The lines of each piece of text, and what has no end of line as the last one. */
async function* lineBatches(
  chunks: AsyncIterable<string>,
  path: string,
): AsyncGenerator<readonly string[]> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > MAX_LINE_LENGTH) throw cannotRead(path, "notALog", "a line of it has no end");
    if (lines.length > 0) yield lines;
  }
  if (rest !== "") yield [rest];
}
