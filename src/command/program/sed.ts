import { isUnknown, NUMBER, plainText } from "../words/marks.ts";

/** What a little program in a command's words does besides writing to its output. */
export interface ScriptEffects {
  /** It runs a command, or it cannot be read. */
  readonly runs: boolean;
  /** Files that it reads and writes, as far as it names them. */
  readonly reads: readonly string[];
  readonly writes: readonly string[];
}

/** What cannot be read counts as what runs a command. */
export const UNREADABLE: ScriptEffects = { runs: true, reads: [], writes: [] };

/** Read a sed script. */
export function sedEffects(marked: string): ScriptEffects {
  const script = plainText(marked.replaceAll(NUMBER, "1"));
  if (isUnknown(script)) return UNREADABLE;
  return new SedScript(script).effects();
}

class SedScript {
  readonly #text: string;
  #at = 0;
  #runs = false;
  readonly #reads: string[] = [];
  readonly #writes: string[] = [];

  constructor(text: string) {
    this.#text = text;
  }

  effects(): ScriptEffects {
    while (this.#at < this.#text.length) this.#command();
    return { runs: this.#runs, reads: this.#reads, writes: this.#writes };
  }

  #command(): void {
    this.#skip(/[\s;]*/y);
    if (this.#at >= this.#text.length) return;
    this.#addresses();
    const name = this.#text[this.#at++] ?? "";
    if (/[{}]/.test(name)) return;
    if (/[=dDgGhHnNpPxzlLqQ]/.test(name)) {
      this.#skip(/[ \t]*\d*/y);
      return this.#end();
    }
    // The text of these goes on behind a backslash at the end of a line.
    if (/[aic]/.test(name)) return this.#skip(/(?:\\[^]|[^\n\\])*/y);
    if (/[:btTv]/.test(name)) return this.#skip(/[^;\n}]*/y);
    switch (name) {
      case "":
      case "#":
        return void this.#line();
      case "r":
      case "R":
        return void this.#reads.push(this.#line());
      case "w":
      case "W":
        return void this.#writes.push(this.#line());
      case "y":
        this.#delimited(2, false);
        return this.#end();
      case "s":
        this.#delimited(2);
        return this.#flags();
      case "e":
        this.#runs = true;
        return void this.#line();
      default:
        return this.#giveUp();
    }
  }

  #addresses(): void {
    for (;;) {
      const char = this.#text[this.#at] ?? "";
      if (char === "/") {
        this.#delimited(1);
        this.#skip(/[IM]*/y);
      } else if (char === "\\") {
        this.#at++;
        this.#delimited(1);
        this.#skip(/[IM]*/y);
      } else if (!/[\d$,~+! \t]/.test(char)) return;
      else this.#at++;
    }
  }

  /** Skip parts that the next character delimits; the first can be a regular expression. */
  #delimited(parts: number, expression = true): void {
    const delimiter = this.#text[this.#at++] ?? "";
    if (delimiter === "" || delimiter === "\n" || delimiter === "\\") return this.#giveUp();
    for (let left = parts; left > 0; this.#at++) {
      const char = this.#text[this.#at];
      if (char === undefined) return this.#giveUp();
      if (char === "\\") this.#at++;
      else if (char === delimiter) left--;
      else if (char === "[" && expression && left === parts) this.#bracket();
    }
  }

  /** In brackets a delimiter is a plain character. */
  #bracket(): void {
    const from = this.#at;
    this.#skip(/\[\^?\]?(?:\[:\w+:\]|\[([.=])[^\]]*\1\]|[^\]\n])*/y);
    if (this.#text[this.#at] !== "]" || this.#text.slice(from, this.#at).endsWith("\\")) {
      return this.#giveUp();
    }
  }

  #flags(): void {
    for (;;) {
      const flag = this.#text[this.#at] ?? "";
      if (/[gpiImM\d]/.test(flag)) this.#at++;
      else if (flag === "e") {
        this.#runs = true;
        this.#at++;
      } else if (flag === "w") {
        this.#at++;
        this.#writes.push(this.#line());
        return;
      } else return this.#end();
    }
  }

  /** What follows a command. */
  #end(): void {
    this.#skip(/[ \t]*/y);
    const char = this.#text[this.#at];
    if (char === undefined || char === "}") return;
    if (char === "#") return void this.#line();
    if (char !== ";" && char !== "\n") return this.#giveUp();
    this.#at++;
  }

  #line(): string {
    const from = this.#at;
    this.#skip(/[^\n]*/y);
    return this.#text.slice(from, this.#at).trim();
  }

  /** What cannot be read can run anything. */
  #giveUp(): void {
    this.#runs = true;
    this.#at = this.#text.length;
  }

  #skip(pattern: RegExp): void {
    pattern.lastIndex = this.#at;
    if (pattern.test(this.#text)) this.#at = pattern.lastIndex;
  }
}
