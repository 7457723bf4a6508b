import { overlappingNames } from "../../platform/file/pattern-overlap.ts";

/** A text that a line writes to a file; `null`: known only at run time. */
export type Text = string | null;

interface Written {
  readonly path: string;
  readonly text: Text;
  /** Other text can stand in front of it, or follow. */
  readonly isPart: boolean;
}

/** What a line writes into files, and which of them it runs, in whatever order. */
export class WrittenFiles {
  readonly #written: Written[] = [];
  readonly #runs: { readonly path: string; readonly judge: (text: Text) => void }[] = [];

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
    for (const { path, judge } of [...this.#runs]) {
      if (canBe(path, written.path)) this.texts(path).forEach(judge);
    }
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
    this.#runs.push({ path, judge });
    this.texts(path).forEach(judge);
  }
}

const CODE = /\.(?:[cm]?[jt]sx?|py|rb|pl|php|lua)$/;

/** Whether a file can be the one at a path; either can be a pattern. */
function canBe(file: string, path: string): boolean {
  const [one = "", other = ""] = [file, path].map((each) => each.replaceAll("**/", "*"));
  return file === path || overlappingNames(one, path) || overlappingNames(other, file);
}
