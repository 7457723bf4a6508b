import type { PipeEvents } from "../pipe/pipe-reader.ts";
import type {
  Terminal,
  TerminalEvents,
  Terminals,
  TerminalSize,
  TerminalSpec,
} from "../terminal/terminals.ts";
import { TerminalCuts, type TerminalOutput } from "./terminal-cuts.ts";

/** The terminal of a persistent shell: its commands have it one after another. */
export class ShellTerminal implements Pick<Terminal, "write" | "foreground" | "settings"> {
  /** Its path, such as /dev/pts/3. */
  readonly device: string;
  readonly #terminal: Terminal;
  readonly #cuts: TerminalCuts;
  #size: TerminalSize;
  #asked: TerminalSize;
  #typedInto = false;
  #writing = 0;

  /**
   * Start a shell on a terminal of its own.
   *
   * @param end Called once it is closed, and all of its output was read.
   * @throws {Error} When the program or a pseudo-terminal is missing; the message says what to do.
   */
  constructor(
    terminals: Terminals,
    spec: TerminalSpec,
    { exit, end }: Pick<TerminalEvents, "exit" | "end">,
  ) {
    this.#size = this.#asked = spec.size;
    this.#terminal = terminals.open(spec, {
      data: (chunk) => this.#cuts.feed(chunk),
      end: () => {
        this.#cuts.end();
        end();
      },
      exit,
    });
    this.device = this.#terminal.outputPipe ?? "";
    this.#cuts = new TerminalCuts(this.#terminal);
  }

  /** That of the shell. */
  get pid(): number {
    return this.#terminal.pid;
  }

  /** No process holds it any more, or it was released. */
  get closed(): boolean {
    return this.#terminal.outputPipe === undefined;
  }

  get size(): TerminalSize {
    return this.#size;
  }

  /** The kernel has not taken all that was typed: the program does not read. */
  get full(): boolean {
    return this.#writing > 0;
  }

  /** Whether something was typed since the last call: a part of it may wait for the next reader. */
  typedInto(): boolean {
    const typedInto = this.#typedInto;
    this.#typedInto = false;
    return typedInto;
  }

  async write(bytes: Uint8Array): Promise<void> {
    this.#typedInto = true;
    this.#writing++;
    try {
      await this.#terminal.write(bytes);
    } finally {
      this.#writing--;
    }
  }

  foreground: Terminal["foreground"] = (table) => this.#terminal.foreground(table);

  settings: Terminal["settings"] = () => this.#terminal.settings();

  resize(size: TerminalSize): void {
    this.#size = size;
    this.#terminal.resize(size);
  }

  /** Give it the size that a command asks for; the same as for the command before changes nothing, so that a resize lasts. */
  ask(size: TerminalSize): void {
    if (size.columns === this.#asked.columns && size.rows === this.#asked.rows) return;
    this.#asked = size;
    this.resize(size);
  }

  /** What the next command prints. */
  output(events: PipeEvents): TerminalOutput {
    return this.#cuts.output(events);
  }

  /** Close it: the kernel hangs up on its processes. */
  release(): void {
    this.#terminal.release();
  }
}
