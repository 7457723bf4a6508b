import { overlappingNames } from "../../platform/file/pattern-overlap.ts";

/** A text that a line writes to a file; `null`: known only at run time. */
export type Text = string | null;

/** What runs a file. */
interface Run {
  readonly path: string;
  readonly judge: (text: Text) => void;
  readonly judged: Set<Text>;
}

/** What a line writes into files, and which of them it runs, in whatever order. */
export class WrittenFiles {
  readonly #texts = new Map<string, Set<Text>>();
  readonly #runs: Run[] = [];
  #size = 0;

  /** How many texts there are. */
  get size(): number {
    return this.#size;
  }

  /** Note a text, which others can stand around; a job that was started before can run it. */
  add(path: string, text: Text, { isPart }: { readonly isPart: boolean }): void {
    // Code of other languages is looked at by lines.
    const areLines = CODE.test(path) && text?.endsWith("\n");
    const known = isPart && !areLines ? null : text;
    const texts = this.#texts.get(path) ?? new Set();
    if (texts.has(known)) return;
    this.#texts.set(path, texts.add(known));
    this.#size++;
    for (const run of [...this.#runs]) if (canBe(run.path, path)) this.#judge(run);
  }

  /** Each text that a file can hold; none: the line does not write it. */
  texts(path: string): readonly Text[] {
    const found = [...this.#texts].flatMap(([each, texts]) => canBe(path, each) ? [...texts] : []);
    return found.length > 1 && !CODE.test(path) ? [null] : found;
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
