import { overlappingNames } from "../../platform/file/pattern-overlap.ts";

/** A text that a line writes to a file; `null`: known only at run time. */
export type Text = string | null;

interface Written {
  readonly path: string;
  readonly text: Text;
  /** Other text can stand in front of it, or follow. */
  readonly isPart: boolean;
}

/** What runs a file. */
interface Run {
  readonly path: string;
  readonly judge: (text: Text) => void;
  readonly judged: Set<Text>;
}

/** What a line writes into files, and which of them it runs, in whatever order. */
export class WrittenFiles {
  readonly #written: Written[] = [];
  readonly #runs: Run[] = [];

  /** How many texts there are. */
  get size(): number {
    return this.#written.length;
  }

  /** Note a text; a job that was started before can run it. */
  add(written: Written): void {
    const isSame = ({ path, text, isPart }: Written) =>
      path === written.path && text === written.text && isPart === written.isPart;
    if (this.#written.some(isSame)) return;
    this.#written.push(written);
    for (const run of [...this.#runs]) if (canBe(run.path, written.path)) this.#judge(run);
  }

  /** Each text that a file can hold; none: the line does not write it. */
  texts(path: string): readonly Text[] {
    const found = this.#written.filter((each) => canBe(path, each.path));
    const isWhole = found.length === 1 && !found[0]?.isPart;
    // Code of other languages is looked at by lines.
    const areLines = CODE.test(path) && found.every(({ text }) => text?.endsWith("\n"));
    return found.length > 0 && !isWhole && !areLines ? [null] : found.map(({ text }) => text);
  }

  /** Note that a file is run, and judge each text that it holds then or later. */
  run(path: string, judge: (text: Text) => void): void {
    const run = { path, judge, judged: new Set<Text>() };
    this.#runs.push(run);
    this.#judge(run);
  }

  #judge({ path, judge, judged }: Run): void {
    // It is a question whatever else it holds.
    if (judged.has(null)) return;
    for (const text of this.texts(path)) {
      if (judged.has(text)) continue;
      judged.add(text);
      judge(text);
    }
  }
}

const CODE = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua|\*)$/;

/** What stands in front of the first sign of a pattern. */
const PLAIN_START = /^[^*?[(]*/;

/** Whether a file can be the one at a path; either can be a pattern. */
function canBe(file: string, path: string): boolean {
  const [start = "", other = ""] = [file, path].map((each) => PLAIN_START.exec(each)?.[0]);
  // Most names differ in what is plain.
  if (!start.startsWith(other) && !other.startsWith(start)) return false;
  return file === path || overlappingNames(file.replaceAll("**/", "*"), path) ||
    overlappingNames(path.replaceAll("**/", "*"), file);
}
