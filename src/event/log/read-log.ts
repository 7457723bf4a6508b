import {
  pathKind,
  type SegmentFiles,
  segmentFiles,
  singleFile,
} from "../../platform/file/segment-files.ts";
import { type Recorded, SCHEMA_VERSION } from "../event.ts";
import { cannotRead } from "./log-error.ts";
import { readEvent, readHeader, type SegmentHeader, segmentNames } from "./segment.ts";

/** A line without end is no log: nothing that is written here comes near it, in UTF-16 code units. */
const LONGEST_LINE = 64 * 1024 * 1024;

/**
 * Read a recorded log, event by event.
 *
 * A segment whose writer broke off in the middle of a line ends before that line.
 *
 * @param path A directory of segments, or one file of them.
 * @throws {LogError} When there is none, when it is of a later schema, or when a line in it is
 * garbled or missing.
 */
export async function* readLog(path: string): AsyncGenerator<Recorded, void, undefined> {
  const kind = await pathKind(path);
  if (kind === "missing") throw cannotRead(path, "missing", "there is no such file or directory");
  if (kind === "file") return yield* readSegments(singleFile(path), await singleFile(path).list());
  const files = segmentFiles(path);
  const names = segmentNames(await files.list());
  if (names.length === 0) throw cannotRead(path, "notALog", "it holds no events-*.ndjson");
  yield* readSegments(files, names);
}

/** Read segments in the order of their names, and check that no event is missing between them. */
export async function* readSegments(
  files: SegmentFiles,
  names: readonly string[],
): AsyncGenerator<Recorded, void, undefined> {
  let next: number | undefined;
  for (const name of names) {
    const path = files.pathOf(name);
    let header: SegmentHeader | undefined;
    let number = 0;
    for await (const { lines, whole } of lineBatches(files.read(name), path)) {
      for (const line of lines) {
        number++;
        if (header === undefined) {
          header = readHeader(line);
          if (header === undefined && !whole) break;
          if (header === undefined) throw cannotRead(path, "notALog", "it is no event log");
          checkHeader(header, path, next);
          next = header.firstSeq;
          continue;
        }
        const recorded = readEvent(line, header.schema);
        if (recorded === undefined && !whole) break;
        if (recorded === undefined) throw cannotRead(path, "garbled", `line ${number} is no event`);
        if (recorded.seq !== next) {
          const state = `line ${number} is event ${recorded.seq} instead of ${next}`;
          throw cannotRead(path, "gap", state);
        }
        next = recorded.seq + 1;
        yield recorded;
      }
    }
  }
}

function checkHeader({ schema, firstSeq }: SegmentHeader, path: string, next = firstSeq): void {
  if (schema > SCHEMA_VERSION) {
    const state = `its schema is version ${schema}, this reads up to ${SCHEMA_VERSION}`;
    throw cannotRead(path, "newer", state);
  }
  if (firstSeq !== next) {
    throw cannotRead(path, "gap", `it begins with event ${firstSeq} instead of ${next}`);
  }
}

/** The lines that a piece of text completes, or at the end what has no end of line. */
interface LineBatch {
  readonly lines: readonly string[];
  readonly whole: boolean;
}

async function* lineBatches(
  chunks: AsyncIterable<string>,
  path: string,
): AsyncGenerator<LineBatch> {
  let rest = "";
  for await (const chunk of chunks) {
    const lines = (rest + chunk).split("\n");
    rest = lines.pop() ?? "";
    if (rest.length > LONGEST_LINE) throw cannotRead(path, "notALog", "a line of it has no end");
    if (lines.length > 0) yield { lines, whole: true };
  }
  if (rest !== "") yield { lines: [rest], whole: false };
}
