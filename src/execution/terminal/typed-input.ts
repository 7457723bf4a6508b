import type { InputPipe } from "../../platform/process/processes.ts";
import type { Terminal } from "../../platform/terminal/terminals.ts";

/** What ends the input of a program that reads by lines (VEOF). */
const CTRL_D = 0x04;
const LINE_ENDS: ReadonlySet<number | undefined> = new Set([0x0a, 0x0d, CTRL_D]);

/** Input that is typed on a terminal, as a pipe: its end is typed as well. */
export class TypedInput implements InputPipe {
  readonly #terminal: Pick<Terminal, "write">;
  readonly #onWrite: () => void;
  #inLine = false;
  #ended = false;
  #exited = false;

  constructor(terminal: Pick<Terminal, "write">, onWrite: () => void) {
    this.#terminal = terminal;
    this.#onWrite = onWrite;
  }

  async write(bytes: Uint8Array): Promise<void> {
    // The next command of its shell may have the terminal.
    if (this.#exited) throw new Error("Cannot type on the terminal: the command has exited");
    this.#onWrite();
    this.#inLine = !LINE_ENDS.has(bytes.at(-1));
    await this.#terminal.write(bytes);
  }

  end(): void {
    if (this.#ended || this.#exited) return;
    this.#ended = true;
    // In a line the first one only hands over what was typed.
    const keys = Uint8Array.from(this.#inLine ? [CTRL_D, CTRL_D] : [CTRL_D]);
    this.#terminal.write(keys).catch(() => {}); // the program has ended meanwhile
  }

  /** The program has exited: nothing is typed any more. */
  close(): void {
    this.#exited = true;
  }
}
