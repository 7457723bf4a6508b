import type { ExitStatus } from "../process/processes.ts";
import type { Terminal, TerminalSize, TerminalSpec } from "../terminal/terminals.ts";
import type { ShellSpec, ShellTerminal, TerminalOutput } from "./shells.ts";
import { TerminalCuts } from "./terminal-cuts.ts";
import type { PipeEvents } from "../pipe/pipe-reader.ts";

/** A shell that was started on a terminal of its own, and that terminal. */
export class HostShellTerminal implements ShellTerminal {
  readonly device: string;
  readonly #terminal: Terminal;
  readonly #cuts: TerminalCuts;
  #size: TerminalSize;
  #asked: TerminalSize;
  #typedInto = false;
  #writing = 0;

  /** @throws {Error} When the program or a pseudo-terminal is missing; the message says what to do. */
  constructor(
    { file, cwd }: ShellSpec,
    { terminals, size }: Required<ShellSpec>["terminal"],
    { exit, end, ...start }: Pick<TerminalSpec, "args" | "env"> & {
      readonly exit: (status: ExitStatus) => void;
      /** It is closed, and all of its output was read. */
      readonly end: () => void;
    },
  ) {
    this.#size = this.#asked = size;
    this.#terminal = terminals.open({ ...start, file, cwd, size }, {
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

  get pid(): number {
    return this.#terminal.pid;
  }

  get closed(): boolean {
    return this.#terminal.outputPipe === undefined;
  }

  get size(): TerminalSize {
    return this.#size;
  }

  get full(): boolean {
    return this.#writing > 0;
  }

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

  ask(size: TerminalSize): void {
    if (size.columns === this.#asked.columns && size.rows === this.#asked.rows) return;
    this.#asked = size;
    this.resize(size);
  }

  output(events: PipeEvents): TerminalOutput {
    return this.#cuts.output(events);
  }

  /** Close it: the kernel hangs up on its processes. */
  release(): void {
    this.#terminal.release();
  }
}
