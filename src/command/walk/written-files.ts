import { overlappingNames } from "../../platform/file/pattern-overlap.ts";
import { readText } from "../syntax.ts";

/** A text that a line writes to a file; `null`: known only at run time. */
export interface WrittenText {
  readonly path: string;
  readonly text: string | null;
  /** Other text can stand in front of it, or follow. */
  readonly isPart: boolean;
}

/** What reads a file. */
interface Reader {
  /** It is an interpreter of another language than that of shells. */
  readonly isLanguage?: boolean;
  readonly judge: (text: string | null) => void;
}

/** What a line writes into files, and which of them it runs, in whatever order. */
export class WrittenFiles {
  readonly #written: WrittenText[] = [];
  readonly #runs = new Map<string, Reader & { readonly path: string }>();

  /** How many texts there are. */
  get size(): number {
    return this.#written.length;
  }

  /** Note a text; a job that was started before can run it. */
  add(written: WrittenText): void {
    const { path, text, isPart } = written;
    const isSame = (each: WrittenText) =>
      each.path === path && each.text === text && each.isPart === isPart;
    if (this.#written.some(isSame)) return;
    this.#written.push(written);
    for (const reader of [...this.#runs.values()]) {
      if (isSamePath(reader.path, path)) this.texts(reader.path, reader).forEach(reader.judge);
    }
  }

  /** Each text that a file can hold; none: the line does not write it. */
  texts(path: string, { isLanguage = false }: Partial<Reader> = {}): readonly (string | null)[] {
    const found = this.#written.filter((each) => isSamePath(each.path, path));
    const isWhole = ({ text, isPart }: WrittenText) =>
      text === null || (!isPart && found.length === 1) || isClosed(text, isLanguage);
    return found.every(isWhole) ? [...new Set(found.map(({ text }) => text))] : [null];
  }

  /** Note that a file is run, and judge each text that it holds then or later. */
  run(path: string, key: string, reader: Reader): void {
    this.#runs.set(`${path}\0${key}`, { ...reader, path });
    this.texts(path, reader).forEach(reader.judge);
  }
}

function isSamePath(one: string, other: string): boolean {
  const [some, others] = [one, other].map((path) => path.replaceAll("**/", "*"));
  return one === other || overlappingNames(some ?? "", other) ||
    overlappingNames(others ?? "", one);
}

/** Whether a text means the same whatever stands around it; code of other languages is looked at by lines. */
function isClosed(text: string, isLanguage: boolean): boolean {
  return /(?<!\\)\n$/.test(text) &&
    (isLanguage || (!text.includes("<<") && readText(text).doubts.length === 0));
}
